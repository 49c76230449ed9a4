import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Stage } from './stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());
beforeEach(() => stage.renew({ locale: 'en-GB', javaScriptEnabled: false }));

describe('The history of a browser', () => {
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

  it('leads from the application never to a password, and past the sign-in to the application again', async () => {
    const person = await stage.person();
    await stage.begin();
    await stage.window.submit({ loginName: person.loginName });
    await stage.shows('input[name="password"]');
    await stage.window.submit({ password: person.password });
    await stage.isBack();
    const { page } = stage.window;
    const first = page.url();
    // The page for the password is the answer to a form and is not stored, so the browser asks before it sends the form
    // again.
    await expect(page.goBack()).rejects.toThrow('ERR_CACHE_MISS');
    await page.innerText('body'); // once the page on which it asks is there
    await page.goBack();
    await stage.isBack();
    expect([page.url() === first, new URL(page.url()).searchParams.has('code')]).toEqual([false, true]);
  });
});
