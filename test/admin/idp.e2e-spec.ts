import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName } from '../support/builders.js';
import type { World } from '../support/world.js';
import { callerWith, type IdpApi, idOf, jwt, LEVELS, type Level, oidc, optionsWith, refusalIn } from './idp-api.js';
import { CONFIG, eventsOf, JWT_CONFIG, ownersOfProviders, PREFIXES } from './idp-owners.js';

let world: World;
let owners: Record<Level, IdpApi>;

beforeAll(async () => {
  ({ world, owners } = await ownersOfProviders());
});
afterAll(() => world.close());

const details = (api: IdpApi) => ({
  sequence: expect.stringMatching(/^\d+$/),
  creationDate: expect.any(String),
  changeDate: expect.any(String),
  resourceOwner: api.ownerId,
});

describe.each(LEVELS)('Identity providers, %s', (level) => {
  const prefix = PREFIXES[level];
  let api: IdpApi;

  beforeAll(() => {
    api = owners[level];
  });

  it('adds an OIDC provider and answers its id, its details and the callback URL; marked as deprecated (RFC 9745)', async () => {
    const reply = await api.ask('POST', 'idps/oidc', oidc());
    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual({
      details: details(api),
      idpId: expect.stringMatching(/^\d{18,19}$/),
      callbackUrl: `${world.issuer}/ui/login/login/externalidp/callback`,
    });
    expect(reply.header('deprecation')).toMatch(/^@\d{10}$/);
  });

  it('adds a JWT provider and answers where its proxy forwards to; marked as deprecated (RFC 9745)', async () => {
    const reply = await api.ask('POST', 'idps/jwt', jwt());
    expect(reply.json()).toEqual({
      details: details(api),
      idpId: expect.any(String),
      callbackUrl: `${world.issuer}/ui/login/login/jwt/authorize`,
    });
    expect(reply.header('deprecation')).toMatch(/^@\d{10}$/);
  });

  it('answers an OIDC provider with every field, but the secret [ADM-021]', async () => {
    const input = oidc();
    const id = idOf(await api.ask('POST', 'idps/oidc', input));
    const reply = await api.ask('GET', `idps/${id}`);
    expect(reply.json()).toEqual({
      idp: {
        id,
        details: details(api),
        state: 'IDP_STATE_ACTIVE',
        name: input['name'],
        stylingType: 'STYLING_TYPE_VENDOR',
        owner: level === 'admin' ? 'IDP_OWNER_TYPE_SYSTEM' : 'IDP_OWNER_TYPE_ORG',
        autoRegister: true,
        providerOptions: optionsWith(true),
        oidcConfig: {
          clientId: 'gatehouse',
          issuer: 'https://accounts.example.com',
          scopes: ['openid', 'email'],
          displayNameMapping: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
          usernameMapping: 'OIDC_MAPPING_FIELD_EMAIL',
        },
      },
      callbackUrl: `${world.issuer}/ui/login/login/externalidp/callback`,
    });
    expect(reply.header('deprecation')).toBeUndefined();
  });

  it('answers a JWT provider with every field', async () => {
    const id = await api.addJwt({ name: `${level} proxy` });
    expect((await api.ask('GET', `idps/${id}`)).json()).toEqual({
      idp: {
        id,
        details: details(api),
        state: 'IDP_STATE_ACTIVE',
        name: `${level} proxy`,
        stylingType: 'STYLING_TYPE_UNSPECIFIED',
        owner: level === 'admin' ? 'IDP_OWNER_TYPE_SYSTEM' : 'IDP_OWNER_TYPE_ORG',
        autoRegister: false,
        providerOptions: optionsWith(false),
        jwtConfig: {
          jwtEndpoint: 'https://proxy.example.com/sign-in',
          issuer: 'https://proxy.example.com',
          keysEndpoint: 'https://proxy.example.com/keys',
          headerName: 'x-jwt',
        },
      },
      callbackUrl: `${world.issuer}/ui/login/login/jwt/authorize`,
    });
  });

  it('takes snake_case, and numbers for enums', async () => {
    const { name } = oidc();
    const id = idOf(
      await api.ask('POST', 'idps/oidc', {
        name,
        styling_type: 1,
        client_id: 'a',
        client_secret: 'b',
        issuer: 'https://a.test',
        display_name_mapping: 2,
        username_mapping: 1,
        auto_register: true,
      }),
    );
    expect(await api.get(id)).toMatchObject({
      name,
      stylingType: 'STYLING_TYPE_VENDOR',
      autoRegister: true,
      oidcConfig: {
        scopes: [],
        displayNameMapping: 'OIDC_MAPPING_FIELD_EMAIL',
        usernameMapping: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
      },
    });
  });

  it('journals an add as two events of the owner, without the secret', async () => {
    const id = await api.addOidc({ name: `${level} journaled` });
    const aggregate = `${level === 'admin' ? 'instance' : 'org'} ${api.ownerId}`;
    expect(await eventsOf(world, id)).toEqual([
      {
        type: `${prefix}.idp.config.added`,
        aggregate,
        org: api.ownerId,
        payload: {
          idpConfigId: id,
          name: `${level} journaled`,
          idpType: 'oidc',
          stylingType: 'vendor',
          autoRegister: true,
        },
      },
      {
        type: `${prefix}.idp.oidc.config.added`,
        aggregate,
        org: api.ownerId,
        payload: {
          idpConfigId: id,
          clientId: 'gatehouse',
          issuer: 'https://accounts.example.com',
          scopes: ['openid', 'email'],
          idpDisplayNameMapping: 'preferred_username',
          usernameMapping: 'email',
        },
      },
    ]);
    expect((await eventsOf(world, await api.addJwt())).map(({ type }) => type)).toEqual([
      `${prefix}.idp.config.added`,
      `${prefix}.idp.jwt.config.added`,
    ]);
  });

  it('stores the secret sealed, and bound to its place', async () => {
    const [first, second] = [await api.addOidc(), await api.addOidc()];
    const sealed = await world.rows<{ client_secret: string }>('SELECT client_secret FROM idp WHERE id IN ($1, $2)', [
      first,
      second,
    ]);
    for (const { client_secret: secret } of sealed) expect(secret).toMatch(/^v1\.[\w-]+\.[\w-]+$/);
    expect(sealed[0]).not.toEqual(sealed[1]);
  });

  it('refuses a name that the owner has already', async () => {
    const name = uniqueName('twice');
    const id = await api.addOidc({ name });
    for (const reply of [
      await api.ask('POST', 'idps/oidc', oidc({ name })),
      await api.ask('POST', 'idps/jwt', jwt({ name })),
    ]) {
      expect(refusalIn(reply)).toEqual([409, 6, 'idp.name_taken']);
    }
    const other = await api.addJwt();
    const renamed = await api.ask('PUT', `idps/${other}`, { name });
    expect(refusalIn(renamed)).toEqual([409, 6, 'idp.name_taken']);
    expect(renamed.json<{ message: string }>().message).toContain(name);
    expect((await api.get(id))['name']).toBe(name);
  });

  it('makes one provider of twenty adds of one name at once, all others are refused [ADM-033]', async () => {
    const name = uniqueName('race');
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.ask('POST', 'idps/jwt', jwt({ name }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
  });

  it('numbers twenty adds at once strictly, each with an id of its own [ADM-033]', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.ask('POST', 'idps/oidc', oidc())));
    const answers = replies.map((reply) => reply.json<{ idpId: string; details: { sequence: string } }>());
    expect(new Set(answers.map(({ idpId }) => idpId)).size).toBe(20);
    expect(new Set(answers.map(({ details: { sequence } }) => sequence)).size).toBe(20);
    const rows = await world.rows<{ id: string; sequence: string }>(
      'SELECT id, sequence FROM idp WHERE id = ANY ($1)',
      [answers.map(({ idpId }) => idpId)],
    );
    const stored = new Map(rows.map(({ id, sequence }) => [id, sequence]));
    for (const {
      idpId,
      details: { sequence },
    } of answers)
      expect(stored.get(idpId)).toBe(sequence);
  });

  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['PUT', '/oidc_config'],
    ['PUT', '/jwt_config'],
    ['POST', '/_deactivate'],
    ['POST', '/_reactivate'],
    ['POST', '/_test'],
    ['DELETE', ''],
  ])('answers 404 to %s idps/{id}%s of what does not exist [ADM-024]', async (method, path) => {
    const body = path === '/oidc_config' ? CONFIG : path === '/jwt_config' ? JWT_CONFIG : { name: 'x' };
    for (const id of ['0', '-1', '18446744073709551616', '１２', "'%20OR%201=1--", 'a'.repeat(200), '%2e%2e%2f']) {
      const reply = await api.ask(
        method,
        `idps/${encodeURI(decodeURI(id))}${path}`,
        method === 'PUT' ? body : undefined,
      );
      expect(refusalIn(reply)).toEqual([404, 5, 'idp.not_found']);
    }
    const tooLong = await api.ask(method, `idps/${'a'.repeat(10_000)}${path}`, method === 'PUT' ? body : undefined);
    expect([400, 404]).toContain(tooLong.status);
  });

  it('demands the permission to read, or to write', async () => {
    const id = await api.addOidc();
    const viewer = await callerWith(world, level, level === 'admin' ? ['IAM_OWNER_VIEWER'] : ['ORG_OWNER_VIEWER']);
    const nobody = await callerWith(world, level, ['ORG_USER_MANAGER']);
    const [read, write] = level === 'admin' ? ['iam.idp.read', 'iam.idp.write'] : ['org.idp.read', 'org.idp.write'];
    const reads = [
      ['GET', `idps/${id}`],
      ['POST', 'idps/_search'],
    ] as const;
    const writes = [
      ['POST', 'idps/oidc'],
      ['POST', 'idps/jwt'],
      ['PUT', `idps/${id}`],
      ['PUT', `idps/${id}/oidc_config`],
      ['PUT', `idps/${id}/jwt_config`],
      ['POST', `idps/${id}/_deactivate`],
      ['POST', `idps/${id}/_reactivate`],
      ['POST', `idps/${id}/_test`],
      ['DELETE', `idps/${id}`],
    ] as const;
    for (const [method, path] of reads) {
      expect((await viewer.ask(method, path)).status).toBe(200);
      expect((await nobody.ask(method, path)).json()).toMatchObject({
        code: 7,
        message: expect.stringContaining(read),
      });
    }
    for (const caller of [viewer, nobody]) {
      // Nor does a caller without permission learn that the body was wrong.
      for (const [method, path] of writes)
        expect((await caller.ask(method, path, '{')).json()).toMatchObject({
          code: 7,
          message: expect.stringContaining(write),
        });
    }
  });
});
