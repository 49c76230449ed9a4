import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toQuery } from '../support/http.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { Stage } from './stage.js';

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
    await stage.window.submit({ password, passwordRepeat: password });
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

  it('leads never to a password without scripts either, and past the sign-in to the application again', async () => {
    const first = await signIn();
    const { page } = stage.window;
    // The page for the password is the answer to a form and is not stored, so the browser asks before it sends the form
    // again.
    await expect(page.goBack()).rejects.toThrow('ERR_CACHE_MISS');
    await page.innerText('body'); // once the page on which it asks is there
    await page.goBack();
    await stage.isBack();
    expect([page.url() === first, new URL(page.url()).searchParams.has('code')]).toEqual([false, true]);
  });
});
