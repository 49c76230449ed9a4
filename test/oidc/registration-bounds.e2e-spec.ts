import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { pageOf } from '../login/turns.js';
import { signAssertion } from '../support/assertion.js';
import { makeKey, type TestKey } from '../support/builders.js';
import { type Reply, send } from '../support/http.js';
import { paths, tokensOf } from '../support/relying-party.js';
import { openSink, type Sink } from '../support/sink.js';
import { expectToken400, expectToken401 } from '../support/verdict.js';
import type { World } from '../support/world.js';
import { CALLBACK, type Registered, RegistrationStage } from './registration-stage.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A code that does not exist: an application that is authenticated is told exactly that. */
const NO_CODE = { grant_type: 'authorization_code', code: 'gtc_none', redirect_uri: CALLBACK };

let stage: RegistrationStage;
let world: World;
let key: TestKey;
let sink: Sink;

beforeAll(async () => {
  stage = await RegistrationStage.set({ REQUEST_URI: 'registered' });
  ({ world } = stage);
  key = { ...(await makeKey('ES256')), kid: 'one' };
  sink = await openSink();
});
afterAll(async () => {
  await world.close();
  await sink.close();
});

async function assertAs({ client_id: id }: Pick<Registered, 'client_id'>): Promise<Reply> {
  const client_assertion = await signAssertion(world, key, id);
  const body = { ...NO_CODE, client_assertion_type: ASSERTION_TYPE };
  return send(world.origin, { method: 'POST', path: paths.token, body: { ...body, client_assertion } });
}

const withSecret = async (answer: Registered): Promise<Reply> => stage.rpOf(answer).token(NO_CODE);

describe('Addresses in a registration', () => {
  /** Where a name of the internet leads: elsewhere at registration, and to this machine when it is used. */
  const rebinding = (): { readonly asked: string[]; turn: () => void } => {
    const asked: string[] = [];
    let address = '93.184.216.34';
    world.get(NameResolver).addressesOf = async (name) => {
      asked.push(name);
      return [{ address, family: 4 }];
    };
    return { asked, turn: () => (address = '127.0.0.1') };
  };
  const port = (): string => new URL(sink.url).port;
  const hosts: ReadonlyArray<[string, () => string]> = [
    ['this machine', () => `127.0.0.1:${port()}`],
    ['the metadata of a cloud', () => '169.254.169.254'],
    ['a private network, as an IPv4 address in IPv6', () => '[::ffff:10.0.0.1]'],
    ['this machine, in the same way', () => `[::ffff:127.0.0.1]:${port()}`],
    ['a name that rebinds', () => `rebinding.test:${port()}`],
  ];

  it.each(hosts)(
    'of keys at %s are not called, neither then nor for an assertion, which is refused [REG-006]',
    async (_, host) => {
      const { asked, turn } = rebinding();
      const answer = await stage.registered({
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: `https://${host()}/jwks`,
      });
      expect([sink.connections, asked]).toEqual([0, []]);
      turn();
      const before = world.logText().length;
      expectToken401(await assertAs(answer), false);
      expect(world.logText().slice(before)).toContain('outbound.address_refused');
      expect(sink.connections).toBe(0);
    },
  );

  it.each(hosts)(
    'of requests at %s are not called, neither then nor for a sign-in, which is refused [REG-006]',
    async (_, host) => {
      const { asked, turn } = rebinding();
      const uri = `https://${host()}/request.jwt`;
      const answer = await stage.registered({
        request_uris: [uri],
        jwks: { keys: [{ ...key.publicJwk, kid: key.kid }] },
      });
      expect([sink.connections, asked]).toEqual([0, []]);
      turn();
      const query = new URLSearchParams({ client_id: answer.client_id, request_uri: uri });
      const { page } = await stage.rpOf(answer).browser.get(`${paths.authorize}?${query}`);
      expect([page?.status, page?.text]).toEqual([400, expect.stringContaining('invalid_request_uri')]);
      expect(sink.connections).toBe(0);
    },
  );

  it.each(hosts.slice(-1))('of a logo at %s are neither called nor shown [REG-006]', async (_, host) => {
    const { asked, turn } = rebinding();
    const logo = `https://${host()}/logo.png`;
    const answer = await stage.registered({ logo_uri: logo });
    turn();
    const rp = stage.rpOf(answer);
    const page = pageOf(await rp.enter(await rp.authorize(), await world.cast.alice));
    expect(page.text).not.toContain(logo);
    expect([sink.connections, asked]).toEqual([0, []]);
  });

  it.each(hosts)('of a sector at %s are refused without a call [REG-006]', async (_, host) => {
    const { asked } = rebinding();
    const reply = await stage.register(await stage.newToken(), { sector_identifier_uri: `https://${host()}/` });
    expect([reply.status, reply.json()['error']]).toEqual([400, 'invalid_client_metadata']);
    expect([sink.connections, asked]).toEqual([0, []]);
  });
});

describe('A registration', () => {
  it('has nothing that only an administrator may give, whatever it asks for [REG-004]', async () => {
    const { client_id: id } = await stage.registered({
      accessTokenRoleAssertion: true,
      access_token_role_assertion: true,
      idTokenRoleAssertion: true,
      id_token_role_assertion: true,
      idTokenUserinfoAssertion: true,
      id_token_userinfo_assertion: true,
      consentPage: false,
      consent_page: false,
      devMode: true,
      dev_mode: true,
      origin: 'administrator',
      grant_types: ['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    });
    expect(
      await world.rows(
        `SELECT access_token_role_assertion, id_token_role_assertion, id_token_userinfo_assertion, consent_page,
           dev_mode, grant_types, origin
         FROM client WHERE client_id = $1`,
        [id],
      ),
    ).toEqual([
      {
        access_token_role_assertion: false,
        id_token_role_assertion: false,
        id_token_userinfo_assertion: false,
        consent_page: true,
        dev_mode: false,
        grant_types: ['authorization_code'],
        origin: 'registered',
      },
    ]);
  });

  it('with the name of this service shows its host, and that nobody has verified it [REG-011]', async () => {
    const rp = stage.rpOf(await stage.registered({ client_name: 'Gatehouse' }));
    const page = pageOf(await rp.enter(await rp.authorize(), await world.cast.alice));
    for (const shown of ['calls itself Gatehouse. This has not been verified.', 'Returns torp.test'])
      expect(page.text).toContain(shown);
  });
});

describe('A token for one registration', () => {
  it('is unknown to another instance [REG-002]', async () => {
    const other = await RegistrationStage.set();
    const reply = await stage.register(await other.newToken());
    expect([reply.status, reply.json()['error']]).toEqual([401, 'invalid_token']);
    await other.world.close();
  });
});

describe('A changed registration', () => {
  const put = async (answer: Registered, metadata: object): Promise<Registered> => {
    const reply = await stage.manage('PUT', answer, {
      client_id: answer.client_id,
      redirect_uris: [CALLBACK],
      ...metadata,
    });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    return reply.json<Registered>();
  };

  it('authenticates by its secret alone while it has one, also with keys beside it [REG-005]', async () => {
    const answer = await stage.registered();
    const jwks = { keys: [{ ...key.publicJwk, kid: key.kid }] };
    await put(answer, { jwks });
    expectToken401(await assertAs(answer), false);
    expectToken400(await withSecret(answer), 'invalid_grant');
  });

  it('loses the old secret to keys, and gets another one when it returns; what was issued stays [REG-005]', async () => {
    const answer = await stage.registered();
    const rp = stage.rpOf(answer);
    const page = pageOf(await rp.enter(await rp.authorize(), await world.cast.alice));
    const asked = page.find('button[name="factor"]') ? pageOf(await rp.browser.submit(page, { factor: 'skip' })) : page;
    const { code } = rp.toAnswer(await rp.browser.submit(asked, { decision: 'continue' }));
    const { access_token: token } = tokensOf(await rp.redeem(code!));
    const jwks = { keys: [{ ...key.publicJwk, kid: key.kid }] };
    expect(await put(answer, { token_endpoint_auth_method: 'private_key_jwt', jwks })).not.toHaveProperty(
      'client_secret',
    );
    expectToken401(await withSecret(answer), true);
    expectToken400(await assertAs(answer), 'invalid_grant');
    const back = await put(answer, {});
    expect(back.client_secret).not.toBe(answer.client_secret);
    expectToken401(await withSecret(answer), true);
    expectToken401(await assertAs(answer), false);
    expectToken400(await withSecret(back), 'invalid_grant');
    expect((await rp.userinfo(token)).status).toBe(200);
  });
});

describe('Texts that nothing can store [REG-013]', () => {
  const json = (metadata: object): string => JSON.stringify({ redirect_uris: [CALLBACK], ...metadata });
  const sent = async (method: 'POST' | 'PUT', path: string, token: string, body: string): Promise<Reply> =>
    send(world.origin, {
      method,
      path: `/oauth/v2/register${path}`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
    });
  const keys = (member: object): object => ({
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...key.publicJwk, ...member }] },
  });

  it.each<[string, () => object]>([
    ['in a name', () => ({ client_name: '\ud800' })],
    ['in a member of a key', () => keys({ kid: '\ud800' })],
    ['as NUL', () => keys({ kid: 'a\0b' })],
    ['as the name of a member of a key', () => keys({ '\ud800': 1 })],
    [
      'beside the keys',
      () => ({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.publicJwk], x: '\udfff' } }),
    ],
    ['in a member that is not known', () => ({ unknown: { nested: ['\ud800'] } })],
  ])('are refused %s, at the registration and when it is replaced', async (_, metadata) => {
    const answer = await stage.registered({});
    const replies = [
      await sent('POST', '', await stage.newToken(), json(metadata())),
      await sent(
        'PUT',
        `/${answer.client_id}`,
        answer.registration_access_token,
        json({ client_id: answer.client_id, ...metadata() }),
      ),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 400]);
    for (const reply of replies) expect(reply.json()).toMatchObject({ error: 'invalid_client_metadata' });
  });

  it('do not include a byte order mark before the JSON: RFC 8259 §8.1', async () => {
    expect((await sent('POST', '', await stage.newToken(), `\ufeff${json({})}`)).status).toBe(201);
  });
});
