import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/foundation/page/paths.js';
import type { Page } from '../support/browser.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, errorsOf, pageOf, requestIdOf } from './turns.js';

let world: World;
let alice: TestPerson;
let wiki: TestClient;
let asking: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  const redirectUris = ['https://rp1.test/cb'];
  wiki = await world.add.client({
    projectId: await world.cast.projectP,
    name: 'Wiki',
    consentPage: true,
    redirectUris,
  });
});

afterAll(() => world.close());

beforeEach(() => {
  world.clock.advance('1m');
  asking = new RelyingParty(world, wiki);
});

async function toConsent(): Promise<Page> {
  return pageOf(await asking.enter(await asking.authorize({ prompt: 'consent', scope: 'openid email' }), alice));
}

describe('An application that wants a confirmation', () => {
  it('shows the user which application requests what, and for which account', async () => {
    const page = await toConsent();
    expect([page.status, page.title]).toEqual([200, 'Continue to Wiki? · orga.test']);
    expect(page.text).toContain('see your e-mail address');
    expect(page.text).toContain('Alice Liddell');
    expect(asking.toAnswer(await asking.browser.submit(page, { decision: 'continue' })).code).toBeDefined();
  });

  it('gets access_denied when the user declines, and the request is over', async () => {
    const page = await toConsent();
    const answer = asking.toAnswer(await asking.browser.submit(page, { decision: 'cancel' }));
    expect(answer).toMatchObject({ error: 'access_denied', state: 'S1', iss: world.issuer });
    expect(answer.code).toBeUndefined();
  });

  it('is not refused by a link of another party', async () => {
    const page = await toConsent();
    const reply = await asking.browser.request(
      'GET',
      `/oauth/v2/authorize/callback?id=${requestIdOf(page)}&cancel=guessed`,
    );
    expect([reply.status, reply.location]).toEqual([200, undefined]); // the page is shown once more
    expect(asking.toAnswer(await asking.browser.submit(page, { decision: 'continue' })).code).toBeDefined();
  });

  it('is given nothing by an answer that is neither yes nor no', async () => {
    const page = pageOf(await asking.browser.submit(await toConsent(), { decision: 'perhaps' }));
    expect([page.status, errorsOf(page)]).toEqual([400, ['This page was out of date. Please send the form again.']]);
    const again = pageOf(await asking.browser.get(`/oauth/v2/authorize/callback?id=${requestIdOf(page)}`));
    expect(again.title).toBe('Continue to Wiki? · orga.test');
  });

  it('is confirmed anew by another person', async () => {
    const bob = await world.cast.bob;
    const page = await toConsent();
    const { authRequestID, csrf } = page.forms[0]!.fields;
    const other = await asking.browser.post(paths.loginName, { authRequestID, csrf, loginName: bob.loginName });
    const asked = pageOf(await asking.enter(other, bob));
    expect([asked.title, asked.text]).toEqual([
      'Continue to Wiki? · orga.test',
      expect.stringContaining(bob.loginName),
    ]);
    expect(asking.toAnswer(await asking.browser.submit(asked, { decision: 'continue' })).code).toBeDefined();
  });

  it('is confirmed again by another user who comes after the first has left, though none was chosen', async () => {
    await asking.signIn(alice);
    const page = await begin(asking, { prompt: 'consent' }); // the only account of this browser continues
    await world.rows('UPDATE session SET ended_at = now() WHERE user_id = $1', [alice.id]);
    const bob = await world.cast.bob;
    await asking.signIn(bob);
    const asked = pageOf(
      await asking.enter(await asking.browser.get(`/oauth/v2/authorize/callback?id=${requestIdOf(page)}`), bob),
    );
    expect([asked.title, asked.text]).toEqual([
      'Continue to Wiki? · orga.test',
      expect.stringContaining(bob.loginName),
    ]);
  });

  it('is not asked about again in the same request, and not without prompt=consent', async () => {
    await asking.browser.submit(await toConsent(), { decision: 'continue' });
    expect(asking.toAnswer(await asking.authorize()).code).toBeDefined();
    expect((await begin(asking, { prompt: 'consent' })).title).toBe('Continue to Wiki? · orga.test');
  });
});
