import { test as base, expect } from '@playwright/test';
import { startIdp } from 'gatehouse/test-idp';
import { startShop } from './shop.js';

/** One identity provider and one shop for each worker of Playwright, which share nothing. */
const test = base.extend({
  idp: [
    async ({}, use) => {
      await using idp = await startIdp();
      await use(idp);
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ idp }, use) => {
      const shop = await startShop(idp);
      await use(shop);
      shop.stop();
    },
    { scope: 'worker' },
  ],
});

test.beforeEach(({ idp }) => idp.reset());

test('Alice signs in on the pages', async ({ idp, page, shop }) => {
  const { loginName, password } = idp.users.alice;
  await page.goto(shop.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Login name').fill(loginName);
  await page.keyboard.press('Enter');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.locator('body')).toContainText('Alice Adams');
});

test('Bob is signed in without the pages, where they are not what the test is about', async ({ idp, page, shop }) => {
  const toProvider = await page.request.get(`${shop.url}/login`, { maxRedirects: 0 });
  await page.goto(await idp.authorize(toProvider.headers().location, 'bob'));
  await expect(page.locator('body')).toContainText('Bob Brown');
});
