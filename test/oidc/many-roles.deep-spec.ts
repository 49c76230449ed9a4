import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { TestPerson } from '../support/builders.js';
import { send, sendUnchecked } from '../support/http.js';
import { askOver, connectHttp2 } from '../support/http2.js';
import { answerOf, paths, RelyingParty, type Tokens } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const ROLES = 'urn:service:iam:org:project:roles';
const BYE = 'https://many.test/bye';

let world: World;
const roleKeys = (count: number, letters = 40): string[] =>
  Array.from({ length: count }, (_, index) => `${'r'.repeat(letters - 4)}${String(index).padStart(4, '0')}`);

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

interface Party {
  readonly rp: RelyingParty;
  readonly person: TestPerson;
  readonly projectId: string;
  readonly tokens: Tokens;
}

/** Somebody with so many roles, signed in to an application that asks for them in each way. */
async function partyWith(keys: readonly string[], settings: object = {}): Promise<Party> {
  const orgA = await world.cast.orgA;
  const projectId = await world.add.project({ orgId: orgA.id }, [...keys]);
  const client = await world.add.client({
    projectId,
    accessTokenType: 'jwt',
    idTokenRoleAssertion: true,
    accessTokenRoleAssertion: true,
    flatRolesClaim: true,
    postLogoutRedirectUris: [BYE],
    ...settings,
  });
  const person = await world.add.person({ orgId: orgA.id });
  await world.add.grant(person.id, projectId, orgA.id, [...keys]);
  const rp = new RelyingParty(world, client);
  return { rp, person, projectId, tokens: await rp.tokens(person) };
}

const isSignedIn = async (rp: RelyingParty): Promise<boolean> =>
  (await rp.authorize({ prompt: 'none' })).redirect!.includes('code=');

describe('Somebody with 80 roles of 40 letters', () => {
  it('has each of them once in both tokens, which name what they do not repeat, and all of them in userinfo', async () => {
    const { rp, projectId, tokens } = await partyWith(roleKeys(80));
    const leftOut = [`urn:service:iam:org:project:${projectId}:roles`, ROLES];
    expect(tokens.id_token.length).toBeLessThan(6_500);
    expect(decodeJwt(tokens.id_token)).toMatchObject({ roles: roleKeys(80), left_out_claims: leftOut });
    const claims = decodeJwt(tokens.access_token);
    expect(claims['roles']).toEqual(roleKeys(80));
    expect(claims).toMatchObject({ left_out_claims: leftOut });
    const userinfo = (await rp.userinfo(tokens.access_token)).json<Record<string, object>>();
    expect(Object.keys(userinfo[ROLES] ?? {})).toEqual(roleKeys(80));
    expect(userinfo).not.toHaveProperty('left_out_claims');
  });

  it('keeps the objects, with their organizations, where no list is asked for', async () => {
    const { tokens, projectId } = await partyWith(roleKeys(80), { flatRolesClaim: false });
    for (const claims of [decodeJwt(tokens.id_token), decodeJwt(tokens.access_token)]) {
      expect(Object.keys(claims[ROLES] as object)).toEqual(roleKeys(80));
      expect(claims['left_out_claims']).toEqual([`urn:service:iam:org:project:${projectId}:roles`]);
    }
  });

  it('is signed out and signed in again with the ID token as a hint in the address', async () => {
    const { rp, person, tokens } = await partyWith(roleKeys(80));
    const hinted = await rp.authorize({ prompt: 'none', id_token_hint: tokens.id_token });
    expect(answerOf(hinted.redirect!).code).toBeDefined();
    const out = await rp.endSession({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE });
    expect([out.redirect, await isSignedIn(rp)]).toEqual([BYE, false]);
    expect(answerOf((await rp.authorize({ prompt: 'none', id_token_hint: tokens.id_token })).redirect!)['error']).toBe(
      'login_required',
    );
    expect(person.id).toBe(decodeJwt(tokens.id_token).sub);
  });

  it('has tokens without the mark when there are few roles: nothing is left out of them', async () => {
    const { tokens, projectId } = await partyWith(roleKeys(3));
    for (const claims of [decodeJwt(tokens.id_token), decodeJwt(tokens.access_token)]) {
      expect(claims).not.toHaveProperty('left_out_claims');
      expect(claims).toHaveProperty([`urn:service:iam:org:project:${projectId}:roles`]);
    }
  });
});

describe('Somebody with 150 roles of 200 letters', () => {
  let party: Party;
  beforeAll(async () => {
    party = await partyWith(roleKeys(150, 200));
  });

  it('has all of them in the ID token; the access token, which must fit into a header, says that it has none', async () => {
    expect(decodeJwt(party.tokens.id_token)['roles']).toEqual(roleKeys(150, 200));
    const claims = decodeJwt(party.tokens.access_token);
    expect(claims).not.toHaveProperty('roles');
    expect(claims['left_out_claims']).toContain('roles');
    expect(world.logText()).toMatch(/"reason":"token\.claims_left_out","omitted":"all"/);
  });

  it('is hinted at by a form of another site, and by a pushed request', async () => {
    const { rp, tokens } = party;
    const hint = { prompt: 'none', id_token_hint: tokens.id_token };
    const first = await send(world.origin, {
      method: 'POST',
      path: paths.authorize,
      headers: { 'Sec-Fetch-Site': 'cross-site' },
      body: rp.parameters(hint),
    });
    expect(first.status).toBe(303);
    expect(answerOf((await rp.browser.get(first.location!)).redirect!).code).toBeDefined();
    const other = { ...hint, id_token_hint: `${tokens.id_token.slice(0, -4)}AAAA` };
    const forged = await send(world.origin, {
      method: 'POST',
      path: paths.authorize,
      headers: { 'Sec-Fetch-Site': 'cross-site' },
      body: rp.parameters(other),
    });
    expect(forged.location).not.toContain('id_token_hint');
    const pushed = await rp.post('/oauth/v2/par', { ...rp.parameters(hint), client_id: undefined });
    expect(pushed.status).toBe(201);
    const query = new URLSearchParams({
      client_id: rp.client.clientId,
      request_uri: pushed.json<{ request_uri: string }>().request_uri,
    });
    expect(answerOf((await rp.browser.get(`${paths.authorize}?${query}`)).redirect!).code).toBeDefined();
  });

  it('is signed out by a POST; a GET that is too long is answered with what to do, in both versions of HTTP', async () => {
    const { rp, tokens } = party;
    const sent = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE };
    const path = `${paths.endSession}?${new URLSearchParams(sent)}`;
    const get = await sendUnchecked(world.origin, { path });
    expect([get.status, get.text]).toEqual([431, expect.stringMatching(/id_token_hint.* in the form of a POST/)]);
    const session = connectHttp2(world.origin);
    const { reply } = await askOver(session, { path });
    expect([reply.status, reply.text]).toEqual([431, get.text]);
    session.destroy();
    expect(await isSignedIn(rp)).toBe(true);
    const out = await rp.browser.request('POST', paths.endSession, sent);
    expect([out.location, await isSignedIn(rp)]).toEqual([BYE, false]);
  });
});

it('With 200 such roles an ID token says that it has none of them, and is a hint all the same', async () => {
  const { rp, tokens } = await partyWith(roleKeys(200, 200));
  expect(tokens.id_token.length).toBeLessThan(49_152);
  expect(decodeJwt(tokens.id_token)['left_out_claims']).toEqual(expect.arrayContaining(['roles', ROLES]));
  expect((await rp.endSession({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE })).redirect).toBe(BYE);
});
