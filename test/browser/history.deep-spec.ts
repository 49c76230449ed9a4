import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withApp } from '../login/factor-turns.js';
import { toQuery } from '../support/http.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { NAMES, newAddress, Stage } from './stage.js';

const NEW = 'Another-Password-1';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());
beforeEach(() => stage.renew({ locale: 'en-GB', javaScriptEnabled: false }));

/** Signs a new user in, and returns the address at the application. */
async function signIn(): Promise<string> {
  const person = await stage.person();
  await stage.begin();
  await stage.window.submit({ loginName: person.loginName });
  await stage.shows('input[name="password"]');
  await stage.window.submit({ password: person.password });
  await stage.isBack();
  return stage.window.page.url();
}

describe('The history of a browser', () => {
  it('leads from the application to the application, which gets a new code from the session', async () => {
    await stage.renew({ locale: 'en-GB' });
    const first = await signIn();
    const { page } = stage.window;
    await page.goBack();
    await stage.isBack();
    expect([page.url() === first, new URL(page.url()).searchParams.has('code')]).toEqual([false, true]);
  });

  it('shows a page again that is loaded again before it is left', async () => {
    await stage.renew({ locale: 'en-GB' });
    const person = await stage.person();
    await stage.begin();
    await stage.window.submit({ loginName: person.loginName });
    await stage.shows('input[name="password"]');
    await stage.window.page.reload();
    await stage.shows('input[name="password"]');
  });

  it('keeps the link of a mail, whatever was begun in the same window before', async () => {
    await stage.renew({ locale: 'en-GB' });
    const person = await stage.person();
    await stage.begin();
    await stage.shows('input[name="loginName"]');
    const link = `/ui/login/password/init?userID=${person.id}&code=WRONGCODE`;
    await stage.goto(link);
    const password = 'Another-Password-1';
    await stage.window.submit({ password });
    await stage.shows('.notice-error');
    await stage.window.page.goBack();
    expect(stage.window.page.url()).toBe(`${stage.world.issuer}${link}`);
  });

  it('leads back from a wrong password to the name', async () => {
    await stage.renew({ locale: 'en-GB' });
    const person = await stage.person();
    await stage.begin();
    await stage.window.submit({ loginName: person.loginName });
    await stage.shows('input[name="password"]');
    await stage.window.submit({ password: 'Wrong-Password-1' });
    await stage.shows('.notice-error');
    await stage.window.page.goBack();
    await stage.shows('input[name="loginName"]');
  });

  it('leads back to the form of an account, which is not sent a second time', async () => {
    await stage.renew({ locale: 'en-GB' });
    const person = await stage.person();
    await stage.goto('/ui/account/profile');
    await stage.window.submit({ loginName: person.loginName });
    await stage.shows('input[name="password"]');
    await stage.window.submit({ password: person.password });
    await stage.shows('input[name="nickName"]');
    await stage.world.rows(
      "UPDATE session SET password_checked_at = password_checked_at - interval '3 hours' WHERE user_id = $1",
      [person.id],
    );
    await stage.window.submit({ nickName: 'Newt' });
    await stage.shows('input[name="password"]'); // at the address of the form
    await stage.window.submit({ password: person.password });
    await stage.shows('input[name="nickName"]');
    const { page } = stage.window;
    await page.goBack();
    await stage.shows('input[name="nickName"]');
    expect(page.url()).toBe(`${stage.world.issuer}/ui/account/profile`);
    expect(await stage.world.rows('SELECT nick_name FROM user_account WHERE id = $1', [person.id])).toEqual([
      { nick_name: '' },
    ]);
  });

  it('has no address of a pushed request, which can be used once', async () => {
    await stage.renew({ locale: 'en-GB' });
    const person = await stage.person();
    const rp = new RelyingParty(stage.world, stage.client);
    const reply = await rp.post('/oauth/v2/par', rp.parameters());
    const { request_uri } = reply.json<{ request_uri: string }>();
    await stage.goto(`${paths.authorize}?${toQuery({ client_id: rp.client.clientId, request_uri })}`);
    await stage.window.submit({ loginName: person.loginName });
    await stage.shows('input[name="password"]');
    await stage.window.submit({ password: 'Wrong-Password-1' });
    await stage.shows('.notice-error');
    expect(await stage.window.page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('leads back from the password to the name, and the sign-in continues with another one', async () => {
    const person = await stage.person();
    await stage.begin();
    await stage.window.submit({ loginName: 'somebody.else' });
    await stage.shows('input[name="password"]');
    await stage.window.page.goBack();
    await stage.shows('input[name="loginName"]');
    await stage.window.submit({ loginName: person.loginName });
    await stage.shows('input[name="password"]');
    await stage.window.submit({ password: person.password });
    await stage.isBack();
  });

  it('leads back past the sign-in to the application again without scripts, too', async () => {
    const first = await signIn();
    const { page } = stage.window;
    await page.goBack();
    expect(await page.locator('main').innerText()).toContain('Please sign in again');
    await page.goBack();
    await stage.isBack();
    expect([page.url() === first, new URL(page.url()).searchParams.has('code')]).toEqual([false, true]);
  });
});

describe('Each page of a sign-in [LOG-073]', () => {
  /** The requests for pages since the last look: one that sends a form again is one that the browser asks about. */
  let requested: string[] = [];

  async function isLoadedAgain(selector: string): Promise<void> {
    const { page } = stage.window;
    const address = page.url();
    requested = [];
    for (const turn of [() => page.reload(), () => page.goBack(), () => page.goForward()]) {
      await turn();
      await stage.shows('main h1');
    }
    await stage.shows(selector);
    expect([page.url(), new Set(requested)]).toEqual([address, new Set(['GET'])]);
    expect(address).not.toMatch(/@|%40|loginName|Password/);
  }

  async function renew(javaScriptEnabled: boolean): Promise<void> {
    await stage.renew({ locale: 'en-GB', javaScriptEnabled });
    stage.window.page.on('request', (request) => {
      if (request.isNavigationRequest()) requested.push(request.method());
    });
  }

  it.each([
    ['without', false],
    ['with', true],
  ])('is loaded again, left and returned to without a form being sent again, %s scripts', async (_, hasScripts) => {
    await renew(hasScripts);
    const person = await stage.person();
    const app = await withApp(stage.world, person);
    await stage.begin({}, await stage.asking());
    await stage.window.submit({ loginName: person.loginName });
    await stage.shows('input[name="password"]');
    await isLoadedAgain('input[name="password"]');
    await stage.window.submit({ password: 'Wrong-Password-1' });
    await isLoadedAgain('.notice-error');
    await stage.window.submit({ password: person.password });
    await stage.shows('input[name="code"]');
    await isLoadedAgain('input[name="code"]');
    await stage.window.submit({ code: app.wrong() });
    await isLoadedAgain('.notice-error');
    await stage.window.submit({ code: app.code() });
    await stage.shows('form[action="/ui/login/consent"]');
    await isLoadedAgain('form[action="/ui/login/consent"]');
    await stage.window.submit();
    await stage.isBack();
  });

  it('is loaded again with what was typed into a registration, except passwords', async () => {
    await renew(false);
    await stage.begin({ prompt: 'create' });
    await stage.window.submitUnchecked({ ...NAMES, email: 'not an address', password: 'x', passwordRepeat: 'y' });
    await isLoadedAgain('.notice-error');
    const values = await stage.window.page
      .locator('main input:not([type="hidden"])')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    expect(values).toEqual(['not an address', NAMES.firstName, NAMES.lastName, '', '', '']);
    await stage.window.submit({ email: newAddress(), password: NEW, passwordRepeat: NEW });
    await stage.shows('input[name="code"]');
    await isLoadedAgain('input[name="code"]');
  });
});
