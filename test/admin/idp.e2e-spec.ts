import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { callerWith, type IdpApi, idOf, jwt, LEVELS, type Level, oidc, ownerOf, refusalIn, SECRET } from './idp-api.js';

let world: World;
const owners = {} as Record<Level, IdpApi>;

beforeAll(async () => {
  world = await startWorld();
  world.plant(SECRET);
  for (const level of LEVELS) owners[level] = await ownerOf(world, level);
});
afterAll(() => world.close());

const CONFIG = {
  issuer: 'https://other.example.com',
  clientId: 'other',
  scopes: ['openid', 'profile'],
  displayNameMapping: 'OIDC_MAPPING_FIELD_EMAIL',
  usernameMapping: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
};
const JWT_CONFIG = {
  jwtEndpoint: 'https://p.example.com/a',
  issuer: 'https://p.example.com',
  keysEndpoint: 'https://p.example.com/k',
  headerName: 'X-Other',
};

const details = (api: IdpApi) => ({
  sequence: expect.stringMatching(/^\d+$/),
  creationDate: expect.any(String),
  changeDate: expect.any(String),
  resourceOwner: api.ownerId,
});
const changed = (api: IdpApi) => ({
  details: { sequence: expect.stringMatching(/^\d+$/), changeDate: expect.any(String), resourceOwner: api.ownerId },
});

/** What was journaled of a provider, oldest first. */
async function eventsOf(
  id: string,
): Promise<Array<{ type: string; payload: Record<string, unknown>; aggregate: string; org: string }>> {
  return world.rows(
    `SELECT type, payload, aggregate_type || ' ' || aggregate_id AS aggregate, org_id AS org FROM event WHERE payload->>'idpConfigId' = $1 ORDER BY position`,
    [id],
  );
}

describe.each(LEVELS)('Identity providers, %s', (level) => {
  let api: IdpApi;
  let prefix: string;

  beforeAll(() => {
    api = owners[level];
    prefix = level === 'admin' ? 'iam' : 'org';
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
    expect(await eventsOf(id)).toEqual([
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
    expect((await eventsOf(await api.addJwt())).map(({ type }) => type)).toEqual([
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

  it('makes one provider of a hundred adds of one name at once, all others are refused [ADM-033]', async () => {
    const name = uniqueName('race');
    const replies = await Promise.all(Array.from({ length: 100 }, () => api.ask('POST', 'idps/jwt', jwt({ name }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(99).fill(409)]);
  });

  it('numbers a hundred adds at once strictly, each with an id of its own [ADM-033]', async () => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => api.ask('POST', 'idps/oidc', oidc())));
    const answers = replies.map((reply) => reply.json<{ idpId: string; details: { sequence: string } }>());
    expect(new Set(answers.map(({ idpId }) => idpId)).size).toBe(100);
    expect(new Set(answers.map(({ details: { sequence } }) => sequence)).size).toBe(100);
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

  it('changes name, look and registration', async () => {
    const id = await api.addOidc();
    const before = await api.get(id);
    const reply = await api.ask('PUT', `idps/${id}`, { name: `${level} renamed`, autoRegister: false });
    expect(reply.json()).toEqual(changed(api));
    const after = await api.get(id);
    expect(after).toEqual({
      ...before,
      name: `${level} renamed`,
      stylingType: 'STYLING_TYPE_UNSPECIFIED',
      autoRegister: false,
      details: after['details'],
    });
    expect(after['details']).toMatchObject({
      ...reply.json<{ details: object }>().details,
      creationDate: (before['details'] as { creationDate: string }).creationDate,
    });
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: `${prefix}.idp.config.changed`,
      payload: { idpConfigId: id, name: `${level} renamed`, stylingType: 'unspecified', autoRegister: false },
    });
  });

  it('changes the OIDC configuration; an empty secret keeps the old one', async () => {
    const id = await api.addOidc();
    const secret = async (): Promise<unknown> =>
      (await world.rows('SELECT client_secret FROM idp WHERE id = $1', [id]))[0];
    const old = await secret();
    expect((await api.ask('PUT', `idps/${id}/oidc_config`, CONFIG)).json()).toEqual(changed(api));
    expect(await api.get(id)).toMatchObject({ oidcConfig: CONFIG });
    expect(await secret()).toEqual(old);
    expect((await eventsOf(id)).at(-1)?.payload).toEqual({
      idpConfigId: id,
      issuer: CONFIG.issuer,
      clientId: 'other',
      scopes: CONFIG.scopes,
      idpDisplayNameMapping: 'email',
      usernameMapping: 'preferred_username',
    });
    world.plant('another-secret-77');
    expect(
      (await api.ask('PUT', `idps/${id}/oidc_config`, { ...CONFIG, clientSecret: 'another-secret-77' })).status,
    ).toBe(200);
    expect(await secret()).not.toEqual(old);
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: `${prefix}.idp.oidc.config.changed`,
      payload: { idpConfigId: id, clientSecretChanged: true },
    });
  });

  it('changes the JWT configuration', async () => {
    const id = await api.addJwt();
    expect((await api.ask('PUT', `idps/${id}/jwt_config`, JWT_CONFIG)).json()).toEqual(changed(api));
    expect(await api.get(id)).toMatchObject({ jwtConfig: JWT_CONFIG });
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: `${prefix}.idp.jwt.config.changed`,
      payload: JWT_CONFIG,
    });
  });

  it('refuses a change that changes nothing, and writes nothing', async () => {
    const input = oidc();
    const id = idOf(await api.ask('POST', 'idps/oidc', input));
    const jwtId = await api.addJwt(JWT_CONFIG);
    const before = await world.contents();
    const replies = [
      await api.ask('PUT', `idps/${id}`, {
        name: input['name'],
        stylingType: input['stylingType'],
        autoRegister: true,
      }),
      await api.ask('PUT', `idps/${id}/oidc_config`, input),
      await api.ask('PUT', `idps/${id}/oidc_config`, { ...input, clientSecret: '' }),
      await api.ask('PUT', `idps/${jwtId}/jwt_config`, JWT_CONFIG),
    ];
    expect(replies.map(refusalIn)).toEqual(Array(4).fill([400, 9, 'idp.unchanged']));
    expect(await world.contents()).toBe(before);
  });

  it('refuses the configuration of the other type', async () => {
    const [oidcId, jwtId] = [await api.addOidc(), await api.addJwt()];
    expect(refusalIn(await api.ask('PUT', `idps/${oidcId}/jwt_config`, JWT_CONFIG))).toEqual([
      400,
      9,
      'idp.other_type',
    ]);
    expect(refusalIn(await api.ask('PUT', `idps/${jwtId}/oidc_config`, CONFIG))).toEqual([400, 9, 'idp.other_type']);
  });

  it('loses none of two changes at once, whatever they change [ADM-034]', async () => {
    const id = await api.addOidc();
    const before = (await api.get(id))['details'] as { sequence: string };
    const replies = await Promise.all([
      api.ask('PUT', `idps/${id}`, { name: `${level} both` }),
      api.ask('PUT', `idps/${id}/oidc_config`, CONFIG),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const after = await api.get(id);
    expect(after).toMatchObject({ name: `${level} both`, oidcConfig: CONFIG });
    expect(Number((after['details'] as { sequence: string }).sequence)).toBe(Number(before.sequence) + 2);
  });

  it('deactivates and reactivates, each once in a row', async () => {
    const id = await api.addOidc();
    expect(refusalIn(await api.ask('POST', `idps/${id}/_reactivate`))).toEqual([400, 9, 'idp.not_inactive']);
    expect((await api.ask('POST', `idps/${id}/_deactivate`)).json()).toEqual(changed(api));
    expect((await api.get(id))['state']).toBe('IDP_STATE_INACTIVE');
    expect(refusalIn(await api.ask('POST', `idps/${id}/_deactivate`))).toEqual([400, 9, 'idp.not_active']);
    expect((await api.ask('POST', `idps/${id}/_reactivate`, { state: 'ignored' })).status).toBe(200);
    expect((await api.get(id))['state']).toBe('IDP_STATE_ACTIVE');
    expect((await eventsOf(id)).slice(-2).map(({ type }) => type)).toEqual([
      `${prefix}.idp.config.deactivated`,
      `${prefix}.idp.config.reactivated`,
    ]);
  });

  it('deactivates once if several requests do so at the same time', async () => {
    const id = await api.addOidc();
    const replies = await Promise.all(Array.from({ length: 8 }, () => api.ask('POST', `idps/${id}/_deactivate`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
  });

  it('removes, once; its name is free again', async () => {
    const name = uniqueName('gone');
    const id = await api.addOidc({ name });
    const replies = await Promise.all(Array.from({ length: 4 }, () => api.ask('DELETE', `idps/${id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(replies.find(({ status }) => status === 200)!.json()).toEqual(changed(api));
    expect(refusalIn(await api.ask('GET', `idps/${id}`))).toEqual([404, 5, 'idp.not_found']);
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: `${prefix}.idp.config.removed` });
    await api.addOidc({ name });
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

describe('Identity providers of others [ADM-004, ADM-005]', () => {
  let mine: IdpApi;
  let theirs: IdpApi;
  let ofTheirs: string;
  let ofInstance: string;

  beforeAll(async () => {
    mine = owners.management;
    theirs = await callerWith(world, 'management', ['ORG_OWNER'], await world.cast.orgB);
    ofTheirs = await theirs.addOidc();
    ofInstance = await owners.admin.addOidc();
  });

  const requests = (id: string): ReadonlyArray<readonly [string, string, unknown?]> => [
    ['PUT', `idps/${id}`, { name: 'mine now' }],
    ['PUT', `idps/${id}/oidc_config`, CONFIG],
    ['POST', `idps/${id}/_deactivate`],
    ['POST', `idps/${id}/_reactivate`],
    ['POST', `idps/${id}/_test`],
    ['DELETE', `idps/${id}`],
  ];

  it('are neither found nor changed, and the answer is that of an id that does not exist', async () => {
    const before = await world.contents();
    for (const [index, [method, path, body]] of [
      ...requests(ofTheirs),
      ['GET', `idps/${ofTheirs}`] as const,
    ].entries()) {
      const [, unknown] = [...requests('1'), ['GET', 'idps/1'] as const][index]!;
      const reply = await mine.ask(method, path, body);
      expect(refusalIn(reply)).toEqual([404, 5, 'idp.not_found']);
      expect(reply.text).toBe((await mine.ask(method, unknown, body)).text);
    }
    expect(await world.contents()).toBe(before);
    expect(await mine.names([{ idpIdQuery: { id: ofTheirs } }])).toEqual([]);
  });

  it('are not reached by the header of their organization, nor by naming them in the body', async () => {
    for (const [method, path, body] of requests(ofTheirs))
      expect((await mine.about(theirs.ownerId).ask(method, path, body)).status).toBe(403);
    const own = await mine.addOidc();
    const smuggled = await mine.ask('PUT', `idps/${own}`, {
      name: uniqueName('own'),
      idpId: ofTheirs,
      ownerId: theirs.ownerId,
      resourceOwner: theirs.ownerId,
    });
    expect(smuggled.status).toBe(200);
    expect((await theirs.get(ofTheirs))['name']).not.toMatch(/^own/);
    expect((await mine.get(own))['details']).toMatchObject({ resourceOwner: mine.ownerId });
  });

  it('of the instance are seen by an organization, and not changed', async () => {
    expect(await mine.get(ofInstance)).toMatchObject({ id: ofInstance, owner: 'IDP_OWNER_TYPE_SYSTEM' });
    for (const [method, path, body] of requests(ofInstance))
      expect(refusalIn(await mine.ask(method, path, body))).toEqual([404, 5, 'idp.not_found']);
  });

  it('of an organization are not those of the instance, for any caller', async () => {
    for (const [method, path, body] of [...requests(ofTheirs), ['GET', `idps/${ofTheirs}`] as const]) {
      expect(refusalIn(await owners.admin.ask(method, path, body))).toEqual([404, 5, 'idp.not_found']);
    }
    expect(await owners.admin.names([{ idpIdQuery: { id: ofTheirs } }])).toEqual([]);
  });

  it('are managed by an owner of the instance who names the organization in the header', async () => {
    const api = owners.admin.at('management').about(theirs.ownerId);
    const id = await api.addJwt();
    expect(await theirs.get(id)).toMatchObject({
      owner: 'IDP_OWNER_TYPE_ORG',
      details: { resourceOwner: theirs.ownerId },
    });
    expect((await api.ask('DELETE', `idps/${id}`)).status).toBe(200);
  });

  it('may have the same name: it belongs to its owner', async () => {
    const name = uniqueName('common');
    for (const api of [owners.admin, mine, theirs]) await api.addOidc({ name });
  });
});
