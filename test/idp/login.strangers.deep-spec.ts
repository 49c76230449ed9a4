import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { KeyService } from '../../src/token/key/key.service.js';
import { pageOf } from '../login/turns.js';
import { Browser, type Page } from '../support/browser.js';
import { EDITOR } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { STRANGER_SECRET, StrangerProvider } from '../support/stranger-provider.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, leave, OUTBOUND } from './external.js';

let world: World;
let web1: RelyingParty;

const callback = (): string => `${world.issuer}/ui/login/login/externalidp/callback`;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
});
afterAll(() => world.close());
beforeEach(async () => {
  web1 = new RelyingParty(world, await world.cast.web1);
});

const userOf = async (idpId: string): Promise<Record<string, unknown> | undefined> => {
  const [row] = await world.rows<Record<string, unknown>>(
    `SELECT u.user_name, u.first_name, u.last_name, u.email, u.email_verified, u.phone, l.external_user_id, l.display_name FROM idp_link l JOIN user_account u ON u.id = l.user_id WHERE l.idp_id = $1`,
    [idpId],
  );
  return row;
};

describe('Signing in at npm oidc-provider, an independent implementation', () => {
  let stranger: StrangerProvider;
  let idpId: string;

  beforeAll(async () => {
    stranger = await StrangerProvider.start(callback(), (login) => ({
      name: 'Greta Stranger',
      given_name: 'Greta',
      family_name: 'Stranger',
      preferred_username: login,
      email: `${login}@mail.test`,
      email_verified: true,
      phone_number: '+41791234567',
      phone_number_verified: false,
    }));
    idpId = await addOidc(world, stranger.issuer, {
      autoRegister: true,
      name: 'Stranger',
      clientSecret: new Secret(STRANGER_SECRET),
    });
  });
  afterAll(() => stranger.close());

  /** Through its own pages: a name, any password, and consent. */
  async function signInThere(browser: Browser, url: string): Promise<string> {
    let now = await browser.get(url);
    for (let step = 0; step < 4 && now.page; step += 1) {
      now = await browser.submit(
        now.page,
        now.page.find('input[name="login"]') ? { login: 'greta', password: 'any' } : { prompt: 'consent' },
      );
    }
    if (now.redirect === undefined)
      throw new Error(`It did not send the browser back: ${now.page.text.slice(0, 300)} ${stranger.errors.join()}`);
    return now.redirect;
  }

  const there = (): Browser =>
    new Browser({ issuer: stranger.issuer, origin: stranger.issuer, plant: () => undefined });

  it('creates an account from its UserInfo response, and finds it the next time', async () => {
    const back = await signInThere(there(), await leave(web1, idpId));
    expect(web1.toAnswer(await web1.browser.get(back)).code).toBeDefined();
    expect(await userOf(idpId)).toEqual({
      user_name: 'greta',
      first_name: 'Greta',
      last_name: 'Stranger',
      email: 'greta@mail.test',
      email_verified: true,
      phone: '+41791234567',
      external_user_id: 'greta',
      display_name: 'greta',
    });
    const again = web1.elsewhere();
    expect(
      again.toAnswer(await again.browser.get(await signInThere(there(), await leave(again, idpId)))).code,
    ).toBeDefined();
    expect(stranger.errors).toEqual([]);
  });

  it('asks the person there once more when the application wants it', async () => {
    const browser = there();
    await web1.browser.get(await signInThere(browser, await leave(web1, idpId)));
    const rp = web1.elsewhere();
    const silent = await browser.get(await leave(rp, idpId));
    expect(silent.redirect).toMatch(callback()); // it knows the browser
    const url = await leave(rp, idpId, { prompt: 'login' });
    const asked = pageOf(await browser.get(url));
    expect(asked.find('input[name="login"]')).not.toBeNull();
    expect(rp.toAnswer(await rp.browser.get(await signInThere(browser, url))).code).toBeDefined();
  });

  it('is shown to users who cancel there', async () => {
    const browser = there();
    const page = pageOf(await browser.get(await leave(web1, idpId)));
    const cancel = page
      .all('a')
      .find(({ text }) => /cancel/i.test(text))!
      .getAttribute('href')!;
    const { redirect } = await browser.get(cancel);
    const refused = pageOf(await web1.browser.get(redirect!));
    expect([refused.status, refused.find('h1')?.text]).toEqual([400, 'You were not signed in']);
  });
});

describe('Signing in at another Gatehouse', () => {
  let other: World;
  let idpId: string;

  beforeAll(async () => {
    other = await startWorld();
    const { clientId, secret } = await other.add.client({
      projectId: await other.cast.projectP,
      clientId: 'the-other-gatehouse',
      redirectUris: [callback()],
      devMode: true,
    });
    idpId = await addOidc(world, other.issuer, {
      autoRegister: true,
      clientId,
      clientSecret: new Secret(secret!),
      usernameMapping: 'email',
    });
  });
  afterAll(() => other.close());

  it('creates an account from its claims, from page to page', async () => {
    const alice = await other.cast.alice;
    const there = new Browser(other);
    let now = await there.get(await leave(web1, idpId, { login_hint: alice.loginName }));
    for (let step = 0; step < 3 && now.page; step += 1) {
      const page: Page = now.page;
      now = await there.submit(
        page,
        page.find('input[name="password"]') ? { password: alice.password } : { loginName: alice.loginName },
      );
    }
    expect(now.redirect).toMatch(callback());
    expect(web1.toAnswer(await web1.browser.get(now.redirect!)).code).toBeDefined();
    expect(await userOf(idpId)).toEqual({
      user_name: 'alice@mail.test',
      first_name: 'Alice',
      last_name: 'Liddell',
      email: 'alice@mail.test',
      email_verified: true,
      phone: '+41791234567',
      external_user_id: alice.id,
      display_name: 'alice@orga.test',
    });
  });

  it('continues after that one has changed its key', async () => {
    const keys = other.get(KeyService);
    const signing = async (): Promise<string | undefined> =>
      (await keys.list()).find(({ state }) => state === 'active')?.id;
    const before = await signing();
    await keys.requestRotation(EDITOR);
    for (const { clock } of [world, other]) clock.advance('1h');
    await keys.maintain();
    await world.changesToArrive();
    expect(await signing()).not.toBe(before);
    const bob = await other.cast.bob;
    const there = new Browser(other);
    const first = pageOf(await there.get(await leave(web1, idpId, { login_hint: bob.loginName })));
    const { redirect } = await there.submit(first, { password: bob.password });
    expect(web1.toAnswer(await web1.browser.get(redirect!)).code).toBeDefined();
  });
});
