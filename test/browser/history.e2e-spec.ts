import { afterAll, beforeAll, beforeEach, describe, it } from '@jest/globals';
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
});
