import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JWT_BEARER, signAssertion } from '../support/assertion.js';
import { type Arrival, Browser } from '../support/browser.js';
import { type TestPerson, type TestService, uniqueName } from '../support/builders.js';
import { sendBytes, sendUnchecked, toQuery } from '../support/http.js';
import { settingsBeside } from '../support/processes.js';
import { basicAuth, bearer, paths, RelyingParty, type Tokens } from '../support/relying-party.js';
import { ServiceProcess, startProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';

const WRONG_PASSWORD = 'Wrong-Horse-Of-Alice-7';
const NEW_PASSWORD = 'Newly-Chosen-Horse-8';

/** Makes the people and clients; what is looked at is a process of its own, with everything that it writes. */
let world: World;
let service: ServiceProcess;
let alice: TestPerson;
let robot: TestService;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  service = await startProcess({
    ...settingsBeside(world),
    LOGIN_LIMITS: 'off',
    LOG_LEVEL: 'trace',
  });
  alice = await world.cast.alice;
  robot = await world.cast.svc1;
  for (const secret of [WRONG_PASSWORD, NEW_PASSWORD, world.config.secrets.masterKey!.reveal()]) world.plant(secret);
});
afterAll(async () => {
  await service.close();
  await world.close();
});

async function newClient(name: 'web1' | 'web4' | 'post1' | 'jwt1' = 'web1'): Promise<RelyingParty> {
  return new RelyingParty(world, await world.cast[name], new Browser(world, service));
}

const post = (path: string, body: Record<string, string>, headers = {}): Promise<unknown> =>
  sendUnchecked(service.origin, { method: 'POST', path, headers, body });

/** The answer of a form, whose own secrets are noted. */
async function submit(rp: RelyingParty, { page }: Arrival, fields: Record<string, string>): Promise<Arrival> {
  for (const form of page?.forms ?? []) world.plant(form.fields['csrf']);
  return rp.browser.submit(page!, fields);
}

/** A little of everything that secrets take part in, right and wrong. */
const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
  'a sign-in with a wrong and a right password': async () => {
    const rp = await newClient();
    const password = await submit(rp, await rp.authorize({ prompt: 'login' }), { loginName: alice.loginName });
    const again = await submit(rp, password, { password: WRONG_PASSWORD });
    await submit(rp, again, { password: alice.password });
  },
  'a registration': async () => {
    const rp = await newClient();
    const email = `${uniqueName('secret')}@mail.test`;
    await submit(rp, await rp.authorize({ prompt: 'create' }), {
      email,
      firstName: 'A',
      lastName: 'B',
      userName: '',
      password: NEW_PASSWORD,
      passwordRepeat: NEW_PASSWORD,
    });
  },
  'a change of a password': async () => {
    const rp = await newClient();
    const person = await world.add.person({ orgId: alice.orgId, passwordChangeRequired: true });
    const password = await submit(rp, await rp.authorize(), { loginName: person.loginName });
    const change = await submit(rp, password, { password: person.password });
    await submit(rp, change, {
      oldPassword: person.password,
      newPassword: NEW_PASSWORD,
      newPasswordRepeat: NEW_PASSWORD,
    });
  },
  'codes and tokens, used and used again': async () => {
    for (const name of ['web1', 'web4', 'post1', 'jwt1'] as const) {
      const rp = await newClient(name);
      const code = await rp.code(alice, { scope: 'openid profile offline_access' });
      const tokens = (
        await rp.token({ grant_type: 'authorization_code', code, redirect_uri: rp.client.redirectUri }, service)
      ).json<Partial<Tokens>>();
      const { access_token: access = '', refresh_token: refresh = '', id_token: idToken = '' } = tokens;
      await rp.userinfo(access, service);
      await rp.introspect(access, {}, service);
      await rp.token({ grant_type: 'refresh_token', refresh_token: refresh }, service);
      await rp.revoke(refresh, {}, service);
      await rp.token({ grant_type: 'refresh_token', refresh_token: refresh }, service);
      await rp.token({ grant_type: 'authorization_code', code, redirect_uri: rp.client.redirectUri }, service);
      await rp.userinfo(access, service);
      await rp.endSession({ id_token_hint: idToken, state: 'x' });
      await rp.endSession({ id_token_hint: `${idToken}x` });
    }
  },
  'an implicit answer, and one in a form': async () => {
    const rp = new RelyingParty(world, await world.cast.imp1, new Browser(world, service));
    const { access_token: token = '' } = await rp.signIn(alice);
    await rp.authorize({ response_mode: 'form_post' });
    await rp.userinfo(token, service);
  },
  'a service user with secret, assertion and personal access token': async () => {
    await post(
      paths.token,
      { grant_type: 'client_credentials', scope: 'openid' },
      basicAuth(robot.userName, robot.secret),
    );
    await post(paths.token, {
      grant_type: 'client_credentials',
      scope: 'openid',
      client_id: robot.userName,
      client_secret: robot.secret,
    });
    const assertion = await signAssertion(world, robot.key, robot.id);
    await post(paths.token, { grant_type: JWT_BEARER, assertion, scope: 'openid' });
    await post(paths.token, { grant_type: JWT_BEARER, assertion, scope: 'openid' });
    await post(paths.token, { grant_type: JWT_BEARER, assertion: `${assertion}x`, scope: 'openid' });
    await sendUnchecked(service.origin, { path: '/admin/v1/text/default/message/init/en', headers: bearer(robot.pat) });
  },
  'secrets in places where they do not belong': async () => {
    const { secret = '' } = await world.cast.web1;
    const query = toQuery({
      access_token: robot.pat,
      client_secret: secret,
      password: alice.password,
      code: robot.secret,
      id_token_hint: robot.pat,
    });
    for (const path of [
      paths.userinfo,
      paths.token,
      paths.introspect,
      paths.authorize,
      paths.endSession,
      paths.discovery,
      '/ui/login/password',
      '/ui/login/login',
      '/nowhere',
      '/admin/v1/nothing',
      '/docs',
    ]) {
      await sendUnchecked(service.origin, { path: `${path}?${query}` });
      await post(
        `${path}?${query}`,
        { token: robot.pat, client_secret: secret, password: alice.password },
        { Authorization: robot.pat, Cookie: `gatehouse=${robot.pat}` },
      );
    }
    await post(paths.token, { grant_type: 'refresh_token', client_secret: secret }, basicAuth('web1', `${secret}x`));
    await post(paths.token, { grant_type: 'refresh_token' }, { Authorization: `Basic ${secret} ${robot.secret}` });
    await sendUnchecked(service.origin, { path: paths.userinfo, headers: bearer(`${robot.pat}%`) });
    await sendBytes(
      service.origin,
      `POST ${paths.token} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${robot.pat}\r\nBroken\r\n\r\n`,
      500,
    );
    await sendBytes(
      service.origin,
      `POST ${paths.token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n{"client_secret":"${robot.secret}`,
      100,
    );
  },
};

/** Everything at once, whatever comes of it. */
async function doAll(): Promise<void> {
  for (const deed of Object.values(deeds)) await deed().catch(() => undefined);
}

function expectNothingTold(): void {
  const text = service.text();
  const lines = text
    .split('\n')
    .filter((line) => world.secretsIn(line).length > 0 || /\$argon2|"parameters":/.test(line));
  expect(lines).toEqual([]);
}

describe('What a process writes at LOG_LEVEL=trace holds no secret [OPS-009]', () => {
  it.each(Object.entries(deeds))('none of the secrets of %s', async (_, deed) => {
    await deed();
    expectNothingTold();
  });

  it.each([
    'client',
    'user_account',
    'personal_access_token',
    'browser',
    'session',
    'auth_request',
    'token_family',
    'token_end',
    'spent_assertion',
    'event',
  ])('when the table %s fails', async (table) => {
    const before = service.text().length;
    await world.rows(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted fault'; END $$`,
    );
    await world.rows(`CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON "${table}" EXECUTE FUNCTION refuse()`);
    await doAll();
    await world.rows('DROP FUNCTION refuse() CASCADE');
    await world.rows(`ALTER TABLE "${table}" RENAME TO away`);
    await doAll();
    await world.rows(`ALTER TABLE away RENAME TO "${table}"`);
    expect(service.text().slice(before)).toMatch(/planted fault|does not exist/);
    expectNothingTold();
  });

  it('and still works after all that', async () => {
    expect((await (await newClient()).signIn(alice)).code).toBeDefined();
  });
});
