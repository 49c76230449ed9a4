import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Stage } from './stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());
beforeEach(() => stage.renew({ locale: 'en-GB' }));

describe('Where scripts run', () => {
  it('a password can be looked at, and is sent as a password', async () => {
    const person = await stage.person();
    await stage.begin();
    await stage.window.submit({ loginName: person.loginName });
    const { page, complaints } = stage.window;
    const password = page.locator('#password');
    await password.fill(person.password);
    await page.getByRole('button', { name: 'Show password', pressed: false }).click();
    expect([await password.getAttribute('type'), await password.inputValue()]).toEqual(['text', person.password]);
    await page.getByRole('button', { name: 'Show password', pressed: true }).click();
    expect(await password.getAttribute('type')).toBe('password');
    await page.click('#submit');
    await stage.isBack();
    expect(complaints).toEqual([]);
  });

  it('the rules of a new password are ticked off one by one while it is typed', async () => {
    const org = await stage.orgWith('passwordComplexity', {
      minLength: 10,
      minLengthWithoutSecondFactor: 0,
      hasUppercase: false,
      hasLowercase: false,
      hasNumber: true,
      hasSymbol: false,
    });
    await stage.begin({ prompt: 'create', scope: `openid urn:service:iam:org:id:${org.id}` });
    const { page } = stage.window;
    const met = async (typed: string): Promise<string[]> => {
      await page.fill('#password', typed);
      return page.locator('.rules li.is-met').allInnerTexts();
    };
    expect(await met('seven 7')).toEqual(['a number']);
    expect(await met('more than seven')).toEqual(['10 characters or more']);
    expect(await met('more than seven 7')).toEqual(['10 characters or more', 'a number']);
  });
});

describe('A page in Turkish', () => {
  it('does not change identifiers: a capital I is an i in a login name, and not a dotless one', async () => {
    await stage.renew({ locale: 'tr-TR' });
    const person = await stage.person({ userName: 'iris.ilgin' });
    await stage.begin();
    await stage.window.submit({ loginName: person.loginName.toUpperCase() });
    await stage.shows('html[lang="tr"]');
    await stage.window.submit({ password: person.password });
    await stage.isBack();
  });
});
