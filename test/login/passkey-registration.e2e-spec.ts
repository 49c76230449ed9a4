import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Authenticator } from '../support/authenticator.js';
import type { Page } from '../support/browser.js';
import { uniqueName } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { proofOf, setPolicy, withApp } from './factor-turns.js';
import { invite, linkTo, personRow } from './invited.js';
import { answer, ORIGIN, optionsOf } from './passkey-turns.js';
import { begin, enterCode, errorsOf, pageOf } from './turns.js';

const CREATED = 'Passkey created';

let world: World;
let web1: RelyingParty;
let orgId: string;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
  orgId = (await world.add.org()).id;
  await setPolicy(world, orgId, { allowRegister: true });
});
afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

const make = async (page: Page, device: Authenticator, client = web1): Promise<Page> =>
  pageOf(await client.browser.submit(page, { credential: device.create(optionsOf(page)) }));

/** From the page that names the new passkey to the answer of the application. */
async function finish(page: Page, client = web1): Promise<Record<string, unknown>> {
  expect(page.heading).toBe(CREATED);
  const codes = pageOf(await client.browser.submit(page, { name: 'Phone' }));
  for (const code of codes.all('.codes code')) world.plant(code.text);
  return proofOf(client, await client.browser.submit(codes, { decision: 'kept' }));
}

interface Entered {
  readonly page: Page;
  readonly email: string;
}

async function register(over: Parameters = {}, ofOrg = orgId): Promise<Entered> {
  const email = `${uniqueName('new')}@mail.test`;
  const scope = `openid urn:service:iam:org:id:${ofOrg}`;
  const page = await begin(web1, { prompt: 'create', scope });
  const entry = { email, firstName: 'New', lastName: 'Person', passkey: '', ...over };
  return { page: pageOf(await web1.browser.submit(page, entry)), email: String(entry.email) };
}

const accountsWith = (email: string): Promise<Array<Record<string, unknown>>> =>
  world.rows('SELECT id, email_verified, password_hash FROM user_account WHERE email = $1', [email]);

describe('Registration with a passkey', () => {
  it('needs no password, and begins the account once the address is verified and the passkey is made', async () => {
    const { page, email } = await register();
    expect(page.title).toContain('Confirm your e-mail address');
    const press = pageOf(await enterCode(world, web1, page, email));
    expect([press.text, press.find('noscript')?.text]).toEqual([
      expect.stringContaining(email),
      expect.stringContaining('JavaScript'),
    ]);
    expect(await accountsWith(email)).toMatchObject([{ email_verified: false, password_hash: null }]);
    const device = new Authenticator(ORIGIN);
    expect(await finish(await make(press, device))).toMatchObject({ amr: ['user', 'mfa'] });
    expect(await accountsWith(email)).toMatchObject([{ email_verified: true, password_hash: null }]);
    const elsewhere = web1.elsewhere();
    expect(elsewhere.toAnswer(await answer(elsewhere, await begin(elsewhere), device)).code).toBeDefined();
  });

  it('asks for nothing else where passwords are not allowed, and is closed where neither is', async () => {
    const { id } = await world.add.org();
    await setPolicy(world, id, { allowRegister: true, allowUsernamePassword: false });
    const scope = `openid urn:service:iam:org:id:${id}`;
    const page = await begin(web1, { prompt: 'create', scope });
    expect([page.find('#password'), page.find('#submit')?.text]).toEqual([null, 'Create account']);
    const { page: code, email } = await register({ passkey: undefined }, id);
    await finish(await make(pageOf(await enterCode(world, web1, code, email)), new Authenticator(ORIGIN)));
    await setPolicy(world, id, { passwordlessType: 'not_allowed' });
    expect((await begin(web1.elsewhere(), { prompt: 'create', scope })).find('#email')).toBeNull();
  });

  it('is taken as one with a password where passkeys are not allowed', async () => {
    const { id } = await world.add.org();
    await setPolicy(world, id, { allowRegister: true, passwordlessType: 'not_allowed' });
    const { page } = await register({ password: '' }, id);
    expect([page.status, page.find('button[name="passkey"]')]).toEqual([400, null]);
    expect(errorsOf(page)).not.toEqual([]);
  });

  it('keeps its code when the key is refused, and ends with a second registration', async () => {
    const { page, email } = await register();
    const press = pageOf(await enterCode(world, web1, page, email));
    const refused = pageOf(await web1.browser.submit(press, { credential: '{}' }));
    expect([refused.status, refused.find('form[data-passkey]')]).toEqual([400, expect.anything()]);
    const [first] = await accountsWith(email);
    await register({ email });
    const [second] = await accountsWith(email);
    expect(second?.['id']).not.toBe(first?.['id']);
    expect((await make(refused, new Authenticator(ORIGIN))).status).toBe(400);
    expect(await accountsWith(email)).toMatchObject([{ email_verified: false }]);
  });

  it('can be finished with the link of the mail in another browser, whose owner then has the key', async () => {
    const { page, email } = await register();
    const elsewhere = web1.elsewhere();
    const code = pageOf(await elsewhere.browser.get(await linkTo(world, email)));
    const press = pageOf(await elsewhere.browser.submit(code, {}));
    const device = new Authenticator(ORIGIN);
    expect((await make(press, device, elsewhere)).status).toBe(200);
    expect(await accountsWith(email)).toMatchObject([{ email_verified: true }]);
    // Nothing is left for the browser in which it began.
    expect(errorsOf(pageOf(await web1.browser.submit(page, { code: 'AAAAAA' })))).not.toEqual([]);
    const third = web1.elsewhere();
    expect((await answer(third, await begin(third), device)).page?.heading).not.toContain('Error');
  });
});

describe('An invited user', () => {
  it('may choose a passkey instead of a password, and is signed in with it', async () => {
    const { id, email } = await invite(world, orgId);
    const page = pageOf(await web1.browser.get(await linkTo(world, email)));
    const press = pageOf(await web1.browser.submit(page, { passkey: '' }));
    expect(await personRow(world, id)).toMatchObject({ state: 'initial' });
    const device = new Authenticator(ORIGIN);
    await make(press, device);
    expect(await personRow(world, id)).toMatchObject({ state: 'active', email_verified: true, password_hash: null });
    const elsewhere = web1.elsewhere();
    const arrival = await answer(elsewhere, await begin(elsewhere), device);
    expect(arrival.page?.heading ?? 'answered').not.toContain('Error');
  });

  it('uses the code once, in two browsers at once', async () => {
    const { id, email } = await invite(world, orgId);
    const path = await linkTo(world, email);
    const clients = [web1, web1.elsewhere()];
    const pages: Page[] = [];
    for (const { browser } of clients)
      pages.push(pageOf(await browser.submit(pageOf(await browser.get(path)), { passkey: '' })));
    await Promise.all(
      pages.map((page, n) =>
        clients[n]!.browser.submit(page, { credential: new Authenticator(ORIGIN).create(optionsOf(page)) }),
      ),
    );
    expect(await world.rows("SELECT 1 FROM auth_factor WHERE user_id = $1 AND kind = 'passkey'", [id])).toHaveLength(1);
  });

  it('chooses a password where passkeys are not allowed, or a second factor came with an import [PKY-021]', async () => {
    const closed = (await world.add.org()).id;
    await setPolicy(world, closed, { passwordlessType: 'not_allowed' });
    const first = await invite(world, closed);
    const page = pageOf(await web1.browser.get(await linkTo(world, first.email)));
    expect(page.find('button[name="passkey"]')).toBeNull();
    const second = await invite(world, orgId);
    await withApp(world, second);
    const other = pageOf(await web1.browser.get(await linkTo(world, second.email)));
    const refused = pageOf(await web1.browser.submit(other, { passkey: '' }));
    expect([refused.status, refused.find('#password')]).toEqual([400, expect.anything()]);
    expect(refused.find('form[data-passkey]')).toBeNull();
  });
});
