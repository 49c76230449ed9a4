import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Transaction } from '../../src/foundation/database/database.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { UserSessions } from '../../src/session/user-sessions.js';
import { FactorService } from '../../src/user/factor/factor.service.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { UserService } from '../../src/user/user.service.js';
import { GrpcClient, methodsOf } from '../grpc/grpc-clients.js';
import { App, afterPassword, setPolicy, withApp } from '../login/factor-turns.js';
import { answer, ORIGIN, optionsOf, withKey } from '../login/passkey-turns.js';
import { begin, pageOf, untilSomebodyWaits } from '../login/turns.js';
import { AdminApi } from '../support/admin-api.js';
import { Authenticator, FLAGS } from '../support/authenticator.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const ME = '/auth/v1/users/me';
const SYSTEM = 'openid urn:service:iam:org:project:id:service:aud';
const PATHS = { passkey: `${ME}/passwordless`, u2f: `${ME}/auth_factors/u2f` } as const;
type Kind = keyof typeof PATHS;
const KINDS: readonly Kind[] = ['passkey', 'u2f'];

let world: World;
let web1: RelyingParty;
let person: TestPerson;
let api: AdminApi;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN, loginLimits: 'on' });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1h');
  web1 = new RelyingParty(world, await world.cast.console);
  const { id: orgId } = await world.add.org();
  await setPolicy(world, orgId, { secondFactors: ['otp', 'otp_email', 'u2f'], mfaInitSkipLifetimeSeconds: 0 });
  await world.changesToArrive();
  person = await world.add.person({ orgId });
  api = await apiOf(person);
});

/** A token of a new sign-in, in a browser of its own. */
async function apiOf(of: TestPerson): Promise<AdminApi> {
  const { access_token: token } = await web1.elsewhere().tokens(of, { scope: SYSTEM });
  return new AdminApi(world.origin, token);
}

/** What the authenticator is asked for, as the sign-in pages have it. */
async function optionsFor(kind: Kind, caller = api): Promise<string> {
  const { key } = await caller.call<{ key: { publicKey: string } }>('POST', PATHS[kind]);
  return JSON.stringify(JSON.parse(Buffer.from(key.publicKey, 'base64').toString()).publicKey);
}

const toVerification = (credential: string, tokenName = '') => ({
  verification: { publicKeyCredential: Buffer.from(credential).toString('base64'), tokenName },
});
const verify = (kind: Kind, credential: string, tokenName?: string, caller = api): Promise<string> =>
  caller.verdict('POST', `${PATHS[kind]}/_verify`, toVerification(credential, tokenName));

/** Adds a key, whose name is typed or not. */
async function added(kind: Kind, tokenName?: string, device = new Authenticator(ORIGIN)): Promise<Authenticator> {
  expect(await verify(kind, device.create(await optionsFor(kind)), tokenName)).toBe('200');
  return device;
}

const keysOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.get(PasskeyService).list(id)).map(({ kind, name }) => `${kind} ${name}`);
const factorsOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.get(FactorService).listSole(id)).map(({ kind, state }) => `${kind} ${state}`);
const eventsOf = async ({ id }: TestPerson): Promise<string[]> =>
  (
    await world.rows<{ type: string }>(
      'SELECT type FROM event WHERE aggregate_id = $1 AND editor_id = $1 ORDER BY position',
      [id],
    )
  ).map(({ type }) => type);

describe('A passkey of the caller', () => {
  it('is made with the options of the sign-in pages, stored, told by mail, and signs in', async () => {
    const options = await optionsFor('passkey');
    expect(JSON.parse(options)).toMatchObject({
      rp: { id: 'id.test' },
      user: { id: Buffer.from(person.id).toString('base64url'), name: person.loginName },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    const device = new Authenticator(ORIGIN);
    expect(await verify('passkey', device.create(options), 'My laptop')).toBe('200');
    expect([await keysOf(person), await factorsOf(person)]).toEqual([
      ['passkey My laptop'],
      ['recovery_codes pending'],
    ]);
    expect(await eventsOf(person)).toContain('user.human.passwordless.token.added');
    expect((await mailsTo(world, person.email)).map(({ text }) => text)).toEqual([
      expect.stringContaining('My laptop'),
    ]);
    // No page asks for another name; recovery codes come first.
    const codes = pageOf(await answer(web1, await begin(web1), device));
    expect(codes.heading).toBe('Keep your recovery codes');
    for (const code of codes.all('.codes code')) world.plant(code.text);
    expect(web1.toAnswer(await web1.browser.submit(codes, { decision: 'kept' })).code).toBeDefined();
  });

  it('is named after what keeps it if no name is sent, and is needed for the next change', async () => {
    await added('passkey');
    const { result } = await api.call('POST', `${ME}/passwordless/_search`);
    expect(result).toEqual([expect.objectContaining({ name: 'Passkey' })]);
    const byPassword = await apiOf(person);
    expect(await byPassword.verdict('POST', PATHS.passkey)).toBe('401 token.second_factor_missing');
  });

  it('is added over gRPC as well', async () => {
    const { access_token: token } = await web1.tokens(person, { scope: SYSTEM });
    const methods = methodsOf('service.auth.v1.AuthService');
    const grpc = new GrpcClient(world.origin);
    try {
      const call = (name: string, request: object) =>
        grpc.call(methods[name]!, request, { authorization: `Bearer ${token}` });
      const { key } = (await call('AddMyPasswordless', {})).answer as { key?: { publicKey: Buffer } };
      const options = JSON.stringify(JSON.parse(Buffer.from(key!.publicKey).toString()).publicKey);
      const publicKeyCredential = Buffer.from(new Authenticator(ORIGIN).create(options));
      const request = { verification: { publicKeyCredential, tokenName: 'By gRPC' } };
      expect(await call('VerifyMyPasswordless', request)).toMatchObject({ code: 0 });
    } finally {
      grpc.close();
    }
    expect(await keysOf(person)).toEqual(['passkey By gRPC']);
  });

  it('needs its user verified, unlike a security key [PKY-005]', async () => {
    const unverified = new Authenticator(ORIGIN, FLAGS.present);
    expect(await verify('passkey', unverified.create(await optionsFor('passkey')))).toBe(
      '400 passkey.user_not_verified',
    );
    expect(await verify('u2f', unverified.create(await optionsFor('u2f')))).toBe('200');
  });
});

describe('A security key of the caller', () => {
  it('is a second factor from the next sign-in on', async () => {
    const device = await added('u2f', 'Blue key');
    expect(await keysOf(person)).toEqual(['u2f Blue key']);
    const asked = await afterPassword(web1, person);
    expect(asked.heading).toBe('Use your security key');
    const codes = pageOf(await web1.browser.submit(asked, { credential: device.get(optionsOf(asked)) }));
    expect(codes.heading).toBe('Keep your recovery codes');
  });
});

describe('The answer of an authenticator over the API', () => {
  it.each(KINDS)('is used once, also by ten requests at the same time: %s [ACC-017, PKY-001]', async (kind) => {
    const credential = new Authenticator(ORIGIN).create(await optionsFor(kind));
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => verify(kind, credential)));
    expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(1);
    expect((await keysOf(person)).length).toBe(1);
    for (const verdict of verdicts)
      expect(['200', '400 passkey.challenge_spent', '401 token.second_factor_missing']).toContain(verdict);
  });

  it('is used once, one after the other [PKY-001]', async () => {
    // Here a passkey is no second factor, so that the same token may add another one.
    await setPolicy(world, person.orgId, { secondFactors: [], multiFactors: [] });
    await world.changesToArrive();
    const credential = new Authenticator(ORIGIN).create(await optionsFor('passkey'));
    expect([await verify('passkey', credential), await verify('passkey', credential)]).toEqual([
      '200',
      '400 passkey.challenge_spent',
    ]);
  });

  it('is refused for a challenge of another user, purpose or sign-in, and for one that was changed [ACC-017, PKY-002]', async () => {
    const other = await apiOf(await world.add.person({ orgId: person.orgId }));
    const elsewhere = await apiOf(person);
    const device = new Authenticator(ORIGIN);
    const foreign = [
      await optionsFor('passkey', other),
      await optionsFor('u2f'),
      await optionsFor('passkey', elsewhere),
      (await optionsFor('passkey')).replace(
        /"challenge":"(.)/,
        (_, first: string) => `"challenge":"${first === 'A' ? 'B' : 'A'}`,
      ),
    ];
    for (const options of foreign) expect(await verify('passkey', device.create(options))).toBe('400 passkey.refused');
    expect(await keysOf(person)).toEqual([]);
  });

  it('comes within five minutes [PKY-002]', async () => {
    const credential = new Authenticator(ORIGIN).create(await optionsFor('passkey'));
    world.clock.advance('5m');
    expect([await verify('passkey', credential), await keysOf(person)]).toEqual(['400 passkey.challenge_expired', []]);
  });

  it('is refused from a page of another origin, and with the key of another user [ACC-017, PKY-003, PKY-008]', async () => {
    const device = new Authenticator(ORIGIN);
    for (const origin of ['https://app.id.test', 'https://id.test:8443', 'http://id.test', 'android:apk-key-hash:AAAA'])
      expect(await verify('passkey', device.create(await optionsFor('passkey'), { origin }))).toBe(
        '400 passkey.refused',
      );
    await withKey(world, await world.add.person({ orgId: person.orgId }), 'passkey', device);
    expect(await verify('passkey', device.create(await optionsFor('passkey')))).toBe('409 passkey.exists');
    expect(await keysOf(person)).toEqual([]);
  });

  it.each([
    'not JSON',
    '{}',
    '[]',
    '{"__proto__":{"id":"AQ"}}',
    '{"id":"AQ","rawId":"AQ","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}',
    `{"id":"${'A'.repeat(10_000)}"}`,
  ])('is refused as a mistake of the caller: %s [PKY-011]', async (credential) => {
    expect(await verify('passkey', credential)).toBe('400 passkey.refused');
  });

  it('is limited in its length, and the name in its characters [PKY-011, PKY-024]', async () => {
    expect(await verify('passkey', 'A'.repeat(16_385))).toBe('400 verification.publicKeyCredential');
    expect(await verify('passkey', '')).toBe('400 verification.publicKeyCredential');
    expect(await api.verdict('POST', `${PATHS.passkey}/_verify`, {})).toBe('400 verification');
    for (const name of ['x'.repeat(101), 'a\u202Eb', ' '])
      expect(await verify('passkey', new Authenticator(ORIGIN).create(await optionsFor('passkey')), name)).toBe(
        '400 verification.tokenName',
      );
    expect(await keysOf(person)).toEqual([]);
  });

  it('is checked thirty times an hour, stored or refused', async () => {
    for (let n = 0; n < 30; n += 1) expect(await verify('passkey', '{}')).toBe('400 passkey.refused');
    const late = await verify('passkey', new Authenticator(ORIGIN).create(await optionsFor('passkey')));
    expect([late, await keysOf(person)]).toEqual(['429 attempt.too_many', []]);
  });
});

describe('An authenticator app of the caller', () => {
  /** Begins its setup. */
  async function beginApp(caller = api): Promise<App> {
    const { url, secret } = await caller.call<{ url: string; secret: string }>('POST', `${ME}/auth_factors/otp`);
    const uri = new URL(url);
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', secret]);
    world.plant(url);
    return new App(world, secret);
  }
  const confirm = (code: string, caller = api): Promise<string> =>
    caller.verdict('POST', `${ME}/auth_factors/otp/_verify`, { code });

  it('counts once its first code is sent, is told by mail, and is asked for at the next sign-in', async () => {
    const app = await beginApp();
    expect(await factorsOf(person)).toEqual(['otp pending']);
    expect(await confirm(app.wrong())).toBe('400 code');
    expect(await confirm(app.code())).toBe('200');
    expect(await factorsOf(person)).toEqual(['otp ready', 'recovery_codes pending']);
    expect(await eventsOf(person)).toEqual(
      expect.arrayContaining(['user.human.mfa.otp.added', 'user.human.mfa.otp.verified']),
    );
    expect(await mailsTo(world, person.email)).toHaveLength(1);
    expect(await api.verdict('POST', `${ME}/auth_factors/otp`)).toBe('401 token.second_factor_missing');
    world.clock.advance('1m');
    const asked = await afterPassword(web1, person);
    const codes = pageOf(await web1.browser.submit(asked, { code: app.code() }));
    expect(codes.heading).toBe('Keep your recovery codes');
  });

  it('is not finished by another sign-in, or on a page, and a new seed replaces the old one', async () => {
    const old = await beginApp();
    const elsewhere = await apiOf(person);
    expect(await confirm(old.code(), elsewhere)).toBe('400 code');
    // The browser of the token is not led to a page that shows the seed.
    expect((await web1.signIn(person)).code).toBeDefined();
    const app = await beginApp();
    expect(await confirm(old.code())).toBe('400 code');
    expect(await confirm(app.code())).toBe('200');
  });

  it('is limited in its wrong codes [LOG-033]', async () => {
    const app = await beginApp();
    const verdicts: string[] = [];
    for (let n = 0; n < 11; n += 1) verdicts.push(await confirm(app.wrong()));
    expect(verdicts).toEqual([...Array.from({ length: 10 }, () => '400 code'), '429 attempt.too_many']);
    expect(await confirm(app.code())).toBe('429 attempt.too_many');
  });

  it('accepts each code only once', async () => {
    const app = await beginApp();
    const code = app.code();
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => confirm(code)));
    expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(1);
  });
});

describe('Codes by mail of the caller', () => {
  const add = (): Promise<string> => api.verdict('POST', `${ME}/auth_factors/otp_email`);

  it('are a second factor at once, for the verified address, and told by mail', async () => {
    expect(await add()).toBe('200');
    expect(await factorsOf(person)).toEqual(['otp_email ready']);
    expect(await eventsOf(person)).toContain('user.human.otp.email.added');
    expect(await mailsTo(world, person.email)).toHaveLength(1);
    expect(await add()).toBe('401 token.second_factor_missing');
    expect((await afterPassword(web1, person)).find('input[name="code"]')).toBeDefined();
  });

  it('finish a setup that a page has begun, and need a verified address', async () => {
    await world.rows('UPDATE user_account SET email_verified = false WHERE id = $1', [person.id]);
    expect([await add(), await factorsOf(person)]).toEqual(['400 user.email_not_verified', []]);
    await world.rows('UPDATE user_account SET email_verified = true WHERE id = $1', [person.id]);
    await world.rows(
      `INSERT INTO auth_factor (id, user_id, kind, state, session_id, code_hash, created_at)
       VALUES ($1, $1, 'otp_email', 'pending', 's', 'v1.a.b', now())`,
      [person.id],
    );
    expect([await add(), await factorsOf(person)]).toEqual(['200', ['otp_email ready']]);
    expect(await world.rows('SELECT code_hash, session_id FROM auth_factor WHERE id = $1', [person.id])).toEqual([
      { code_hash: null, session_id: null },
    ]);
  });

  it('are set up once, also for a user who has signed in with two factors', async () => {
    const app = await withApp(world, person);
    const party = web1.elsewhere();
    const asked = pageOf(await party.enter(await party.authorize({ scope: SYSTEM }), person));
    const { code = '' } = party.toAnswer(await party.browser.submit(asked, { code: app.code() }));
    const tokens = (await party.redeem(code)).json<{ access_token: string }>();
    api = new AdminApi(world.origin, tokens.access_token);
    expect([await add(), await add()]).toEqual(['200', '409 factor.exists']);
    expect(await api.verdict('POST', `${ME}/auth_factors/otp`)).toBe('409 factor.exists');
  });
});

describe('What the policies close', () => {
  it.each<[string, string, Parameters<typeof setPolicy>[2]]>([
    [PATHS.passkey, '400 passkey.not_allowed', { passwordlessType: 'not_allowed' }],
    [PATHS.u2f, '400 factor.not_allowed', { secondFactors: ['otp', 'otp_email'] }],
    [`${ME}/auth_factors/otp`, '400 factor.not_allowed', { secondFactors: ['u2f', 'otp_email'] }],
    [`${ME}/auth_factors/otp_email`, '400 factor.not_allowed', { secondFactors: ['u2f', 'otp'] }],
  ])('is added by nobody: %s', async (path, refused, policy) => {
    const verification = toVerification('{}');
    await setPolicy(world, person.orgId, policy);
    await world.changesToArrive();
    expect(await api.verdict('POST', path)).toBe(refused);
    if (!path.endsWith('otp_email'))
      expect(await api.verdict('POST', `${path}/_verify`, { ...verification, code: '123456' })).toBe(refused);
    const closed = { manageFactors: false };
    await world.transaction((tx) => world.get(PolicyService).set(tx, 'selfService', person.orgId, closed, EDITOR));
    await world.changesToArrive();
    expect(await api.verdict('POST', path)).toBe('403 user.self_service_closed');
  });
});

describe('A request that adds something and waits while something else comes first [ACC-015]', () => {
  const signOut = async (tx: Transaction): Promise<void> => {
    await world.get(UserService).getOf(tx, person.orgId, person.id);
    await world.get(UserSessions).endAll(tx, person.id, EDITOR);
  };
  const endTokens = async (tx: Transaction): Promise<void> => {
    await world.get(UserService).endTokens(tx, person.id, EDITOR);
  };
  /** The owner sets codes by mail up at the same moment. */
  const addFactor = async (tx: Transaction): Promise<void> => {
    await world.get(UserService).getOf(tx, person.orgId, person.id);
    const owned =
      "INSERT INTO auth_factor (id, user_id, kind, state, created_at) VALUES ($1, $1, 'otp_email', 'ready', now())";
    await tx.entities.query(owned, [person.id]);
  };

  it.each<[string, (tx: Transaction) => Promise<void>, string]>([
    ['the end of the session', signOut, '401 token.dead'],
    ['the end of every token', endTokens, '401 token.dead'],
    ['another factor', addFactor, '401 token.second_factor_missing'],
  ])('adds nothing after %s [ACC-017]', async (_, first, refused) => {
    const app = await api.call<{ secret: string }>('POST', `${ME}/auth_factors/otp`);
    const code = new App(world, app.secret).code();
    const requests: ReadonlyArray<() => Promise<string>> = [
      ...(await Promise.all(
        KINDS.map(async (kind) => {
          const credential = new Authenticator(ORIGIN).create(await optionsFor(kind));
          return () => verify(kind, credential);
        }),
      )),
      () => api.verdict('POST', `${ME}/auth_factors/otp/_verify`, { code }),
      () => api.verdict('POST', `${ME}/auth_factors/otp_email`),
      () => api.verdict('POST', `${ME}/passwordless/_link`),
    ];
    let waiting: Array<Promise<string>> = [];
    await world.transaction(async (tx) => {
      await first(tx);
      waiting = requests.map((request) => request());
      await untilSomebodyWaits(world, '%user_account%', requests.length);
    });
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([refused]));
    expect(await keysOf(person)).toEqual([]);
    expect(await factorsOf(person)).not.toContain('otp ready');
    expect(await world.rows('SELECT 1 FROM user_code WHERE user_id = $1', [person.id])).toEqual([]);
  });
});
