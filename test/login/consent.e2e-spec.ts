import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { ClientService } from '../../src/project/client/client.service.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
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

/** Of which nobody has heard yet. */
async function another(): Promise<RelyingParty> {
  const projectId = await world.cast.projectP;
  const redirectUris = ['https://rp1.test/cb'];
  return new RelyingParty(world, await world.add.client({ projectId, consentPage: true, redirectUris }));
}

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

  it('says what claims would give away that it asks for by name, and asks again for others [LOG-127]', async () => {
    const asks = (...names: string[]) => ({
      scope: 'openid',
      claims: JSON.stringify({ userinfo: Object.fromEntries(names.map((name) => [name, null])) }),
    });
    const party = await another();
    const page = pageOf(await party.enter(await party.authorize(asks('email')), alice));
    expect(page.text).toContain('see your e-mail address');
    expect(party.toAnswer(await party.browser.submit(page, { decision: 'continue' })).code).toBeDefined();
    const silently = async (over: object) => party.toAnswer(await party.authorize({ ...over, prompt: 'none' })).error;
    expect(await silently(asks('email'))).toBeUndefined();
    expect(await silently({ scope: 'openid email' })).toBeUndefined();
    expect(await silently(asks('email', 'name'))).toBe('consent_required');
    expect(await silently({ scope: 'openid', claims: '{"id_token":{"phone_number":null}}' })).toBe('consent_required');
  });

  it('is not remembered as something that it has become while the page was open [ADM-041]', async () => {
    const party = await another();
    const page = pageOf(await party.enter(await party.authorize(), alice));
    const elsewhere = 'https://elsewhere.test/cb';
    const redirectUris = ['https://rp1.test/cb', elsewhere];
    await world.transaction((tx) =>
      world.get(ClientService).changeSettings(tx, party.client.id, { redirectUris }, EDITOR),
    );
    await world.changesToArrive();
    const again = pageOf(await party.browser.submit(page, { decision: 'continue' }));
    expect([again.status, errorsOf(again)]).toEqual([400, ['This page was out of date. Please send the form again.']]);
    const silently = { prompt: 'none', redirect_uri: elsewhere };
    expect(party.toAnswer(await party.authorize(silently)).error).toBe('consent_required');
    expect(party.toAnswer(await party.browser.submit(again, { decision: 'continue' })).code).toBeDefined();
  });
});
