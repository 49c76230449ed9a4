import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FactorService } from '../../../src/user/factor/factor.service.js';
import { PasskeyService } from '../../../src/user/factor/passkey.service.js';
import { App, afterPassword, setPolicy, turnTo } from '../../login/factor-turns.js';
import { ORIGIN } from '../../login/passkey-turns.js';
import { pageOf } from '../../login/turns.js';
import { AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import { Authenticator } from '../../support/authenticator.js';
import type { TestPerson } from '../../support/builders.js';
import { mailsTo } from '../../support/mails.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startWorld, type World } from '../../support/world.js';

const SYSTEM = 'openid urn:service:iam:org:project:id:service:aud';
const DETAILS = { details: expect.objectContaining({ changeDate: expect.any(String) as unknown }) as unknown };
const TWICE = { acr_values: '2', max_age: '600' };

let world: World;
let web1: RelyingParty;
let person: TestPerson;
let api: AdminApi;
let at: string;

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
  at = `/v2/users/${person.id}`;
});

/** A token of a new sign-in, in a browser of its own. */
async function apiOf(of: TestPerson): Promise<AdminApi> {
  const { access_token: token } = await web1.elsewhere().tokens(of, { scope: SYSTEM });
  return new AdminApi(world.origin, token);
}

interface Begun {
  readonly passkeyId: string;
  readonly u2fId: string;
  readonly publicKeyCredentialCreationOptions: { readonly publicKey: object };
}

/** What the authenticator is asked for, and its answer. */
async function made(kind: 'passkeys' | 'u2f', body: Json = {}): Promise<{ id: string; credential: object }> {
  const begun = await api.call<Begun>('POST', `${at}/${kind}`, body);
  const { publicKey } = begun.publicKeyCredentialCreationOptions;
  const credential = JSON.parse(new Authenticator(ORIGIN).create(JSON.stringify(publicKey))) as object;
  return { id: kind === 'passkeys' ? begun.passkeyId : begun.u2fId, credential };
}

const keysOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.get(PasskeyService).list(id)).map((key) => `${key.id} ${key.kind} ${key.name}`);
const factorsOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.get(FactorService).listSole(id)).map(({ kind, state, left }) => `${kind} ${state} ${left}`);

async function withApp(): Promise<App> {
  const { uri, secret } = await api.call<{ uri: string; secret: string }>('POST', `${at}/totp`);
  world.plant(secret);
  expect(uri).toMatch(/^otpauth:\/\/totp\//);
  const app = new App(world, secret);
  expect(await api.verdict('POST', `${at}/totp/verify`, { code: app.wrong() })).toBe('400 code');
  expect(await api.call('POST', `${at}/totp/verify`, { code: app.code() })).toEqual(DETAILS);
  return app;
}

describe('Users of the second generation set up for themselves', () => {
  it('an authenticator app, which they need from then on', async () => {
    const app = await withApp();
    expect(await factorsOf(person)).toEqual(['otp ready 0', 'recovery_codes pending 0']);
    expect((await afterPassword(web1, person)).find('#code')).not.toBeNull();
    expect(await (await apiAgain(app)).verdict('POST', `${at}/totp`)).toBe('409 factor.exists');
  });

  it('codes by e-mail', async () => {
    expect(await api.call('POST', `${at}/otp_email`)).toEqual(DETAILS);
    expect(await factorsOf(person)).toEqual(['otp_email ready 0']);
  });

  it('a passkey, with the id that they were told, by an answer that is used once [PKY-002]', async () => {
    const { id, credential } = await made('passkeys', { authenticator: 'PASSKEY_AUTHENTICATOR_PLATFORM' });
    const body = { publicKeyCredential: credential, passkeyName: 'My laptop' };
    expect(await api.verdict('POST', `${at}/passkeys/${id}1`, body)).toBe('400 passkey.refused');
    expect(await api.verdict('POST', `${at}/u2f/${id}`, { publicKeyCredential: credential })).toBe(
      '400 passkey.refused',
    );
    expect(await keysOf(person)).toEqual([]);
    expect(await api.call('POST', `${at}/passkeys/${id}`, body)).toEqual(DETAILS);
    expect(await keysOf(person)).toEqual([`${id} passkey My laptop`]);
    // From here on, the passkey is needed.
    expect(await api.verdict('POST', `${at}/passkeys/${id}`, body)).toBe('401 token.second_factor_missing');
  });

  it('a security key', async () => {
    const { id, credential } = await made('u2f', { domain: 'id.test' });
    expect(await api.call('POST', `${at}/u2f/${id}`, { publicKeyCredential: credential, tokenName: 'Blue' })).toEqual(
      DETAILS,
    );
    expect(await keysOf(person)).toEqual([`${id} u2f Blue`]);
  });

  it('keys whose place they may name', async () => {
    for (const [authenticator, hints] of [
      ['PASSKEY_AUTHENTICATOR_UNSPECIFIED', undefined],
      ['PASSKEY_AUTHENTICATOR_PLATFORM', ['client-device']],
      ['PASSKEY_AUTHENTICATOR_CROSS_PLATFORM', ['security-key', 'hybrid']],
    ] as const) {
      const begun = await api.call<Begun>('POST', `${at}/passkeys`, { authenticator });
      expect(begun.publicKeyCredentialCreationOptions.publicKey).toMatchObject({ rp: { id: 'id.test' } });
      expect((begun.publicKeyCredentialCreationOptions.publicKey as { hints?: unknown }).hints).toEqual(hints);
    }
  });

  it('nothing that has no meaning here: a code of a link, another domain, no answer, a name of no form', async () => {
    const { id, credential } = await made('passkeys');
    for (const [path, body, verdict] of [
      ['passkeys', { code: { id: '1', code: 'K7QX2MP4TZ9W' } }, '400 code'],
      ['passkeys', { domain: 'evil.example' }, '400 domain'],
      ['u2f', { domain: 'evil.example' }, '400 domain'],
      [`passkeys/${id}`, {}, '400 passkey.refused'],
      [`passkeys/${id}`, { publicKeyCredential: credential, passkeyName: 'x'.repeat(101) }, '400 passkeyName'],
      [`passkeys/${id}`, { publicKeyCredential: { id: 'x'.repeat(17_000) } }, '400 publicKeyCredential'],
    ] as const)
      expect([path, await api.verdict('POST', `${at}/${path}`, body)]).toEqual([path, verdict]);
    expect(await keysOf(person)).toEqual([]);
  });

  it('recovery codes, of which each is good once, and which replace those there were', async () => {
    expect(await api.verdict('POST', `${at}/recovery_codes`)).toBe('400 factor.missing');
    const app = await withApp();
    const again = await apiAgain(app);
    const make = async (body: Json = {}): Promise<string[]> => {
      const { recoveryCodes } = await again.call<{ recoveryCodes: string[] }>('POST', `${at}/recovery_codes`, body);
      for (const code of recoveryCodes) world.plant(code);
      return recoveryCodes;
    };
    const first = await make();
    expect([first.length, await factorsOf(person)]).toEqual([10, ['otp ready 0', 'recovery_codes ready 10']]);
    const second = await make({ count: 3 });
    expect([second.length, await factorsOf(person)]).toEqual([3, ['otp ready 0', 'recovery_codes ready 3']]);
    expect(await again.verdict('POST', `${at}/recovery_codes`, { count: 11 })).toBe('400 count');
    const page = await turnTo(web1, await afterPassword(web1, person), 'Use a recovery code');
    await web1.browser.submit(page, { code: first[0]! });
    expect(await factorsOf(person)).toContain('recovery_codes ready 3');
    const other = await turnTo(web1, await afterPassword(web1, person), 'Use a recovery code');
    await web1.browser.submit(other, { code: second[0]! });
    expect(await factorsOf(person)).toContain('recovery_codes ready 2');
    expect((await mailsTo(world, person.email)).length).toBeGreaterThanOrEqual(3);
  });

  it('at most ten sets of recovery codes per hour', async () => {
    const again = await apiAgain(await withApp());
    const verdicts: string[] = [];
    for (let n = 0; n < 11; n += 1) verdicts.push(await again.verdict('POST', `${at}/recovery_codes`, { count: 1 }));
    expect(verdicts).toEqual([...Array.from({ length: 10 }, () => '200'), '429 attempt.too_many']);
  });

  it('no second factor, if they decline', async () => {
    expect(await api.call('POST', `${at}/mfa_init_skipped`)).toEqual(DETAILS);
    const [row] = await world.rows<{ at: Date }>('SELECT factor_skipped_at AS at FROM user_account WHERE id = $1', [
      person.id,
    ]);
    expect(row?.at).toEqual(world.clock.now());
  });
});

/** A token of the first sign-in with the app, which shows recovery codes. */
async function apiAgain(app: App): Promise<AdminApi> {
  world.clock.advance('1m');
  const client = web1.elsewhere();
  const page = await afterPassword(client, person, { scope: SYSTEM, ...TWICE });
  const codes = pageOf(await client.browser.submit(page, { code: app.code() }));
  for (const code of codes.all('.codes code')) world.plant(code.text);
  const arrival = await client.browser.submit(codes, { decision: 'kept' });
  const { code } = client.toAnswer(arrival);
  const { access_token: token } = (await client.redeem(code!)).json<{ access_token: string }>();
  return new AdminApi(world.origin, token);
}

const everything = (id: string): ReadonlyArray<readonly [path: string, body?: Json]> => [
  [`/v2/users/${id}/totp`],
  [`/v2/users/${id}/totp/verify`, { code: '000000' }],
  [`/v2/users/${id}/otp_email`],
  [`/v2/users/${id}/recovery_codes`],
  [`/v2/users/${id}/mfa_init_skipped`],
  [`/v2/users/${id}/passkeys`],
  [`/v2/users/${id}/passkeys/1`, { publicKeyCredential: {} }],
  [`/v2/users/${id}/u2f`],
  [`/v2/users/${id}/u2f/1`, { publicKeyCredential: {} }],
];
const verdictsOf = (caller: AdminApi, id: string): Promise<string[]> =>
  Promise.all(everything(id).map(([path, body]) => caller.verdict('POST', path, body)));

describe('What signs a person in', () => {
  it('is set up by nobody else, whatever they may do, and whether or not there is such a user [ADM-104]', async () => {
    const org = { id: person.orgId, domain: '' };
    for (const roles of [['ORG_OWNER'], ['IAM_OWNER'], ['IAM_LOGIN_CLIENT'], []])
      for (const id of [person.id, '1'])
        expect([roles, await verdictsOf((await callerWith(world, org, roles)).api, id)]).toEqual([
          roles,
          everything(id).map(() => '403 account.not_own'),
        ]);
    expect([await keysOf(person), await factorsOf(person)]).toEqual([[], []]);
  });

  it('is set up by people, not by service users', async () => {
    const { api: service, service: itself } = await callerWith(world, { id: person.orgId, domain: '' }, ['ORG_OWNER']);
    expect(await verdictsOf(service, itself.id)).toEqual(everything('').map(() => '403 account.of_people'));
  });

  it('changes only with a token of a new sign-in [ACC-011]', async () => {
    world.clock.advance('11m');
    expect(await verdictsOf(api, person.id)).toEqual(everything('').map(() => '401 token.sign_in_too_old'));
    expect([await keysOf(person), await factorsOf(person)]).toEqual([[], []]);
  });

  it('changes only with a second factor, once there is one [ACC-011]', async () => {
    await withApp();
    expect(await verdictsOf(api, person.id)).toEqual(everything('').map(() => '401 token.second_factor_missing'));
  });
});
