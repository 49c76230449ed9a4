import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../support/effort.js';
import type { Headers } from '../support/http.js';
import { fieldsIn, type IdpApi, jwt, oidc } from './idp-api.js';
import { expectInvalid, IdpInputStage, inputOf, STRINGS, urlOf } from './idp-input-stage.js';

/** The issuer of a JWT provider is any text: it is compared and never asked. */
const URLS = STRINGS.filter(([kind, field]) => /Endpoint/.test(field) || (kind === 'oidc' && field === 'issuer'));

let stage: IdpInputStage;
let api: IdpApi;
let rowsBefore: string;

beforeAll(async () => {
  stage = await IdpInputStage.set();
  ({ api } = stage);
});
afterAll(() => stage.world.close());

describe('What an add refuses, it does not store', () => {
  beforeEach(async () => void (rowsBefore = await stage.countRows()));
  afterEach(async () => expect(await stage.countRows()).toBe(rowsBefore));

  describe.each(STRINGS.filter(([, field]) => field !== 'headerName'))('%s %s [ADM-010]', (kind, field) => {
    it.each<[string, unknown]>([
      ['missing', undefined],
      ['null', null],
      ['empty', ''],
      ['of 201 characters', urlOf(201)],
    ])('is refused when %s, by its name', async (_, value) => {
      const reply = await stage.add(kind, { [field]: value });
      expectInvalid(reply, field);
      expect(reply.json()['message']).toMatch(new RegExp(`^${field}: must `));
    });
  });

  it('refuses a header name that is empty or of 201 characters [ADM-010]', async () => {
    for (const headerName of ['', 'a'.repeat(201)]) expectInvalid(await stage.add('jwt', { headerName }), 'headerName');
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
  ])('refuses %s as %j [ADM-011]', async (field, value) =>
    expectInvalid(await stage.add('oidc', { [field]: value }), field),
  );

  it('names the entry of a list that is of the wrong type [ADM-011]', async () => {
    expect(fieldsIn(await stage.add('oidc', { scopes: [1, null] }))).toEqual(
      expect.arrayContaining(['scopes[0]', 'scopes[1]']),
    );
    expect(fieldsIn(await stage.add('oidc', { scopes: ['openid', []] }))).toContain('scopes[1]');
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
        expectInvalid(await stage.add('oidc', { [field]: value }), field);
    },
  );

  it.each(STRINGS)('refuses NUL and lone surrogates in %s %s [ADM-013, ADM-014]', async (kind, field) => {
    const type = JSON.stringify(inputOf(kind, { [field]: 'HERE' }));
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
    ])('is not %s', async (url) => expectInvalid(await stage.add(kind, { [field]: url }), field));
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
    expectInvalid(await stage.add('jwt', { headerName }), 'headerName'),
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
    rowsBefore = await stage.countRows();
  });
});
