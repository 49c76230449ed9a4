import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../support/effort.js';
import { type Headers, type Reply, sendUnchecked } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { callerWith, fieldsIn, type IdpApi, idOf, jwt, oidc, ownerOf, SECRET } from './idp-api.js';

type Kind = 'oidc' | 'jwt';

let world: World;
let api: IdpApi;
let rowsBefore: string;

const countRows = async (): Promise<string> =>
  (
    await world.rows<{ rows: string }>(
      "SELECT (SELECT count(*) FROM idp) || ' ' || (SELECT count(*) FROM event) AS rows",
    )
  )[0]!.rows;

beforeAll(async () => {
  world = await startWorld();
  world.plant(SECRET);
  api = await ownerOf(world, 'admin');
});
afterAll(() => world.close());

const input = (kind: Kind, change: object): Record<string, unknown> => (kind === 'oidc' ? oidc(change) : jwt(change));
const add = (kind: Kind, change: object): Promise<Reply> => api.ask('POST', `idps/${kind}`, input(kind, change));

/** 400, code 3, naming these fields. */
function expectInvalid(reply: Reply, ...fields: string[]): void {
  expect([reply.status, reply.json()['code']]).toEqual([400, 3]);
  expect(fieldsIn(reply)).toEqual(fields);
}

const urlOf = (length: number): string => 'https://example.com/'.padEnd(length, 'a');
const STRINGS: ReadonlyArray<readonly [Kind, string]> = [
  ['oidc', 'name'],
  ['oidc', 'clientId'],
  ['oidc', 'clientSecret'],
  ['oidc', 'issuer'],
  ['jwt', 'name'],
  ['jwt', 'jwtEndpoint'],
  ['jwt', 'issuer'],
  ['jwt', 'keysEndpoint'],
  ['jwt', 'headerName'],
];
/** The issuer of a JWT provider is any text: it is compared and never asked. */
const URLS = STRINGS.filter(([kind, field]) => /Endpoint/.test(field) || (kind === 'oidc' && field === 'issuer'));

describe('What an add refuses, it does not store', () => {
  beforeEach(async () => void (rowsBefore = await countRows()));
  afterEach(async () => expect(await countRows()).toBe(rowsBefore));

  describe.each(STRINGS.filter(([, field]) => field !== 'headerName'))('%s %s [ADM-010]', (kind, field) => {
    it.each<[string, unknown]>([
      ['missing', undefined],
      ['null', null],
      ['empty', ''],
      ['of 201 characters', urlOf(201)],
    ])('is refused when %s, by its name', async (_, value) => {
      const reply = await add(kind, { [field]: value });
      expectInvalid(reply, field);
      expect(reply.json()['message']).toMatch(new RegExp(`^${field}: must `));
    });
  });

  it('refuses a header name that is empty or of 201 characters [ADM-010]', async () => {
    for (const headerName of ['', 'a'.repeat(201)]) expectInvalid(await add('jwt', { headerName }), 'headerName');
  });

  it('names every field that is broken, at once', async () => {
    expectInvalid(await api.ask('POST', 'idps/oidc', {}), 'name', 'clientId', 'clientSecret', 'issuer');
    expectInvalid(
      await api.ask('POST', 'idps/jwt', { headerName: 'Host', name: 1, autoRegister: 'x', issuer: 'a b' }),
      'name',
      'autoRegister',
      'jwtEndpoint',
      'keysEndpoint',
      'headerName',
    );
  });

  it.each<[string, unknown]>([
    ['name', 123],
    ['name', true],
    ['name', {}],
    ['name', []],
    ['name', ['a']],
    ['issuer', 1],
    ['autoRegister', 'true'],
    ['autoRegister', 1],
    ['autoRegister', []],
    ['scopes', 'openid'],
    ['scopes', {}],
    ['scopes', ['']],
    ['scopes', ['a b']],
    ['scopes', ['a'.repeat(201)]],
    ['scopes', ['a'.repeat(10_000)]],
    ['scopes', Array(101).fill('a')],
    ['scopes', Array(10_000).fill('a')],
  ])('refuses %s as %j [ADM-011]', async (field, value) => expectInvalid(await add('oidc', { [field]: value }), field));

  it('names the entry of a list that is of the wrong type [ADM-011]', async () => {
    expect(fieldsIn(await add('oidc', { scopes: [1, null] }))).toEqual(
      expect.arrayContaining(['scopes[0]', 'scopes[1]']),
    );
    expect(fieldsIn(await add('oidc', { scopes: ['openid', []] }))).toContain('scopes[1]');
  });

  it.each(['stylingType', 'displayNameMapping', 'usernameMapping'])(
    'refuses values of %s that there are not [ADM-012]',
    async (field) => {
      for (const value of [
        'NOTHING',
        'styling_type_vendor',
        'oidc_mapping_field_email',
        99,
        -1,
        1.5,
        2_147_483_648,
        '1',
        [],
        {},
        true,
      ])
        expectInvalid(await add('oidc', { [field]: value }), field);
    },
  );

  it.each(STRINGS)('refuses NUL and lone surrogates in %s %s [ADM-013, ADM-014]', async (kind, field) => {
    const type = JSON.stringify(input(kind, { [field]: 'HERE' }));
    for (const text of ['a\\u0000b', '\\ud800', '\\udfff\\ud800'])
      expectInvalid(await api.ask('POST', `idps/${kind}`, type.replace('"HERE"', `"${text}"`)), field);
  });

  it.each<[string, string | Buffer]>([
    ['nested 10,000 deep', `{"scopes":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['of 10 MB', `{"name":"${'a'.repeat(10_000_000)}"}`],
    ['with a comma too many', '{"name":"a",}'],
    ['with bytes behind it', '{"name":"a"}x'],
    ['twice', '{}{}'],
    ['with a byte order mark', '\ufeff{"name":"a"}'],
    ['with NaN', '{"name":NaN}'],
    ['in single quotes', "{'name':'a'}"],
    ['a list', '[{"name":"a"}]'],
    ['a string', '"name"'],
    ['a number', '1'],
    ['null', 'null'],
    ['empty', ''],
    ['half', '{"name":"a"'],
    ['no UTF-8', Buffer.from('{"name":"\xff"}', 'latin1')],
    ['a comment', '{/* */}'],
  ])('refuses a body that is %s, with little work [ADM-015]', async (_, body) => {
    const cpuMs = await cpuMsOf(async () => {
      const reply = await api.ask('POST', 'idps/oidc', body);
      expect([400, 413]).toContain(reply.status);
      expect(reply.json()['code']).toBe(3);
    });
    expect(cpuMs).toBeLessThan(200);
  });

  it.each<Headers>([
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'application/xml' },
    { 'Content-Type': 'application/json; charset=utf-16' },
    { 'Content-Type': 'application/json, text/plain' },
    { 'Content-Type': 'json' },
    { 'Content-Encoding': 'gzip' },
  ])('refuses %j, in JSON [ADM-018]', async (headers) => {
    const reply = await api.ask('POST', 'idps/oidc', oidc(), headers);
    expect([400, 415]).toContain(reply.status);
    expect(reply.header('content-type')).toMatch(/^application\/json/);
  });

  describe.each(URLS)('%s %s [ADM-019]', (kind, field) => {
    it.each([
      'javascript:x',
      'file:///etc/passwd',
      'http:evil',
      'https://',
      '//evil.test',
      'not a url',
      ' https://a',
      'https://a b',
      'https://user:pw@evil.test',
      'https://a\\@b',
      'https://a#b',
      'data:text/html,x',
      'http://evil.test',
      'http://169.254.169.254/',
      'http://10.9.0.9:9999',
      'http://0.0.0.0:9999',
      'http://[::ffff:127.0.0.1]:9999',
      'http://localhost.:9999',
      'http://[fd00::9]',
      'gopher://a',
      'ftp://a',
      'unix:/run/x',
    ])('is not %s', async (url) => expectInvalid(await add(kind, { [field]: url }), field));
  });

  it.each([
    'X Foo',
    'X:Foo',
    'X\r\nEvil: 1',
    '',
    'é',
    ':path',
    'Host',
    'Cookie',
    'Content-Length',
    'Transfer-Encoding',
    '__proto__',
    'constructor',
    'host',
    'x\ty',
  ])('refuses the header %j [ADM-020]', async (headerName) =>
    expectInvalid(await add('jwt', { headerName }), 'headerName'),
  );

  it('refuses the same of an update [ADM-019, ADM-020]', async () => {
    const [oidcId, jwtId] = [await api.addOidc(), await api.addJwt()];
    expectInvalid(
      await api.ask(
        'PUT',
        `idps/${oidcId}/oidc_config`,
        oidc({ issuer: 'javascript:x', clientSecret: 'a'.repeat(201), clientId: '' }),
      ),
      'issuer',
      'clientId',
      'clientSecret',
    );
    expectInvalid(
      await api.ask(
        'PUT',
        `idps/${jwtId}/jwt_config`,
        jwt({ headerName: 'Host', keysEndpoint: 'http://evil.test', jwtEndpoint: '', issuer: undefined }),
      ),
      'jwtEndpoint',
      'issuer',
      'keysEndpoint',
      'headerName',
    );
    expectInvalid(await api.ask('PUT', `idps/${jwtId}/jwt_config`, { ...jwt(), headerName: undefined }), 'headerName');
    expectInvalid(await api.ask('PUT', `idps/${jwtId}`, { name: 'a'.repeat(201) }), 'name');
    for (const id of [oidcId, jwtId]) await api.ask('DELETE', `idps/${id}`);
    rowsBefore = await countRows();
  });
});

describe('What an add takes, it stores as it is', () => {
  it.each(STRINGS)('%s %s of 200 characters [ADM-010]', async (kind, field) => {
    const value = /issuer|Endpoint/.test(field) ? urlOf(200) : kind[0]!.repeat(200);
    expect((await add(kind, { [field]: value })).status).toBe(200);
  });

  it('names, client ids and secrets of one character, and of 200 beyond the 16-bit range [ADM-010]', async () => {
    for (const value of ['x', '𝔵'.repeat(200)]) {
      const id = idOf(await add('oidc', { name: value, clientId: value, clientSecret: value }));
      expect(await api.get(id)).toMatchObject({ name: value, oidcConfig: { clientId: value } });
    }
    expectInvalid(await add('oidc', { name: '𝔵'.repeat(201) }), 'name');
  });

  it.each(['urn:my-gateway', 'The gateway of Acme', 'gateway', 'http://plain.test/'])(
    'the issuer %s of a JWT provider: RFC 7519 §4.1.1',
    async (issuer) => {
      expect(await api.get(idOf(await add('jwt', { issuer })))).toMatchObject({ jwtConfig: { issuer } });
    },
  );

  it('an issuer and a header name of one character [ADM-010]', async () => {
    expect(await api.get(idOf(await add('jwt', { issuer: 'a', headerName: 'x' })))).toMatchObject({
      jwtConfig: { issuer: 'a', headerName: 'x' },
    });
  });

  it.each([undefined, null])('authorization as the header when it is %s', async (headerName) => {
    expect(await api.get(idOf(await add('jwt', { headerName })))).toMatchObject({
      jwtConfig: { headerName: 'authorization' },
    });
  });

  it.each(['authorization', 'Authorization', 'X-Jwt-1'])('the header %s [ADM-020]', async (headerName) => {
    expect(await api.get(idOf(await add('jwt', { headerName })))).toMatchObject({ jwtConfig: { headerName } });
  });

  it('null as what was not sent [ADM-012]', async () => {
    const id = idOf(
      await add('oidc', {
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

  it.each(['STYLING_TYPE_VENDOR', 1])('the look %j [ADM-012]', async (stylingType) => {
    expect(await api.get(idOf(await add('jwt', { stylingType })))).toMatchObject({
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
    const id = idOf(await add('oidc', { name }));
    expect((await api.get(id))['name']).toBe(name);
    expect(await api.names([{ idpNameQuery: { name } }])).toEqual([name]);
  });

  it('http for this machine, in development alone', async () => {
    const url = 'http://localhost:8080/realms/a';
    expect((await add('oidc', { issuer: url })).status).toBe(200);
    expect((await add('jwt', { issuer: url, jwtEndpoint: url, keysEndpoint: 'http://127.0.0.1:9/keys' })).status).toBe(
      200,
    );
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
    const id = idOf(await add('oidc', { clientSecret: secret }));
    const texts = [
      (await api.ask('GET', `idps/${id}`)).text,
      (await api.ask('POST', 'idps/_search', {})).text,
      (await api.ask('PUT', `idps/${id}/oidc_config`, oidc({ clientSecret: secret, issuer: 'https://a.test' }))).text,
      (await add('oidc', { clientSecret: secret, name: '' })).text,
      (await api.ask('POST', 'idps/oidc', JSON.stringify(oidc({ clientSecret: secret })).replace('}', ',}'))).text,
    ];
    const [stored] = await world.rows<{ text: string }>(
      "SELECT (SELECT string_agg(i::text, '') FROM idp i) || (SELECT string_agg(e::text, '') FROM event e) AS text",
    );
    for (const text of [...texts, stored!.text, world.logText()]) expect(text).not.toContain(secret);
  });

  it('nothing of a request whose body never came', async () => {
    const before = await countRows();
    const reply = await sendUnchecked(world.origin, {
      method: 'POST',
      path: '/admin/v1/idps/oidc',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(oidc()),
    });
    expect(reply.status).toBe(401);
    expect(await countRows()).toBe(before);
  });
});
