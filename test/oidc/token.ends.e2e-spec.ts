import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { expectDead, expectInactive, expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const OFFLINE = { scope: 'openid offline_access' };

let world: World;
let replica: World;
let alice: TestPerson;
/** With JWT access tokens, whose `jti` contains their family. */
let web4: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ refreshGraceSeconds: 0 });
  replica = await startWorld({ replicaOf: world, refreshGraceSeconds: 0 });
  alice = await world.cast.alice;
  web4 = new RelyingParty(world, await world.cast.web4);
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

const familyOf = (accessToken: string): string => decodeJwt(accessToken).jti!.split('.')[0]!;

/** The events of a token or of a family, as the journal has them. */
async function eventsOf(aggregateType: 'access_token' | 'token_family', id: string): Promise<object[]> {
  return world.rows(
    'SELECT type, sequence, editor_id, org_id, payload, created_at FROM event WHERE aggregate_type = $1 AND aggregate_id = $2',
    [aggregateType, id],
  );
}

const event = (type: string, editorId: string) => ({
  type,
  sequence: '1',
  editor_id: editorId,
  org_id: alice.orgId,
  payload: { userId: alice.id, clientId: 'web4' },
  created_at: world.clock.now(),
});

async function lineDuring(reason: string, work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const before = world.logText().length;
  await work();
  const lines = world
    .logText()
    .slice(before)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.find((line) => line['reason'] === reason || line['msg'] === reason) ?? {};
}

describe('Ending a token before it expires appends an event in the same statement', () => {
  it('when an access token is revoked, once', async () => {
    const { access_token: token } = await web4.tokens(alice);
    await web4.revoke(token);
    const expected = [event('access_token.revoked', 'web4')];
    expect(await eventsOf('access_token', decodeJwt(token).jti!)).toEqual(expected);
    await web4.revoke(token);
    expect(await eventsOf('access_token', decodeJwt(token).jti!)).toEqual(expected);
  });

  it('when a refresh token is revoked, once', async () => {
    const tokens = await web4.tokens(alice, OFFLINE);
    for (let time = 0; time < 2; time += 1) await web4.revoke(tokens.refresh_token);
    expect(await eventsOf('token_family', familyOf(tokens.access_token))).toEqual([
      event('token_family.revoked', 'web4'),
    ]);
  });

  it('when a refresh token is reused [TOK-016]', async () => {
    const tokens = await web4.tokens(alice, OFFLINE);
    await web4.refresh(tokens.refresh_token);
    expectToken400(await web4.refresh(tokens.refresh_token), 'invalid_grant');
    expect(await eventsOf('token_family', familyOf(tokens.access_token))).toEqual([
      event('token_family.refresh_token_reused', 'system'),
    ]);
  });

  it.each(['openid', 'openid offline_access'])(
    'when a code is reused, with a family of refresh tokens and without: %s [TOK-002]',
    async (scope) => {
      const code = await web4.code(alice, { scope });
      const tokens = tokensOf(await web4.redeem(code));
      for (let time = 0; time < 2; time += 1) expectToken400(await web4.redeem(code), 'invalid_grant');
      expect(await eventsOf('token_family', familyOf(tokens.access_token))).toEqual([
        event('token_family.code_reused', 'system'),
      ]);
    },
  );

  it('when two processes do it at once: one event, and the token is inactive', async () => {
    const tokens = await web4.tokens(alice, OFFLINE);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => web4.revoke(tokens.refresh_token, {}, i % 2 === 0 ? world : replica)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await eventsOf('token_family', familyOf(tokens.access_token))).toHaveLength(1);
    expectDead(await web4.userinfo(tokens.access_token));
  });

  it('but not when the request was refused, or was not about a token', async () => {
    const tokens = await web4.tokens(alice, OFFLINE);
    const count = () =>
      world.rows("SELECT count(*) FROM event WHERE aggregate_type IN ('access_token', 'token_family')");
    const before = await count();
    const web2 = new RelyingParty(world, await world.cast.web2);
    for (const token of [tokens.access_token, tokens.refresh_token])
      expectToken400(await web2.revoke(token), 'invalid_grant');
    expect((await web4.revoke('x')).status).toBe(200);
    expectToken400(await web2.refresh(tokens.refresh_token), 'invalid_grant');
    expect(await count()).toEqual(before);
  });
});

describe('The log line of a reuse says whose tokens it has ended', () => {
  it('when a code is reused', async () => {
    const code = await web4.code(alice);
    const familyId = familyOf(tokensOf(await web4.redeem(code)).access_token);
    expect(await lineDuring('oidc.code_used', () => web4.redeem(code))).toMatchObject({
      clientId: 'web4',
      userId: alice.id,
      familyId,
      address: '127.0.0.1',
    });
  });

  it('when a refresh token is reused', async () => {
    const tokens = await web4.tokens(alice, OFFLINE);
    await web4.refresh(tokens.refresh_token);
    const line = await lineDuring('oidc.refresh_token_reused', () => web4.refresh(tokens.refresh_token));
    expect(line).toMatchObject({
      clientId: 'web4',
      userId: alice.id,
      familyId: familyOf(tokens.access_token),
      address: '127.0.0.1',
    });
  });

  it('and so does the log line of a revocation', async () => {
    const tokens = await web4.tokens(alice, OFFLINE);
    expect(await lineDuring('token revoked', () => web4.revoke(tokens.access_token))).toMatchObject({
      clientId: 'web4',
      userId: alice.id,
      address: '127.0.0.1',
    });
    const line = await lineDuring('token revoked', () => web4.revoke(tokens.refresh_token));
    expect(line).toMatchObject({ clientId: 'web4', userId: alice.id, familyId: familyOf(tokens.access_token) });
  });
});

describe('An ended family stays ended', () => {
  it('until its longest-lived token has expired, although lifetimes were lowered meanwhile', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP, accessTokenSeconds: 60 * 86_400 });
    const rp = new RelyingParty(world, client);
    const person = await world.add.person({ orgId: alice.orgId });
    const tokens = await rp.tokens(person, OFFLINE);
    await world.transaction((tx) =>
      world.get(ClientService).changeSettings(tx, client.id, { accessTokenSeconds: 60 }, EDITOR),
    );
    await rp.revoke(tokens.refresh_token);
    for (const days of [1, 2, 30, 26]) {
      world.clock.advance(`${days}d`);
      await world.get(HousekeepingService).run();
      expectInactive(await rp.introspect(tokens.access_token));
      expectDead(await rp.userinfo(tokens.access_token));
    }
  });

  it('and its row is deleted after that', async () => {
    const rows = () => world.rows('SELECT id FROM token_end');
    expect((await rows()).length).toBeGreaterThan(0);
    world.clock.advance('92d');
    await world.get(HousekeepingService).run();
    expect(await rows()).toEqual([]);
  });

  it.each([0, -1, 90 * 86_400 + 1])('so no client may have tokens that live %i seconds', async (accessTokenSeconds) => {
    const made = world.add.client({ projectId: await world.cast.projectP, accessTokenSeconds });
    await expect(made).rejects.toMatchObject({
      kind: 'InvalidArgument',
      violations: [{ field: 'accessTokenLifetime' }],
    });
  });
});
