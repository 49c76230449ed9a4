import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
