import type { Locator, Page } from 'playwright-core';
import type { TestPerson } from '../support/builders.js';

export interface Executed {
  readonly status: string;
  readonly body: string;
}

/** The document describes hundreds of operations; a busy machine takes its time to show them. */
const LOADING_MS = 30_000;

const LOOKS = 10;
const LOOK_MS = 3_000;

/**
 * Opens until it is there: while a page that has just been loaded still scrolls to its operation, a click may be lost.
 */
async function shown(wanted: Locator, open: () => Promise<void>): Promise<void> {
  for (let look = 1; ; look += 1) {
    await open();
    try {
      await wanted.waitFor({ timeout: LOOK_MS });
      return;
    } catch (error) {
      if (look === LOOKS) throw error;
    }
  }
}

/** Swagger UI, as a user operates it. */
export class SwaggerPage {
  private constructor(readonly page: Page) {}

  static async open(page: Page, issuer: string): Promise<SwaggerPage> {
    return SwaggerPage.at(page, `${issuer}/docs`);
  }

  /** Follows a link. */
  static async at(page: Page, address: string): Promise<SwaggerPage> {
    // The first look builds the document, which a busy machine takes its time for.
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForSelector('.opblock-tag', { timeout: LOADING_MS });
    return new SwaggerPage(page);
  }

  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'commit' });
    await this.page.waitForSelector('.opblock-tag', { timeout: LOADING_MS });
  }

  /** By code and PKCE, in the window that opens, with what is filled in. */
  async authorize(person: Pick<TestPerson, 'loginName' | 'password'>): Promise<void> {
    await this.page.click('button.authorize');
    const opened = this.page.waitForEvent('popup');
    await this.way('oauth2').getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();
    const popup = await opened;
    const closed = popup.waitForEvent('close');
    await popup.fill('input[name="loginName"]', person.loginName);
    await popup.click('#submit');
    await popup.fill('input[name="password"]', person.password);
    await popup.click('#submit');
    await closed;
    await this.page.waitForSelector('.modal-ux', { state: 'detached' });
  }

  async pasteToken(token: string): Promise<void> {
    await this.page.click('button.authorize');
    await this.way('token').locator('input').fill(token);
    await this.way('token').locator('button.authorize').click();
    await this.page.locator('.modal-ux button.btn-done').first().click();
  }

  /** The client that is filled in where one authorizes. */
  async clientId(): Promise<string> {
    await this.page.click('button.authorize');
    const value = await this.way('oauth2')
      .locator('input[data-name="clientId"], #client_id_authorizationCode')
      .first()
      .inputValue();
    await this.page.locator('.modal-ux button.btn-done').first().click();
    return value;
  }

  /** Opens the tag and the operation, where they are not. */
  async unfold(tag: string, id: string): Promise<Locator> {
    const name = tag.replaceAll(' ', '_');
    const operation = this.page.locator(`[id="operations-${name}-${id}"]`);
    const header = this.page.locator(`[id="operations-tag-${name}"]`);
    await shown(operation, async () => {
      if ((await header.getAttribute('data-is-open')) !== 'true') await header.click();
    });
    const body = operation.locator('.opblock-body');
    await shown(body, async () => {
      if ((await body.count()) === 0) await operation.locator('.opblock-summary').click();
    });
    return operation;
  }

  /** Presses Execute with what is filled in, or with another body: the status and the body of the answer. */
  async execute(tag: string, id: string, body?: object): Promise<Executed> {
    const operation = await this.unfold(tag, id);
    if (body) await operation.locator('textarea.body-param__text').fill(JSON.stringify(body, undefined, 2));
    await operation.locator('button.execute').click();
    const answer = operation.locator('.docs-answer');
    const status = await answer.locator('.docs-status strong').innerText();
    return { status: status.trim(), body: await answer.locator('.docs-body pre').first().innerText() };
  }

  /** One way to authorize, in the dialogue. */
  private way(name: string): Locator {
    return this.page
      .locator('.modal-ux .auth-container')
      .filter({ has: this.page.getByRole('heading', { name: new RegExp(`^${name} `) }) });
  }
}
