import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Page } from '../support/browser.js';
import { heapInUse } from '../support/effort.js';
import { type Parameters, send, sendUnchecked, toQuery } from '../support/http.js';
import { answerOf, paths, RelyingParty } from '../support/relying-party.js';
import { openSink } from '../support/sink.js';
import { expectAuthorizeRefusal, expectPage400, expectRefusal } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
  await world.cast.web2;
});
afterAll(() => world.close());

/** A complete request without some parameters, and raw text instead. */
const rawPath = (without: readonly string[], raw: string): string =>
  `${web1.authorizePath(Object.fromEntries(without.map((name) => [name, undefined])))}&${raw}`;

describe('RFC 6749 §3.1: no parameter is repeated', () => {
  it.each<Parameters>([
    { client_id: ['web1', 'web1'] },
    { client_id: ['web1', 'web2'] },
    { redirect_uri: ['https://rp1.test/cb', 'https://rp1.test/cb'] },
    { redirect_uri: ['https://rp1.test/cb', 'https://evil.test/cb'] },
  ])('and the error is a page while there is no return address: %j [AUT-019]', async (over) => {
    expectPage400(await web1.authorizeOnce(over));
  });

  it.each([
    'scope',
    'response_type',
    'nonce',
    'prompt',
    'max_age',
    'ui_locales',
    'code_challenge',
    'response_mode',
    'foo',
  ])('and the error is a redirect afterwards: %s [AUT-020]', async (name) => {
    const value = { scope: 'openid', response_type: 'code', prompt: 'login', response_mode: 'query' }[name] ?? '1';
    await expectAuthorizeRefusal(web1, { [name]: [value, value] }, 'invalid_request');
  });

  it('and the error goes without a state that was repeated [AUT-021]', async () => {
    await expectAuthorizeRefusal(web1, { state: ['S1', 'S2'] }, 'invalid_request', { state: null });
  });
});

describe('RFC 6749 §3.1: a parameter without a value counts as omitted', () => {
  it.each(['request', 'request_uri', 'prompt', 'max_age', 'response_mode', 'claims', 'dpop_jkt', 'nonce', 'resource'])(
    'also twice: %s',
    async (name) => {
      expect((await web1.browser.get(web1.authorizePath({ [name]: ['', ''] }))).page?.status).toBe(200);
    },
  );

  it('and does not make another value a repetition', async () => {
    const path = web1.authorizePath({ client_id: ['', 'web1'], scope: ['openid', ''] });
    expect((await web1.browser.get(path)).page?.status).toBe(200);
  });
});

describe('Names with brackets', () => {
  it.each([
    ['scope', 'scope[]=openid', 'invalid_scope'],
    ['response_type', 'response_type[]=code', 'invalid_request'],
  ])('are just unknown parameters: %s is missing then [AUT-022]', async (name, raw, error) => {
    expectRefusal(web1, await web1.browser.get(rawPath([name], raw)), error);
  });

  it.each([
    ['client_id', 'client_id[a]=web1'],
    ['redirect_uri', 'redirect_uri[0]=https://rp1.test/cb'],
  ])('name no client and no address: %s [AUT-022]', async (name, raw) => {
    expectPage400(await web1.browser.request('GET', rawPath([name], raw)));
  });

  it.each(['__proto__[polluted]=1', 'constructor[prototype][polluted]=1', '__proto__.polluted=1', '__proto__=1'])(
    'change no prototype: %s [AUT-022]',
    async (raw) => {
      expect((await web1.browser.get(rawPath([], raw))).page?.status).toBe(200);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );
});

describe('POST /oauth/v2/authorize', () => {
  it('never mixes query and body [AUT-023]', async () => {
    expectPage400(await web1.browser.request('POST', `${paths.authorize}?client_id=web2`, web1.parameters()));
    expectPage400(
      await web1.browser.request(
        'POST',
        `${paths.authorize}?client_id=web1`,
        web1.parameters({ client_id: undefined }),
      ),
    );
  });

  it('answers a form like GET [AUT-024]', async () => {
    const alice = await world.cast.alice;
    const posted = await web1.enter(
      await web1.browser.post(paths.authorize, web1.parameters({ state: 'é %&=' })),
      alice,
    );
    expect(answerOf(posted.redirect!)).toMatchObject({ state: 'é %&=', iss: world.issuer });
    expect((await web1.redeem(answerOf(posted.redirect!)['code']!)).status).toBe(200);
  });

  it('redirects with 303, so that no browser repeats the form elsewhere', async () => {
    const refused = web1.parameters({ prompt: 'none' });
    expect((await web1.elsewhere().browser.request('POST', paths.authorize, refused)).status).toBe(303);
  });

  it.each<[string, string, string]>([
    ['JSON', 'application/json', '{}'],
    [
      'multipart',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="client_id"\r\n\r\nweb1\r\n--x--\r\n',
    ],
    ['plain text', 'text/plain', 'client_id=web1'],
    ['UTF-16', 'application/x-www-form-urlencoded; charset=utf-16', 'client_id=web1'],
  ])('takes no %s [AUT-024]', async (_, type, body) => {
    const reply = await send(world.origin, {
      method: 'POST',
      path: paths.authorize,
      headers: { 'Content-Type': type },
      body,
    });
    expect(reply.status).toBe(400);
    expect(reply.location).toBeUndefined();
  });
});

describe('An unknown or empty parameter', () => {
  it.each<Parameters>([
    { foo: 'bar' },
    { nonce: '' },
    { state: '' },
    { prompt: '' },
    { max_age: '' },
    { response_mode: '' },
    { id_token_hint: '' },
    { display: 'hologram' },
    { acr_values: 'x y' },
    { claims_locales: 'xx' },
    { login_hint: 'nobody at all' },
    { registration: '{}' },
  ])('is ignored: %j [AUT-025]', async (over) => {
    const rp = web1.elsewhere();
    const { page } = await rp.authorize(over);
    expect([page?.status, page?.heading]).toEqual([200, page?.find('#password') ? 'Enter your password' : 'Sign in']);
  });

  it('is ignored, and an unknown scope dropped: the token response contains what was granted [AUT-031]', async () => {
    const tokens = await web1.tokens(await world.cast.alice, {
      scope: 'openid unknownscope email urn:service:iam:nothing',
    });
    expect(tokens.scope).toBe('openid email');
  });
});

describe('Bytes that are not text', () => {
  it.each(['%00', 'openid%00', '%FF%FE', '%ED%A0%80', '%C0%AF', '%', '%zz'])(
    'are refused in any parameter: %s [AUT-026, AUT-027]',
    async (bytes) => {
      for (const name of ['scope', 'nonce', 'ui_locales', 'login_hint', 'foo']) {
        expectRefusal(web1, await web1.browser.get(rawPath([name], `${name}=${bytes}`)), 'invalid_request');
      }
      expectRefusal(web1, await web1.browser.get(rawPath(['state'], `state=${bytes}`)), 'invalid_request', {
        state: null,
      });
      expectPage400(await web1.browser.request('GET', rawPath(['client_id'], `client_id=web1${bytes}`)));
      expectPage400(
        await web1.browser.request('GET', rawPath(['redirect_uri'], `redirect_uri=https://rp1.test/cb${bytes}`)),
      );
    },
  );
});

describe('state', () => {
  it.each([
    ['4,096 characters', 'a'.repeat(4096)],
    ['line feeds', '\r\nSet-Cookie: a=b'],
    ['markup', '"><script>'],
    ['every kind of special character', ' +%2B&=#?/\\\'"<>é€😀\t'],
    ['text that looks encoded', '%41%2541'],
  ])('of %s comes back byte for byte, with an answer and with an error [AUT-028]', async (_, state) => {
    const alice = await world.cast.alice;
    expect((await web1.signIn(alice, { state }))['state']).toBe(state);
    const reply = await web1.authorizeOnce({ state, prompt: 'none login' });
    expect(answerOf(reply.location!)['state']).toBe(state);
    expect(reply.location).toMatch(/^[\x21-\x7e]+$/);
    expect(reply.header('set-cookie')).toBeUndefined();
  });

  it('of 64 kB is refused, never cut [AUT-028]', async () => {
    const get = await sendUnchecked(world.origin, { path: web1.authorizePath({ state: 'a'.repeat(65_536) }) });
    expect([400, 414, 431]).toContain(get.status);
    const post = await send(world.origin, {
      method: 'POST',
      path: paths.authorize,
      body: web1.parameters({ state: 'a'.repeat(65_536) }),
    });
    expect([400, 413]).toContain(post.status);
  });

  it('above 4,096 characters is refused on a page of ours, and nothing is stored [AUT-028]', async () => {
    const requests = await world.rows('SELECT count(*) FROM auth_request');
    for (const state of ['a'.repeat(4097), 'é'.repeat(9_000)]) {
      expectPage400(
        await send(world.origin, { method: 'POST', path: paths.authorize, body: web1.parameters({ state }) }),
      );
    }
    expect(await world.rows('SELECT count(*) FROM auth_request')).toEqual(requests);
  });
});

describe('nonce', () => {
  it('of 4,096 characters is accepted, and a longer one refused with invalid_request', async () => {
    expect((await web1.signIn(await world.cast.alice, { nonce: 'n'.repeat(4096) })).code).toBeDefined();
    await expectAuthorizeRefusal(web1, { nonce: 'n'.repeat(4097) }, 'invalid_request');
  });
});

describe('Request objects (OIDC Core §6)', () => {
  it('are not supported unsigned, and no address is fetched for one [AUT-033, JAR-009]', async () => {
    const sink = await openSink();
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"prompt":"none"}').toString('base64url')}.`;
    await expectAuthorizeRefusal(web1, { request: unsigned }, 'request_not_supported');
    await expectAuthorizeRefusal(web1, { request_uri: sink.url }, 'request_uri_not_supported');
    // Before the nonce is looked at.
    const imp1 = new RelyingParty(world, await world.cast.imp1);
    await expectAuthorizeRefusal(imp1, { request_uri: sink.url, nonce: undefined }, 'request_uri_not_supported', {
      mode: 'fragment',
    });
    expect(sink.connections).toBe(0);
    await sink.close();
  });

  const objectOf = (payload: string, header = '{"alg":"none"}'): string =>
    `${[header, payload].map((text) => Buffer.from(text).toString('base64url')).join('.')}.`;
  const bare = { state: undefined, nonce: undefined };

  it('are refused as they request, if the query does not: by response_mode and with state', async () => {
    const request = objectOf('{"response_mode":"form_post","state":"S2","redirect_uri":"https://evil.test/"}');
    const posted = await web1.authorize({ ...bare, request });
    expect(posted.page!.find('form')!.getAttribute('action')).toBe(web1.client.redirectUri);
    expect(web1.toAnswer(posted)).toMatchObject({ error: 'request_not_supported', state: 'S2' });
    await expectAuthorizeRefusal(
      web1,
      { ...bare, request: objectOf('{"response_mode":"fragment","state":"S2"}') },
      'request_not_supported',
      { mode: 'fragment', state: 'S2' },
    );
    // The query goes first.
    await expectAuthorizeRefusal(web1, { request, response_mode: 'query' }, 'request_not_supported');
  });

  it('do not affect any other refusal', async () => {
    const request = objectOf('{"response_mode":"form_post","state":"S2"}');
    await expectAuthorizeRefusal(web1, { ...bare, request, response_type: 'x' }, 'unsupported_response_type', {
      state: null,
    });
  });

  it.each<[string, string, string?]>([
    ['no JWT', 'x', 'invalid_request_object'],
    ['three parts of nothing', '..', 'invalid_request_object'],
    ['encrypted', 'a.b.c.d.e'],
    ['a list', objectOf('[]'), 'invalid_request_object'],
    ['nested deeply', objectOf(`{"state":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)],
    ['ambiguous', objectOf('{"state":"a","state":"b"}'), 'invalid_request_object'],
    ['of numbers', objectOf('{"state":1,"response_mode":2}')],
    ['empty', objectOf('{"state":"","response_mode":""}')],
    ['half a surrogate pair', objectOf('{"state":"\\ud800"}'), 'invalid_request_object'],
    ['NUL', objectOf('{"state":"a\\u0000"}'), 'invalid_request_object'],
    ['a state of 4,097 characters', objectOf(JSON.stringify({ state: 'x'.repeat(4_097) }))],
    ['an unknown mode', objectOf('{"response_mode":"smoke"}')],
    ['a query in the implicit flow', objectOf('{"response_mode":"web_message"}')],
  ])('that are %s are refused as if they were empty', async (_, request, error = 'request_not_supported') => {
    await expectAuthorizeRefusal(web1, { ...bare, request }, error, { state: null });
  });
});

describe('ui_locales', () => {
  it.each([
    ['de', 'de'],
    ['xx de', 'de'],
    ['de-CH', 'de'],
    ['DE', 'de'],
    ['en de', 'en'],
    ['uk', 'uk'],
    ['pt-BR', 'pt'],
    ['zh-Hans-SG', 'zh'],
    ['zh-Hant-HK', 'zh-TW'],
    ['iw', 'he'],
    [undefined, 'en'],
    ['', 'en'],
    ['../../../../etc/passwd', 'en'],
    ['xx '.repeat(2000), 'en'],
    ['__proto__ constructor', 'en'],
    ['*', 'en'],
  ])('%p shows the page in %s [AUT-034]', async (locales, language) => {
    const { page } = await web1.elsewhere().authorize({ ui_locales: locales });
    expect(page?.find('html')?.getAttribute('lang')).toBe(language);
  });

  it('falls back to the language of the browser', async () => {
    const rp = web1.elsewhere();
    rp.browser.acceptLanguage = 'da;q=0.9, de-AT;q=0.8, en;q=0.1';
    expect((await rp.authorize({ ui_locales: 'xx' })).page?.find('html')?.getAttribute('lang')).toBe('de');
  });

  it('of hundreds of invented tags does not use memory [AUT-034]', async () => {
    const visit = async (from: number): Promise<void> => {
      for (let i = from; i < from + 150; i += 1) {
        await send(world.origin, {
          path: `${paths.authorize}?${toQuery({ client_id: 'web1', ui_locales: `x${i}-invented${i}` })}`,
          headers: { 'Accept-Language': `y${i}` },
        });
      }
    };
    await visit(0);
    const before = heapInUse();
    await visit(1000);
    expect(heapInUse() - before).toBeLessThan(25_000_000);
  });
});

it('shows what was wrong with the request, in the language of the browser', async () => {
  const reply = await send(world.origin, {
    path: `${paths.authorize}?client_id=web1&redirect_uri=https://evil.test/`,
    headers: { 'Accept-Language': 'de' },
  });
  expect(new Page(reply, '').find('html')?.getAttribute('lang')).toBe('de');
});
