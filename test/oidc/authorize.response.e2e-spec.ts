import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Database } from '../../src/foundation/database/database.js';
import { ClientRow } from '../../src/project/client/client.entity.js';
import { type Parameters, send } from '../support/http.js';
import { answerOf, paths, RelyingParty } from '../support/relying-party.js';
import { expectAuthorizeRefusal, expectRefusal, XSS } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;
let imp1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
  imp1 = new RelyingParty(world, await world.cast.imp1);
});
afterAll(() => world.close());

describe('response_type', () => {
  it.each([undefined, ''])('is required: %p [AUT-035]', async (type) => {
    await expectAuthorizeRefusal(web1, { response_type: type }, 'invalid_request');
  });

  it.each(['token', 'code token', 'code id_token', 'code id_token token', 'none', 'CODE', 'foo', 'code code'])(
    '%s is not supported [AUT-035]',
    async (type) => {
      // Where `token` alone is asked for, the answer would have come in a fragment, and so does the error.
      await expectAuthorizeRefusal(web1, { response_type: type }, 'unsupported_response_type', {
        mode: type === 'token' ? 'fragment' : 'query',
      });
    },
  );

  it('is one that the client is registered for [AUT-036]', async () => {
    await expectAuthorizeRefusal(web1, { response_type: 'id_token token' }, 'unauthorized_client', {
      mode: 'fragment',
    });
    await expectAuthorizeRefusal(web1, { response_type: 'id_token' }, 'unauthorized_client', { mode: 'fragment' });
    await expectAuthorizeRefusal(imp1, { response_type: 'code' }, 'unauthorized_client');
  });

  it('is a set of words: token id_token is id_token token', async () => {
    const answer = await imp1.signIn(await world.cast.alice, { response_type: 'token id_token' });
    expect(Object.keys(answer).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'iss',
      'scope',
      'state',
      'token_type',
    ]);
  });
});

describe('The implicit flow (OIDC Core §3.2)', () => {
  it('answers in the fragment with tokens that hold together', async () => {
    const arrival = await imp1.enter(await imp1.authorize({ scope: 'openid email' }), await world.cast.alice);
    expect(arrival.redirect).toMatch(/^https:\/\/spa\.test\/cb#/);
    const answer = answerOf(arrival.redirect!);
    expect(answer).toMatchObject({
      token_type: 'Bearer',
      expires_in: '43200',
      scope: 'openid email',
      state: 'S1',
      iss: world.issuer,
    });
    const payload = await imp1.verify(answer['id_token']!);
    expect(payload).toMatchObject({ nonce: 'N1', azp: 'imp1', aud: 'imp1', at_hash: expect.any(String) });
    // The claims of the scopes are fetched with the access token.
    expect(payload).not.toHaveProperty('email');
    expect((await imp1.userinfo(answer['access_token']!)).json()).toMatchObject({ email: 'alice@mail.test' });
  });

  it.each([undefined, ''])('requires a nonce: %p [AUT-037]', async (nonce) => {
    for (const type of ['id_token token', 'id_token']) {
      await expectAuthorizeRefusal(imp1, { response_type: type, nonce }, 'invalid_request', { mode: 'fragment' });
    }
  });

  it('with response_type=id_token gives no access token, but the claims of the scopes [AUT-038]', async () => {
    const alice = await world.cast.alice;
    await imp1.signIn(alice);
    const before = await world.contents();
    const answer = await imp1.signIn(alice, { response_type: 'id_token', scope: 'openid email profile' });
    expect(Object.keys(answer).sort()).toEqual(['expires_in', 'id_token', 'iss', 'scope', 'state', 'token_type']);
    const { exp, iat } = decodeJwt(answer['id_token']!);
    expect(answer).toMatchObject({
      token_type: 'Bearer',
      scope: 'openid email profile',
      expires_in: String(exp! - iat!),
    });
    const payload = await imp1.verify(answer['id_token']!);
    expect(payload).toMatchObject({ email: 'alice@mail.test', email_verified: true, given_name: 'Alice' });
    expect(payload).not.toHaveProperty('at_hash');
    expect(await world.contents()).toBe(before);
  });

  it('never gives a refresh token', async () => {
    const answer = await imp1.signIn(await world.cast.alice, { scope: 'openid offline_access' });
    expect(answer['refresh_token']).toBeUndefined();
    expect(answer['scope']).toBe('openid');
  });
});

describe('response_mode', () => {
  it('query is refused for tokens: they never travel in a query [AUT-039]', async () => {
    for (const type of ['id_token token', 'id_token']) {
      await expectAuthorizeRefusal(imp1, { response_type: type, response_mode: 'query' }, 'invalid_request', {
        mode: 'fragment',
      });
    }
  });

  it.each(['form_post.jwt', 'query.jwt', 'web_message', 'foo', 'QUERY'])(
    '%s is not supported [AUT-040]',
    async (mode) => {
      await expectAuthorizeRefusal(web1, { response_mode: mode }, 'invalid_request');
    },
  );

  it('fragment is honoured for a code, with an answer and with an error', async () => {
    const arrival = await web1.enter(await web1.authorize({ response_mode: 'fragment' }), await world.cast.alice);
    expect(arrival.redirect).toMatch(/^https:\/\/rp1\.test\/cb#code=/);
    await expectAuthorizeRefusal(web1, { response_mode: 'fragment', prompt: 'none login' }, 'invalid_request', {
      mode: 'fragment',
    });
  });
});

describe('response_mode=form_post', () => {
  it.each<Parameters>([{}, { prompt: 'none' }, { prompt: 'none login' }])(
    'answers and refuses by a form to the redirect URI: %j',
    async (over) => {
      const rp = web1.elsewhere();
      const arrival = await rp.enter(
        await rp.authorize({ response_mode: 'form_post', ...over }),
        await world.cast.alice,
      );
      const form = arrival.page!.forms[0]!;
      expect([form.action, form.method]).toEqual(['https://rp1.test/cb', 'POST']);
      expect(form.fields).toMatchObject({ state: 'S1', iss: world.issuer });
      expect(arrival.page!.find('button')).not.toBeNull();
    },
  );

  it.each(XSS)('escapes every value: %p [AUT-041]', async (state) => {
    const { page } = await web1.enter(
      await web1.authorize({ response_mode: 'form_post', state }),
      await world.cast.alice,
    );
    expect(page!.forms[0]!.fields['state']).toBe(state);
    expect(page!.all('script').map((script) => [script.getAttribute('src'), script.text])).toEqual([
      ['/oauth/v2/authorize/form-post.js', ''],
    ]);
    const policy = page!.reply.header('content-security-policy')!;
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toMatch(/form-action 'self' https:\/\/rp1\.test(;|$)/);
  });

  it('posts to web addresses only, whatever is registered or planted [AUT-041]', async () => {
    const planted = await world.add.client({ projectId: await world.cast.projectP });
    await world.get(Database).entities.update(ClientRow, { id: planted.id }, { redirectUris: ['javascript:x()'] });
    const rp = new RelyingParty(world, { ...planted, redirectUri: 'javascript:x()' });
    const nat1 = new RelyingParty(world, await world.cast.nat1);
    for (const [party, uri] of [
      [rp, 'javascript:x()'],
      [nat1, 'com.example.app:/cb'],
    ] as const) {
      const arrival = await party.enter(
        await party.authorize({ response_mode: 'form_post', redirect_uri: uri }),
        await world.cast.alice,
      );
      expect(arrival.page).toBeUndefined();
      expect(answerOf(arrival.redirect!)['error']).toBe('invalid_request');
    }
  });

  it('has a script that submits the form, in a file of ours', async () => {
    const reply = await send(world.origin, { path: '/oauth/v2/authorize/form-post.js' });
    expect(reply.header('content-type')).toBe('text/javascript; charset=utf-8');
    expect(reply.text).toContain('submit');
  });
});

describe('nonce', () => {
  it.each([
    ['one character', 'n'],
    ['2 kB', 'n'.repeat(2048)],
    ['special characters', 'é"<>& +%2B'],
  ])('of %s is in the id_token byte for byte [AUT-042]', async (_, nonce) => {
    const alice = await world.cast.alice;
    expect(decodeJwt((await web1.tokens(alice, { nonce })).id_token)['nonce']).toBe(nonce);
    expect(decodeJwt((await imp1.signIn(alice, { nonce }))['id_token']!)['nonce']).toBe(nonce);
  });

  it('is left out where none was sent', async () => {
    expect(decodeJwt((await web1.tokens(await world.cast.alice, { nonce: undefined })).id_token)).not.toHaveProperty(
      'nonce',
    );
  });
});

describe('iss (RFC 9207)', () => {
  it('is in every response, and discovery says so [AUT-062]', async () => {
    const alice = await world.cast.alice;
    expect((await web1.signIn(alice))['iss']).toBe(world.issuer);
    expect((await imp1.signIn(alice))['iss']).toBe(world.issuer);
    expectRefusal(web1, await web1.elsewhere().authorize({ prompt: 'none' }), 'login_required');
    const discovery = (await send(world.origin, { path: paths.discovery })).json();
    expect([discovery['issuer'], discovery['authorization_response_iss_parameter_supported']]).toEqual([
      world.issuer,
      true,
    ]);
  });
});

describe('claims (OIDC Core §5.5)', () => {
  const claims = (value: unknown): Parameters => ({
    claims: typeof value === 'string' ? value : JSON.stringify(value),
  });

  it('asked for by name come where they were asked for, when the person has them', async () => {
    const tokens = await web1.tokens(
      await world.cast.alice,
      claims({
        id_token: { email: null, auth_time: { essential: true } },
        userinfo: { birthdate: null, nothing: null, name: { value: 'x' } },
      }),
    );
    const payload = await web1.verify(tokens.id_token);
    expect(payload).toMatchObject({ email: 'alice@mail.test' });
    expect(payload).not.toHaveProperty('birthdate');
    expect((await web1.userinfo(tokens.access_token)).json()).toEqual({
      sub: payload.sub,
      birthdate: '1852-05-04',
      name: 'Alice Liddell',
    });
  });

  it('naming a person are answered for that person alone: OIDC Core §5.5.1', async () => {
    const [alice, bob] = [await world.cast.alice, await world.cast.bob];
    const rp = web1.elsewhere();
    await rp.signIn(alice);
    await expectAuthorizeRefusal(
      rp,
      { prompt: 'none', ...claims({ id_token: { sub: { value: bob.id } } }) },
      'login_required',
    );
    await expectAuthorizeRefusal(
      rp,
      { prompt: 'none', ...claims({ id_token: { sub: { value: 'a\u0000b' } } }) },
      'invalid_request',
    );
    expect(
      (await rp.signIn(alice, { prompt: 'none', ...claims({ id_token: { sub: { value: alice.id } } }) }))['code'],
    ).toBeDefined();
  });

  it.each([
    '{',
    '[]',
    'null',
    '"x"',
    '1',
    '{"id_token":[]}',
    '{"userinfo":"x"}',
    '{"id_token":{"sub":{"value":"a"}},"id_token":{}}',
    '{"id_token":{"acr":{"essential":true},"acr":null}}',
  ])('that are not an object of claims are refused: %s', async (text) => {
    await expectAuthorizeRefusal(web1, claims(text), 'invalid_request');
  });

  it('with the names of prototypes and of the token itself change nothing', async () => {
    const tokens = await web1.tokens(
      await world.cast.alice,
      claims(
        '{"id_token":{"__proto__":null,"iss":{"value":"x"},"aud":null},"userinfo":{"__proto__":null,"constructor":null}}',
      ),
    );
    expect((await web1.verify(tokens.id_token)).iss).toBe(world.issuer);
    expect(Object.keys((await web1.userinfo(tokens.access_token)).json())).toEqual(['sub']);
  });

  it.each<[string, unknown]>([
    ['one value', { essential: true, value: '3' }],
    ['several values', { essential: true, values: ['0', 'urn:mace:incommon:iap:silver'] }],
    ['what is no text', { essential: true, values: [2] }],
  ])('an essential acr that no sign-in comes to is refused before any page: %s: OIDC Core §5.5.1.1', async (_, acr) => {
    const alice = await world.cast.alice;
    const rp = web1.elsewhere();
    const before = await world.contents();
    await expectAuthorizeRefusal(rp, claims({ id_token: { acr } }), 'unmet_authentication_requirements');
    expect(await world.contents()).toBe(before);
    await rp.signIn(alice);
    for (const prompt of ['none', 'login', undefined])
      await expectAuthorizeRefusal(
        rp,
        { prompt, ...claims({ id_token: { acr } }) },
        'unmet_authentication_requirements',
      );
    await expectAuthorizeRefusal(imp1, claims({ id_token: { acr } }), 'unmet_authentication_requirements', {
      mode: 'fragment',
    });
  });

  it.each<[string, unknown]>([
    ['among those that will do', { essential: true, values: ['2', '1'] }],
    ['as the one value', { essential: true, value: '1' }],
    ['of no particular value', { essential: true }],
    ['as a wish', { value: '2' }],
    ['as a wish in words', { essential: false, values: ['2'] }],
    ['asked for by name', null],
  ])('an acr that is met, or voluntary, is reported correctly: %s: OIDC Core §5.5.1.1', async (_, acr) => {
    const tokens = await web1.tokens(await world.cast.alice, claims({ id_token: { acr } }));
    expect(await web1.verify(tokens.id_token)).toMatchObject({ acr: '1' });
  });

  it('acr is returned if it was requested, and only then', async () => {
    const alice = await world.cast.alice;
    expect(await web1.verify((await web1.tokens(alice)).id_token)).not.toHaveProperty('acr');
    expect(await web1.verify((await web1.tokens(alice, { acr_values: '2 1' })).id_token)).toMatchObject({ acr: '1' });
    expect(
      await web1.verify((await web1.tokens(alice, claims({ id_token: { acr: { essential: true } } }))).id_token),
    ).toMatchObject({ acr: '1' });
  });
});
