import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { begin, pageOf } from '../login/turns.js';
import type { TestPerson } from '../support/builders.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, comeBack, leave, link, OUTBOUND, visit } from './external.js';

let world: World;
let upstream: Upstream;
let alice: TestPerson;
let web1: RelyingParty;
let idpId: string;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  alice = await world.cast.alice;
  idpId = await addOidc(world, upstream.issuer, { name: 'Example accounts' });
  await link(world, idpId, alice.id, alice.orgId, 'alice-there');
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  upstream.lies = {};
});

describe('Signing in through an OpenID provider', () => {
  it('is a button on the first page', async () => {
    const page = await begin(web1);
    const [button] = page.all('.providers button');
    expect(button?.text).toBe('Continue with Example accounts');
    const arrival = await web1.browser.press(page, 'Continue with Example accounts');
    expect(arrival.redirect).toMatch(`${upstream.issuer}/authorize?`);
  });

  it('asks the provider by code, PKCE, state and nonce, each new each time', async () => {
    const first = new URL(await leave(web1, idpId, { login_hint: undefined })).searchParams;
    expect(Object.fromEntries(first)).toEqual({
      response_type: 'code',
      client_id: 'gatehouse',
      redirect_uri: `${world.issuer}/ui/login/login/externalidp/callback`,
      scope: 'openid profile email phone',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const second = new URL(await leave(web1, idpId)).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) expect(second.get(name)).not.toBe(first.get(name));
  });

  it('asks for the configured scopes, and always for openid', async () => {
    const own = await addOidc(world, upstream.issuer, { scopes: ['email', 'groups'] });
    expect(new URL(await leave(web1, own)).searchParams.get('scope')).toBe('openid email groups');
  });

  it('ends at the application, as the linked account', async () => {
    const answer = web1.toAnswer(await visit(web1, upstream, idpId, { sub: 'alice-there' }));
    expect(answer).toEqual({ state: 'S1', code: expect.any(String), iss: world.issuer });
    const claims = decodeJwt(tokensOf(await web1.redeem(answer['code']!)).id_token);
    expect(claims).toMatchObject({ sub: alice.id, auth_time: world.now() });
    expect(claims['amr']).toBeUndefined();
  });

  it('counts as one factor where the application asks', async () => {
    const answer = web1.toAnswer(await visit(web1, upstream, idpId, { sub: 'alice-there' }, { acr_values: '1' }));
    expect(decodeJwt(tokensOf(await web1.redeem(answer['code']!)).id_token)['acr']).toBe('1');
  });

  it('gives the browser a new cookie value', async () => {
    const before = await leave(web1, idpId);
    const [cookie] = [...web1.browser.cookies.values()];
    await comeBack(web1.browser, upstream.answerTo(before, { sub: 'alice-there' }));
    expect([...web1.browser.cookies.values()][0]).not.toBe(cookie);
  });

  it('is remembered: the next request is answered at once, until the lifetime of the login policy is over', async () => {
    await visit(web1, upstream, idpId, { sub: 'alice-there' });
    expect(web1.toAnswer(await web1.authorize()).code).toBeDefined();
    world.clock.advance('239h');
    expect(web1.toAnswer(await web1.authorize()).code).toBeDefined();
    world.clock.advance('2h');
    const page = pageOf(await web1.authorize());
    expect(page.find('input[name="password"]')).not.toBeNull();
    expect(page.all('.providers button').map(({ text }) => text)).toEqual(['Continue with Example accounts']);
  });

  it('takes the answer as a form as well (OAuth 2.0 Form Post Response Mode)', async () => {
    const answer = upstream.answerTo(await leave(web1, idpId), { sub: 'alice-there' });
    const browser = web1.browser.copy();
    browser.cookies.clear(); // as browsers do with a form of another site
    const reply = await browser.request('POST', '/ui/login/login/externalidp/callback', answer);
    expect([reply.status, reply.location]).toEqual([
      303,
      expect.stringContaining('/ui/login/login/externalidp/callback?state='),
    ]);
    expect(web1.toAnswer(await web1.browser.get(reply.location!)).code).toBeDefined();
  });

  it('passes on that the person must prove themselves anew, and sees whether they did', async () => {
    const url = await leave(web1, idpId, { prompt: 'login', max_age: 60 });
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ prompt: 'login', max_age: '60' });
    const old = pageOf(
      await comeBack(web1.browser, upstream.answerTo(url, { sub: 'alice-there', auth_time: world.now() - 3600 })),
    );
    expect([old.status, old.heading]).toEqual([400, 'Sign-in did not work']);
    const fresh = await visit(
      web1,
      upstream,
      idpId,
      { sub: 'alice-there', auth_time: world.now() },
      { prompt: 'login', max_age: 60 },
    );
    expect(web1.toAnswer(fresh).code).toBeDefined();
  });

  it('sends a user without a password there once more', async () => {
    const dora = await world.add.person({ orgId: alice.orgId, password: '', state: 'active' });
    await link(world, idpId, dora.id, dora.orgId, 'dora-there');
    await visit(web1, upstream, idpId, { sub: 'dora-there' });
    world.clock.advance('1m');
    const page = pageOf(await web1.authorize({ prompt: 'login' }));
    expect([page.heading, page.find('input[name="password"]')]).toEqual(['Confirm that it is you', null]);
    const arrival = await web1.browser.press(page, 'Continue with Example accounts');
    const back = await comeBack(
      web1.browser,
      upstream.answerTo(arrival.redirect!, { sub: 'dora-there', auth_time: world.now() }),
    );
    expect(web1.toAnswer(back).code).toBeDefined();
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
    world.clock.advance('1s');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none', max_age: 0 })).error).toBe('login_required');
  });
});
