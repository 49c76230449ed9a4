import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Tallies } from '../../src/foundation/metrics/tallies.js';
import { GRANTS, type Grant } from '../../src/oidc/token/grant/grant.js';
import { paths as pagePaths } from '../../src/org/instance/paths.js';
import { startBlock } from '../../src/process/setup/start-block.js';
import { ClientService } from '../../src/project/client/client.service.js';
import {
  type ExtGrant,
  type GrantQuestion,
  grantMistakes,
  PRODUCT_GRANT_URIS,
} from '../../src/project/client/ext-grant.js';
import { ProjectService } from '../../src/project/project.service.js';
import { UserService } from '../../src/user/user.service.js';
import { AccountHolder } from '../account/account-turns.js';
import { pageOf, setState } from '../login/turns.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { type Parameters, type Reply, sendUnchecked } from '../support/http.js';
import { paths, type RelyingParty, tokensOf } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { BADGE, BadgeGrant, BadgeStage, badge, forgetBadges, KIOSK, outcomeOf, PIN } from './badge-stage.js';

let stage: BadgeStage;
let world: World;
let alice: TestPerson;
let projectId: string;
let party: RelyingParty;

beforeAll(async () => {
  stage = await BadgeStage.set();
  ({ world, alice, projectId, party } = stage);
});
beforeEach(() => world.clock.advance('16m'));
afterEach(forgetBadges);
afterAll(() => world.close());

/** With an answer that no caller should get. */
async function failing(): Promise<Reply> {
  const { headers, parameters } = await party.credentials();
  return sendUnchecked(world.origin, {
    method: 'POST',
    path: paths.token,
    headers,
    body: { ...parameters, ...stage.form() },
  });
}

async function isActive(token: string): Promise<boolean> {
  return (await party.introspect(token)).json<{ active: boolean }>().active;
}

describe('A grant of an extension', () => {
  it('gives tokens of the user whom it names, with its proofs, as any sign-in does', async () => {
    const tokens = await stage.granted();
    const idToken = await party.verify(tokens.id_token);
    expect(idToken).toMatchObject({ sub: alice.id, amr: ['hwk', 'pin'], auth_time: world.now() });
    expect(idToken).not.toHaveProperty('sid');
    expect(tokens.refresh_token).toBeUndefined();
    expect((await party.userinfo(tokens.access_token)).json()).toMatchObject({ sub: alice.id });
    expect((await party.introspect(tokens.access_token)).json()).toMatchObject({
      active: true,
      sub: alice.id,
      client_id: party.client.clientId,
    });
  });

  it('gives no ID token without openid', async () => {
    expect(await stage.granted({ scope: 'profile' })).not.toHaveProperty('id_token');
  });

  it('sees its declared parameters, the application, scopes and resources, and no credential', async () => {
    await stage.ask({ door: 'north', other: 'x', nonce: 'y', scope: 'openid unknown-scope' });
    expect(BadgeGrant.asked).toEqual([
      {
        parameters: { badge: alice.id, pin: PIN, door: 'north' },
        client: { id: party.client.clientId, projectId, orgId: expect.any(String) },
        scopes: ['openid'],
        resources: [],
        now: world.clock.now(),
      },
    ]);
    expect(JSON.stringify(BadgeGrant.asked)).not.toContain(party.client.secret);
  });

  it.each<[string, Parameters, string]>([
    ['lacks a parameter', { pin: undefined }, '400 invalid_request'],
    ['repeats a parameter', { badge: ['a', 'b'] }, '400 invalid_request'],
    ['repeats an optional parameter', { door: ['a', 'b'] }, '400 invalid_request'],
    ['has one that is too long', { badge: 'x'.repeat(51) }, '400 invalid_request'],
    ['names an unknown resource', { resource: 'urn:example:nowhere' }, '400 invalid_target'],
    ['has no known scope', { scope: 'nothing' }, '400 invalid_scope'],
    ['requires an unknown organization', { scope: 'openid urn:service:iam:org:id:nobody' }, '400 invalid_scope'],
    [
      'asks for the administrative API alone',
      { scope: 'urn:service:iam:org:project:id:service:aud' },
      '400 invalid_scope',
    ],
  ])('is not asked by a request that %s', async (_, over, outcome) => {
    expect(outcomeOf(await stage.ask(over))).toBe(outcome);
    expect(BadgeGrant.asked).toEqual([]);
  });

  it('refuses with an error of RFC 6749 §5.2 and its own description', async () => {
    const reply = await stage.ask({ pin: '0000' });
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'The PIN is wrong.' },
    ]);
    for (const error of ['invalid_request', 'invalid_scope', 'unauthorized_client']) {
      BadgeGrant.does = () => ({ error });
      expect((await stage.ask()).json()).toEqual({ error, error_description: 'The grant is not valid.' });
    }
  });

  it('is in discovery, in the metrics, in the journal, and in the activity of the user', async () => {
    const user = await world.add.person({ orgId: alice.orgId });
    await stage.granted({ badge: user.id });
    const { grant_types_supported: grants } = (await world.discovery()) as Record<string, string[]>;
    expect(grants).toEqual(expect.arrayContaining([BADGE, KIOSK]));
    expect(world.get(Tallies).of('tokens').get(BADGE)).toBeGreaterThan(0);
    const events = await world.rows(
      `SELECT payload, editor_id FROM event WHERE type = 'user.signed_in' AND aggregate_id = $1`,
      [user.id],
    );
    expect(events).toEqual([
      { payload: { clientId: party.client.clientId, grantType: BADGE, amr: ['hwk', 'pin'] }, editor_id: user.id },
    ]);
    const page = await new AccountHolder(world, user).open(pagePaths.accountActivity);
    const deeds = page.all('.account-items li').map(({ text }) => text);
    expect(deeds).toContainEqual(expect.stringMatching(/^Signed in.*client-\d+/));
  });
});

describe('Tokens of a grant of an extension', () => {
  it('end with the user, the application, and their revocation', async () => {
    const ends: Array<(user: TestPerson, rp: RelyingParty, token: string) => Promise<unknown>> = [
      (user) => setState(world, user, 'inactive'),
      (user) => world.transaction((tx) => world.get(UserService).endTokens(tx, user.id, EDITOR)),
      (_, rp) => world.transaction((tx) => world.get(ClientService).changeState(tx, rp.client.id, 'inactive', EDITOR)),
      (_, rp, token) => rp.revoke(token),
    ];
    for (const end of ends) {
      const user = await world.add.person({ orgId: alice.orgId });
      const rp = await stage.partyWith();
      const { access_token: token } = tokensOf(await stage.ask({ badge: user.id }, rp));
      expect(await isActive(token)).toBe(true);
      await end(user, rp, token);
      expect(await isActive(token)).toBe(false);
    }
  });

  it('include a refresh token where offline_access was requested, the application may have one, and the grant says so', async () => {
    const scope = 'openid offline_access';
    const tokens = await stage.granted({ scope });
    world.clock.advance('1h');
    const refreshed = tokensOf(await party.refresh(tokens.refresh_token));
    expect(decodeJwt(refreshed.id_token)).toMatchObject({
      sub: alice.id,
      auth_time: world.now() - 3_600,
      amr: ['hwk', 'pin'],
    });
    expect((await stage.granted({ scope, grant_type: KIOSK })).refresh_token).toBeUndefined();
    const without = await stage.partyWith({ grantTypes: ['authorization_code'] });
    expect((await stage.granted({ scope }, without)).refresh_token).toBeUndefined();
  });

  it('are among the applications of the account, where the user removes the access', async () => {
    const user = await world.add.person({ orgId: alice.orgId });
    const rp = await stage.partyWith();
    const tokens = tokensOf(await stage.ask({ badge: user.id, scope: 'openid offline_access' }, rp));
    const holder = new AccountHolder(world, user);
    const page = await holder.open(pagePaths.accountApplications);
    expect(page.text).toContain(
      (await world.rows<{ name: string }>('SELECT name FROM client WHERE id = $1', [rp.client.id]))[0]!.name,
    );
    const question = pageOf(await holder.browser.submit(page, { application: rp.client.clientId }));
    expect(await isActive(tokens.access_token)).toBe(true);
    await holder.browser.submit(question, { confirmed: 'true' });
    expect(await isActive(tokens.access_token)).toBe(false);
    expect(outcomeOf(await rp.refresh(tokens.refresh_token))).toBe('400 invalid_grant');
  });
});

describe('Guessing by a grant of an extension', () => {
  it('is limited for each value that it is about, whichever application asks, and forgotten after a success', async () => {
    const other = await stage.partyWith();
    const user = await world.add.person({ orgId: alice.orgId });
    for (let attempt = 0; attempt < 9; attempt += 1)
      expect(outcomeOf(await stage.ask({ badge: user.id, pin: 'x' }, attempt % 2 ? party : other))).toBe(
        '400 invalid_grant',
      );
    expect(outcomeOf(await stage.ask({ badge: user.id }))).toBe('ok');
    for (let attempt = 0; attempt < 10; attempt += 1) await stage.ask({ badge: user.id, pin: 'x' }, other);
    BadgeGrant.asked = [];
    const reply = await stage.ask({ badge: user.id });
    expect([outcomeOf(reply), Number(reply.header('retry-after')) > 0]).toEqual(['429 temporarily_unavailable', true]);
    expect(BadgeGrant.asked).toEqual([]);
    world.clock.advance('16m');
    expect(outcomeOf(await stage.ask({ badge: user.id }))).toBe('ok');
  });

  it('is limited for a value however it is written', async () => {
    const user = await world.add.person({ orgId: alice.orgId });
    const ways = [user.id, user.id.toUpperCase(), ` ${user.id}`, `${user.id} `];
    for (let attempt = 0; attempt < 10; attempt += 1) await stage.ask({ badge: ways[attempt % ways.length], pin: 'x' });
    expect(outcomeOf(await stage.ask({ badge: user.id }))).toBe('429 temporarily_unavailable');
  });

  it('is limited for each application and address', async () => {
    const rp = await stage.partyWith();
    for (let attempt = 0; attempt < 100; attempt += 1) await stage.ask({ badge: `b${attempt}`, pin: 'x' }, rp);
    expect(outcomeOf(await stage.ask({}, rp))).toBe('429 temporarily_unavailable');
    expect(outcomeOf(await stage.ask())).toBe('ok');
  });
});

describe('A grant that', () => {
  it.each<[string, (question: GrantQuestion) => unknown]>([
    ['throws', () => Promise.reject(new Error('no reader'))],
    ['hangs', () => new Promise(() => undefined)],
    ['answers nothing', () => undefined],
    ['answers a text', () => 'alice'],
    ['answers a user and a refusal', () => ({ userId: 'x', error: 'invalid_grant' })],
    ['answers an error of its own', () => ({ error: 'server_error' })],
    ['describes it with quotes', () => ({ error: 'invalid_grant', description: 'a "badge"' })],
    ['answers a number for a user', () => ({ userId: 7 })],
    ['makes proofs up', () => ({ userId: alice.id, amr: ['magic'] })],
    ['has a proof of tomorrow', () => ({ userId: alice.id, authTime: new Date(world.clock.now().getTime() + 1) })],
    ['has a proof from before there were clocks', () => ({ userId: alice.id, authTime: new Date(-8.64e15) })],
    ['has a list of proofs with gaps', () => ({ userId: alice.id, amr: new Array(2) })],
    ['has a proof of no time', () => ({ userId: alice.id, authTime: new Date(Number.NaN) })],
  ])('%s gives no tokens; the log names it, and nobody is locked out', async (_, does) => {
    const lines = world.logText().length;
    BadgeGrant.does = does;
    for (let attempt = 0; attempt < (_ === 'hangs' ? 1 : 11); attempt += 1) {
      const reply = await failing();
      expect([outcomeOf(reply), reply.header('retry-after')]).toEqual(['503 temporarily_unavailable', '5']);
    }
    const line = world
      .logText()
      .slice(lines)
      .split('\n')
      .find((text) => text.includes('an extension failed'));
    expect(JSON.parse(line!)).toMatchObject({ extension: 'badge', seam: 'GRANT', part: 'BadgeGrant' });
    BadgeGrant.does = undefined;
    expect(outcomeOf(await stage.ask())).toBe('ok');
  });

  it.each<[string, (question: GrantQuestion) => unknown]>([
    ['scopes', ({ scopes }) => (scopes as string[]).push('offline_access')],
    ['resources', ({ resources }) => (resources as string[]).push('urn:example:safe')],
  ])('changes the %s that it is asked for changes nothing', async (_, change) => {
    await world.transaction((tx) =>
      world.get(ProjectService).setResources(tx, projectId, ['urn:example:safe'], EDITOR),
    );
    BadgeGrant.does = (question) => {
      change(question);
      return { userId: alice.id };
    };
    expect(outcomeOf(await failing())).toBe('503 temporarily_unavailable');
  });
});

describe('An extension with a grant', () => {
  const filled = (over: Partial<ExtGrant>) => ({
    extension: 'badge',
    name: 'BadgeGrant',
    part: Object.assign(new BadgeGrant(), over),
  });

  it('is shown with that seam, once, by the start and by gatehouse extension list', async () => {
    const facts = {
      version: '1',
      databaseLabel: '',
      extensions: [badge],
      firstStart: undefined,
      seconds: 1,
      terminal: true,
    };
    expect(startBlock(world.config, facts)).toContain('  Extensions        badge 1.0.0 (GRANT)\n');
    const cli = new URL('../../dist/cli/main.js', import.meta.url).pathname;
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: world.database.url,
      DEMO_PORT: 'off',
      MASTER_KEY: world.config.secrets.masterKey!.reveal(),
      PUBLIC_URL: world.issuer,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'extension', 'list'], { env });
    expect(stdout).toMatch(/^badge 1\.0\.0 \(GRANT\): no tables; last loaded /m);
  });

  it('knows every grant of the product that is a URI', () => {
    const own = world.application.get<readonly Grant[]>(GRANTS, { strict: false }).map(({ type }) => type);
    expect(own.filter((type) => type.startsWith('urn:ietf:'))).toEqual(expect.arrayContaining([...PRODUCT_GRANT_URIS]));
    expect(own.filter((type) => type.includes(':'))).toHaveLength(PRODUCT_GRANT_URIS.length + 2);
  });

  it.each<[string, Partial<ExtGrant>, string]>([
    ['its name is a word', { name: 'badge' }, 'must be an absolute URI of at most 200 characters'],
    ['its name has a fragment', { name: 'urn:example:a#b' }, 'must be an absolute URI'],
    ['its name is too long', { name: `urn:${'a'.repeat(200)}` }, 'must be an absolute URI'],
    ["its name is the product's", { name: PRODUCT_GRANT_URIS[1]! }, "it is the product's"],
    ['it has no parameter', { parameters: [] }, 'must list its parameters: 1 to 10.'],
    ['a parameter is misnamed', { parameters: [{ name: 'Badge No' }] }, '"Badge No" cannot be a parameter'],
    ['the endpoint reads a parameter', { parameters: [{ name: 'client_secret' }] }, 'the token endpoint reads it'],
    [
      'a parameter is repeated',
      { parameters: [{ name: 'a' }, { name: 'a' }] },
      'declares the parameter a several times',
    ],
    [
      'a parameter may be endless',
      { parameters: [{ name: 'badge', maxLength: 1e6 }] },
      'maxLength that is not from 1 to 4000',
    ],
    [
      'it counts for what it does not read',
      { guessedFor: 'pan' },
      'has guessedFor "pan", which is not among its parameters',
    ],
    ['it may take minutes', { timeoutMs: 60_000 }, 'timeoutMs that is not from 50 to 10000'],
  ])('is refused at start if %s', (_, over, message) => {
    expect(grantMistakes([filled(over)])).toContainEqual(expect.stringContaining(message));
  });

  it('is refused at start if two grants have one name', () => {
    expect(grantMistakes([filled({}), filled({})])).toEqual([
      'Several classes are the grant urn:example:badge. Give each its own name.',
    ]);
  });

  it('is told all of its mistakes at once', () => {
    expect(grantMistakes([filled({ name: 'x', timeoutMs: 1, parameters: [{ name: 'scope' }] })])).toHaveLength(4);
  });
});
