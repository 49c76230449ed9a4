import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendUnchecked } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { callerWith, type IdpApi, idOf, jwt, oidc } from './idp-api.js';
import { expectInvalid, IdpInputStage, STRINGS, urlOf } from './idp-input-stage.js';

let stage: IdpInputStage;
let world: World;
let api: IdpApi;

beforeAll(async () => {
  stage = await IdpInputStage.set();
  ({ world, api } = stage);
});
afterAll(() => world.close());

describe('What an add takes, it stores as it is', () => {
  it.each(STRINGS)('the field of a provider %s %s with 200 characters [ADM-010]', async (kind, field) => {
    const value = /issuer|Endpoint/.test(field) ? urlOf(200) : kind[0]!.repeat(200);
    expect((await stage.add(kind, { [field]: value })).status).toBe(200);
  });

  it('names, client ids and secrets of one character, and of 200 beyond the 16-bit range [ADM-010]', async () => {
    for (const value of ['x', '𝔵'.repeat(200)]) {
      const id = idOf(await stage.add('oidc', { name: value, clientId: value, clientSecret: value }));
      expect(await api.get(id)).toMatchObject({ name: value, oidcConfig: { clientId: value } });
    }
    expectInvalid(await stage.add('oidc', { name: '𝔵'.repeat(201) }), 'name');
  });

  it.each(['urn:my-gateway', 'The gateway of Acme', 'gateway', 'http://plain.test/'])(
    'the issuer %s of a JWT provider: RFC 7519 §4.1.1',
    async (issuer) => {
      expect(await api.get(idOf(await stage.add('jwt', { issuer })))).toMatchObject({ jwtConfig: { issuer } });
    },
  );

  it('an issuer and a header name of one character [ADM-010]', async () => {
    expect(await api.get(idOf(await stage.add('jwt', { issuer: 'a', headerName: 'x' })))).toMatchObject({
      jwtConfig: { issuer: 'a', headerName: 'x' },
    });
  });

  it.each([undefined, null])('authorization as the header when it is %s', async (headerName) => {
    expect(await api.get(idOf(await stage.add('jwt', { headerName })))).toMatchObject({
      jwtConfig: { headerName: 'authorization' },
    });
  });

  it.each(['authorization', 'Authorization', 'X-Jwt-1'])('the header name %s [ADM-020]', async (headerName) => {
    expect(await api.get(idOf(await stage.add('jwt', { headerName })))).toMatchObject({ jwtConfig: { headerName } });
  });

  it('null as what was not sent [ADM-012]', async () => {
    const id = idOf(
      await stage.add('oidc', {
        stylingType: null,
        displayNameMapping: null,
        usernameMapping: null,
        autoRegister: null,
        scopes: null,
      }),
    );
    expect(await api.get(id)).toMatchObject({
      stylingType: 'STYLING_TYPE_UNSPECIFIED',
      autoRegister: false,
      oidcConfig: {
        scopes: [],
        displayNameMapping: 'OIDC_MAPPING_FIELD_UNSPECIFIED',
        usernameMapping: 'OIDC_MAPPING_FIELD_UNSPECIFIED',
      },
    });
  });

  it.each(['STYLING_TYPE_VENDOR', 1])('a button style given as %j [ADM-012]', async (stylingType) => {
    expect(await api.get(idOf(await stage.add('jwt', { stylingType })))).toMatchObject({
      stylingType: 'STYLING_TYPE_VENDOR',
    });
  });

  it.each([
    '\uffff',
    '\u202eevil',
    `e${'\u0301'.repeat(199)}`,
    '\u2028',
    'é',
    'e\u0301',
    '𝔵',
    '<script>alert(1)</script>',
    "' OR 1=1--",
    '$$',
    '\\',
    '%_',
    '${7*7}',
    '{{.Name}}',
    '\u200d',
  ])('the name %j, code point by code point [ADM-014, ADM-022]', async (name) => {
    const id = idOf(await stage.add('oidc', { name }));
    expect((await api.get(id))['name']).toBe(name);
    expect(await api.names([{ idpNameQuery: { name } }])).toEqual([name]);
  });

  it('http for this machine, in development alone', async () => {
    const url = 'http://localhost:8080/realms/a';
    expect((await stage.add('oidc', { issuer: url })).status).toBe(200);
    expect(
      (await stage.add('jwt', { issuer: url, jwtEndpoint: url, keysEndpoint: 'http://127.0.0.1:9/keys' })).status,
    ).toBe(200);
    const production = await startWorld({
      replicaOf: world,
      env: { NODE_ENV: 'production', LOGIN_LIMITS: 'on', DATABASE_URL: world.database.url },
    });
    try {
      const { id } = await production.cast.orgA;
      const there = await callerWith(production, 'management', ['ORG_OWNER'], { id, domain: '' });
      expectInvalid(await there.ask('POST', 'idps/oidc', oidc({ issuer: url })), 'issuer');
      expectInvalid(
        await there.ask('POST', 'idps/jwt', jwt({ issuer: url, jwtEndpoint: url, keysEndpoint: url })),
        'jwtEndpoint',
        'keysEndpoint',
      );
    } finally {
      await production.close();
    }
  });

  it('nothing that it does not know [ADM-016, ADM-017]', async () => {
    const foreign = {
      id: '1',
      idpId: '2',
      resourceOwner: 'x',
      ownerId: 'y',
      state: 'IDP_STATE_INACTIVE',
      details: { sequence: '999' },
      sequence: '999',
      creationDate: '2000-01-01T00:00:00Z',
      instanceId: 'z',
      type: 'jwt',
      oidcConfig: { clientId: 'evil' },
      jwtEndpoint: 'javascript:x',
      deep: { constructor: { prototype: { isAdmin: true } } },
    };
    const body = JSON.stringify(oidc({ ...foreign })).replace(
      '{',
      '{"__proto__":{"isAdmin":true,"name":"polluted"},"constructor":{"prototype":{"isAdmin":true}},',
    );
    const id = idOf(await api.ask('POST', 'idps/oidc', body));
    const found = await api.get(id);
    expect(found).toMatchObject({
      id,
      state: 'IDP_STATE_ACTIVE',
      owner: 'IDP_OWNER_TYPE_SYSTEM',
      details: { resourceOwner: api.ownerId },
      oidcConfig: { clientId: 'gatehouse' },
    });
    expect(found['name']).not.toBe('polluted');
    expect((found['details'] as { sequence: string }).sequence).not.toBe('999');
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    const nobody = await callerWith(world, 'admin', []);
    expect((await nobody.ask('POST', 'idps/oidc', oidc())).status).toBe(403);
  });

  it('the secret where it is never returned [ADM-021]', async () => {
    const secret = 'found-nowhere-3141592653';
    world.plant(secret);
    const id = idOf(await stage.add('oidc', { clientSecret: secret }));
    const texts = [
      (await api.ask('GET', `idps/${id}`)).text,
      (await api.ask('POST', 'idps/_search', {})).text,
      (await api.ask('PUT', `idps/${id}/oidc_config`, oidc({ clientSecret: secret, issuer: 'https://a.test' }))).text,
      (await stage.add('oidc', { clientSecret: secret, name: '' })).text,
      (await api.ask('POST', 'idps/oidc', JSON.stringify(oidc({ clientSecret: secret })).replace('}', ',}'))).text,
    ];
    const [stored] = await world.rows<{ text: string }>(
      "SELECT (SELECT string_agg(i::text, '') FROM idp i) || (SELECT string_agg(e::text, '') FROM event e) AS text",
    );
    for (const text of [...texts, stored!.text, world.logText()]) expect(text).not.toContain(secret);
  });

  it('nothing of a request whose body never came', async () => {
    const before = await stage.countRows();
    const reply = await sendUnchecked(world.origin, {
      method: 'POST',
      path: '/admin/v1/idps/oidc',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(oidc()),
    });
    expect(reply.status).toBe(401);
    expect(await stage.countRows()).toBe(before);
  });
});
