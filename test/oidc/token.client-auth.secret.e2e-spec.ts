import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientService } from '../../src/project/client/client.service.js';
import { signAssertion } from '../support/assertion.js';
import { EDITOR } from '../support/builders.js';
import { WEB1_SECRET } from '../support/fixtures.js';
import { type Headers, type Parameters, type Reply, send } from '../support/http.js';
import { basicAuth, paths, RelyingParty } from '../support/relying-party.js';
import { expectInactive, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';
import { ASSERTION_TYPE, expectAuthenticated, post, REFRESH } from './client-authentication.js';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await Promise.all([world.cast.web1, world.cast.nat1]);
});
afterAll(() => world.close());

const basic = (text: string | Buffer): Headers => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });

describe('client_secret_basic (RFC 6749 §2.3.1)', () => {
  it('decodes both halves: a secret of special characters works [TOK-049]', async () => {
    expectAuthenticated(await post(world, basicAuth('web1', WEB1_SECRET)));
    expectAuthenticated(await post(world, basic(`web1:${encodeURIComponent(WEB1_SECRET)}`)));
    expect(
      (await new RelyingParty(world, await world.cast.web1).tokens(await world.cast.alice)).access_token,
    ).toBeDefined();
  });

  it('requires both to be encoded: an unencoded secret is another secret', async () => {
    expectToken401(await post(world, basic(`web1:${WEB1_SECRET}`)));
  });

  it.each<[string, Headers]>([
    ['nothing', { Authorization: 'Basic' }],
    ['a space', { Authorization: 'Basic ' }],
    ['no colon', { Authorization: 'Basic Zm9v' }],
    ['a byte that is no base64', { Authorization: 'Basic d2ViMTp4*' }],
    ['the alphabet for URLs', { Authorization: `Basic ${Buffer.from('web1:???>>>').toString('base64url')}` }],
    ['two tokens', { Authorization: 'Basic d2ViMTp4 d2ViMTp4' }],
    ['a tab', { Authorization: 'Basic\td2ViMTp4' }],
    ['bytes that are no UTF-8', basic(Buffer.from([0x77, 0xff, 0x3a, 0xff]))],
    ['escapes that are none', basic('web1:%zz')],
    ['NUL', basic('web1:%00')],
    ['no client id', basic(':secret')],
    ['padding in the middle', { Authorization: 'Basic d2==ViMTp4' }],
    ['8 kB', basic(`web1:${'x'.repeat(6000)}`)],
  ])('with %s is refused [TOK-050]', async (_, headers) => {
    const reply = await post(world, headers);
    expect([400, 401]).toContain(reply.status);
    expect(['invalid_client', 'invalid_request']).toContain(reply.json()['error']);
  });

  it.each(['basic', 'BASIC', 'bAsIc'])('may be called %s: names of schemes have no case [TOK-051]', async (scheme) => {
    const { Authorization: header } = basicAuth('web1', WEB1_SECRET) as { Authorization: string };
    expectAuthenticated(await post(world, { Authorization: header.replace('Basic', scheme) }));
  });
});

describe('A client without a secret, or one that sends none', () => {
  it('a public client that sends a secret is refused, as is a confidential one that sends none [TOK-054]', async () => {
    expectToken401(await post(world, basicAuth('nat1', 'x')));
    expectToken401(await post(world, basicAuth('nat1', '')));
    expectToken401(await post(world, {}, { ...REFRESH, client_id: 'nat1', client_secret: 'x' }), false);
    expectToken401(await post(world, {}, { ...REFRESH, client_id: 'web1' }), false);
    expectAuthenticated(await post(world, {}, { ...REFRESH, client_id: 'nat1' }));
  });

  it('a client that is registered with a key is not authenticated by a secret, nor by its client id alone', async () => {
    await world.cast.jwt1;
    for (const secret of ['', 'x']) expectToken401(await post(world, basicAuth('jwt1', secret)));
    expectToken401(await post(world, {}, { ...REFRESH, client_id: 'jwt1' }), false);
  });
});

describe('The two ways to send a secret', () => {
  /** As the other method has it. */
  const sendings = (clientId: string, secret: string): Array<readonly [Headers, Parameters]> => [
    [basicAuth(clientId, secret), {}],
    [{}, { client_id: clientId, client_secret: secret }],
  ];
  const ENDPOINTS = [
    [paths.token, REFRESH],
    [paths.introspect, { token: 'x' }],
    [paths.revoke, { token: 'x' }],
  ] as const;

  it.each(['web1', 'post1'] as const)(
    'are both accepted from %s, whichever it is registered for, at all three endpoints',
    async (name) => {
      const { clientId, secret } = await world.cast[name];
      for (const [headers, parameters] of sendings(clientId, secret!)) {
        expectAuthenticated(await post(world, headers, { ...REFRESH, ...parameters }));
        for (const path of [paths.introspect, paths.revoke]) {
          expect(
            (await send(world.origin, { method: 'POST', path, headers, body: { token: 'x', ...parameters } })).status,
          ).toBe(200);
        }
      }
    },
  );

  it('are both accepted from an API application', async () => {
    const api1 = await world.cast.api1;
    for (const [headers, parameters] of sendings(api1.clientId, api1.secret!)) {
      expectInactive(
        await send(world.origin, {
          method: 'POST',
          path: paths.introspect,
          headers,
          body: { token: 'x', ...parameters },
        }),
      );
    }
  });

  it('are one if the application is strict; only a caller with its secret learns which', async () => {
    const projectId = await world.cast.projectP;
    for (const [right, authMethod] of [
      [0, 'client_secret_basic'],
      [1, 'client_secret_post'],
    ] as const) {
      const { clientId, secret } = await world.add.client({ projectId, authMethod, strictAuthMethod: true });
      for (const [path, form] of ENDPOINTS) {
        const ask = ([headers, parameters]: readonly [Headers, Parameters]): Promise<Reply> =>
          send(world.origin, { method: 'POST', path, headers, body: { ...form, ...parameters } });
        expect((await ask(sendings(clientId, secret!)[right]!)).text).not.toContain('invalid_client');
        const refused = await ask(sendings(clientId, secret!)[1 - right]!);
        expectToken401(refused, right === 1);
        expect(refused.json()['error_description']).toBe(
          `The client is registered for ${authMethod}: authenticate with that method.`,
        );
        for (const sent of [
          ...sendings(clientId, `${secret}x`),
          ...sendings('nobody', secret!),
          ...sendings(clientId, ''),
        ]) {
          expect((await ask(sent)).json()).toEqual({
            error: 'invalid_client',
            error_description: 'Client authentication failed.',
          });
        }
      }
    }
    expect(world.logText()).toContain('oidc.client_method_wrong');
  });

  it('tell a client that has authenticated with a key that it is now registered for something else', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP, authMethod: 'private_key_jwt' });
    await world.transaction((tx) =>
      world.get(ClientService).changeSettings(tx, client.id, { authMethod: 'client_secret_basic' }, EDITOR),
    );
    const reply = await post(
      world,
      {},
      {
        ...REFRESH,
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await signAssertion(world, client.key!, client.clientId),
      },
    );
    expectToken401(reply, false);
    expect(reply.json()['error_description']).toBe(
      'The client is registered for client_secret_basic: authenticate with that method.',
    );
  });
});
