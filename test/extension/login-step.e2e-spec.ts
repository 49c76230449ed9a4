import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { AccountHolder } from '../account/account-turns.js';
import { beginPassword, pageOf, requestIdOf } from '../login/turns.js';
import type { TestPerson } from '../support/builders.js';
import { Device, outcomeOf } from '../support/device.js';
import type { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { accept, Newcomer, other, TermsStep, terms } from './login-steps.js';

const CALLBACK = '/oauth/v2/authorize/callback';
const TERMS = '/ui/login/ext/terms/accept';

let world: World;
let newcomer: Newcomer;
let alice: TestPerson;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ extensions: [terms, other] });
});
beforeEach(async () => {
  world.clock.advance('1m');
  newcomer = await Newcomer.in(world);
  ({ alice, web1 } = newcomer);
});
afterEach(() => {
  TermsStep.version = '1';
});
afterAll(() => world.close());

async function accepted(person = alice): Promise<string[]> {
  const rows = await world.rows<{ version: string }>(
    'SELECT version FROM ext_terms.accepted WHERE user_id = $1 ORDER BY 1',
    [person.id],
  );
  return rows.map(({ version }) => version);
}

describe('A login step of an extension', () => {
  it('is shown after the proof and before the answer, until it is taken, and then in no browser again', async () => {
    const page = pageOf(await newcomer.enter());
    expect([page.status, page.heading]).toEqual([200, 'Our terms']);
    expect(page.text).toContain(alice.loginName);
    expect(page.find('a[href="https://acme.example/terms"]')?.getAttribute('rel')).toBe('noopener noreferrer');
    expect(page.reply.header('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self' https:\/\/\S+; base-uri 'none'; frame-ancestors 'none'$/,
    );
    const answer = web1.toAnswer(await web1.browser.submit(page, accept));
    expect(answer.code).toBeDefined();
    expect(await accepted()).toEqual(['1']);
    expect((await web1.authorize()).redirect).toContain('code=');
    expect((await newcomer.enter(web1.elsewhere())).redirect).toContain('code=');
  });

  it('is shown again with its own words while its form is not filled in, and nothing is stored [LOG-041]', async () => {
    const page = pageOf(await newcomer.enter());
    const again = pageOf(await web1.browser.submit(page, { decision: 'continue', note: 'a "note"' }));
    expect([again.status, again.title]).toEqual([400, expect.stringMatching(/^Error: Our terms/)]);
    expect(again.find('#accepted-error')?.text).toBe('Accept the terms to continue.');
    expect(again.find('#accepted')?.getAttribute('aria-describedby')).toBe('accepted-error');
    expect(again.find('#note')?.getAttribute('value')).toBe('a "note"');
    const stale = pageOf(await web1.browser.submit(again, { note: '', accepted: 'on' }));
    expect(stale.status).toBe(400);
    expect(await accepted()).toEqual([]);
  });

  it('ends the sign-in when the user declines: the application gets access_denied', async () => {
    const arrival = await web1.browser.submit(pageOf(await newcomer.enter()), { decision: 'decline' });
    expect(web1.toAnswer(arrival)).toMatchObject({ error: 'access_denied', state: 'S1' });
    expect(await accepted()).toEqual([]);
  });

  it('is due for a user who is signed in already, and prompt=none says so', async () => {
    await newcomer.signedIn();
    TermsStep.version = '2';
    const silent = web1.toAnswer(await web1.authorize({ prompt: 'none' }));
    expect(silent).toMatchObject({ error: 'interaction_required', state: 'S1' });
    const page = pageOf(await web1.authorize());
    expect(page.heading).toBe('Our terms');
    expect(web1.toAnswer(await web1.browser.submit(page, accept)).code).toBeDefined();
    expect(await accepted()).toEqual(['1', '2']);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
  });

  it('does not touch tokens that an application has', async () => {
    const page = pageOf(
      await newcomer.pastOffer(web1, await web1.enter(await web1.authorize({ scope: 'openid offline_access' }), alice)),
    );
    const { code } = web1.toAnswer(await web1.browser.submit(page, accept));
    const tokens = (await web1.redeem(code!)).json<{ refresh_token: string }>();
    TermsStep.version = '2';
    expect((await web1.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('is asked about each account of a browser', async () => {
    await newcomer.signedIn();
    const bob = await world.add.person({ orgId: alice.orgId });
    const asked = await web1.authorize({ login_hint: bob.loginName });
    const page = pageOf(await newcomer.pastOffer(web1, await web1.enter(asked, bob)));
    expect(page.heading).toBe('Our terms');
    expect(page.text).toContain(bob.loginName);
    await web1.browser.submit(page, accept);
    expect([await accepted(), await accepted(bob)]).toEqual([['1'], ['1']]);
  });

  it('speaks the language of its reader, and says in which one it speaks otherwise', async () => {
    web1.browser.acceptLanguage = 'de';
    const german = pageOf(await newcomer.enter());
    expect([german.heading, german.find('.ext-step')?.getAttribute('lang')]).toEqual(['Unsere Bedingungen', undefined]);
    const french = web1.elsewhere();
    french.browser.acceptLanguage = 'fr';
    const english = pageOf(await newcomer.enter(french));
    expect([english.heading, english.find('.ext-step')?.getAttribute('lang')]).toEqual(['Our terms', 'en']);
    expect(english.find('html')?.getAttribute('lang')).toBe('fr');
  });

  it('accepts a form that is sent twice', async () => {
    const page = pageOf(await newcomer.enter());
    const replies = await Promise.all([web1.browser.submitOnce(page, accept), web1.browser.submitOnce(page, accept)]);
    const codes = replies.map(({ location }) => new URL(location!).searchParams.get('code'));
    expect(codes).toEqual([expect.any(String), expect.any(String)]);
    expect((await web1.redeem(codes[0]!)).status).toBe(200);
    expect(await accepted()).toEqual(['1']);
  });
});

describe('No way leads past a login step of an extension [LOG-040]', () => {
  it('not the callback, not the hub, and not the form of a later step', async () => {
    const page = pageOf(await newcomer.enter());
    const id = encodeURIComponent(requestIdOf(page));
    const { authRequestID, csrf } = page.formWith('authRequestID').fields;
    for (const arrival of [
      await web1.browser.get(`${CALLBACK}?id=${id}`),
      await web1.browser.get(`${paths.hub}?authRequestID=${id}`),
      await web1.browser.post(paths.hub, { authRequestID, csrf }),
      await web1.browser.post(paths.consent, { authRequestID, csrf, decision: 'continue' }),
    ])
      expect(pageOf(arrival).heading).toBe('Our terms');
    expect(await accepted()).toEqual([]);
  });

  it('not its own form before the password: it is not taken, and the extension learns of nobody', async () => {
    const page = await beginPassword(web1, alice.loginName);
    const { authRequestID, csrf } = page.formWith('authRequestID').fields;
    const arrival = pageOf(await web1.browser.post(TERMS, { authRequestID, csrf, ...accept }));
    expect(arrival.find('input[name="password"]')).not.toBeNull();
    expect(await accepted()).toEqual([]);
  });

  it('not a form without its token, or of another browser or another sign-in', async () => {
    const page = pageOf(await newcomer.enter());
    const { authRequestID, csrf } = page.formWith('authRequestID').fields;
    const thief = web1.elsewhere();
    await thief.authorize();
    for (const [browser, form] of [
      [web1.browser, { authRequestID, ...accept }],
      [web1.browser, { authRequestID, csrf: `${csrf}x`, ...accept }],
      [thief.browser, { authRequestID, csrf, ...accept }],
    ] as const)
      expect((await browser.request('POST', TERMS, form)).status).toBe(403);
    expect((await web1.browser.request('GET', TERMS)).status).toBe(405);
    expect(await accepted()).toEqual([]);
  });

  it('not the account page, nor a form of it', async () => {
    const holder = new AccountHolder(world, alice);
    const page = await holder.open();
    expect(page.heading).toBe('Our terms');
    expect(pageOf(await holder.browser.get(paths.accountData)).heading).toBe('Our terms');
    const account = pageOf(await holder.browser.submit(page, accept));
    expect(account.path).toBe(paths.account);
    const profile = pageOf(await holder.browser.get(paths.accountProfile));
    TermsStep.version = '2';
    const { csrf } = profile.formWith('csrf').fields;
    const refused = await holder.browser.request('POST', paths.accountProfile, { csrf, firstName: 'Mallory' });
    expect(refused.status).toBe(403);
  });

  it('not a device: it comes before the decision about it', async () => {
    const tv = await world.add.client({
      projectId: await world.cast.projectP,
      name: 'Television',
      authMethod: 'none',
      clientType: 'native',
      grantTypes: ['device_code'],
      redirectUris: [],
    });
    const device = new Device(world, tv);
    const codes = await device.start();
    const asked = await device.type(codes.user_code);
    const page = pageOf(await newcomer.pastOffer(device.client, await device.client.enter(asked, alice)));
    expect(page.heading).toBe('Our terms');
    const { authRequestID, csrf } = page.formWith('authRequestID').fields;
    const skipped = await device.browser.post(paths.deviceConfirm, { authRequestID, csrf, decision: 'continue' });
    expect(pageOf(skipped).heading).toBe('Our terms');
    expect(outcomeOf(await device.pollLater(codes))).toBe('authorization_pending');
    const confirm = pageOf(await device.browser.submit(page, accept));
    await device.browser.submit(confirm, { decision: 'continue' });
    expect(outcomeOf(await device.pollLater(codes))).toBe('ok');
  });
});

describe('An extension with a login step', () => {
  it('is required: a process without it would let users past', () => {
    expect([terms.required, other.required]).toEqual([true, true]);
  });
});
