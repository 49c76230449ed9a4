import { paths } from '../../src/org/instance/paths.js';
import { CsrfTokens } from '../../src/session/csrf-token.js';
import { pageOf } from '../login/turns.js';
import { Browser, type Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import type { World } from '../support/world.js';

/** A user in a browser of their own, on the pages of their account. */
export class AccountHolder {
  readonly browser: Browser;

  constructor(
    readonly world: World,
    readonly person: TestPerson,
    browser?: Browser,
  ) {
    this.browser = browser ?? new Browser(world);
  }

  /** Opens a page of the account, and signs in if that is asked for. */
  async open(path: string = paths.account): Promise<Page> {
    return this.prove(pageOf(await this.browser.get(path)));
  }

  /** Fills in whatever the sign-in pages ask for, until they lead elsewhere. */
  async prove(from: Page, code?: () => string): Promise<Page> {
    let page = from;
    for (let step = 0; step < 5; step += 1) {
      if (page.find('button[name="factor"][value="skip"]')) {
        page = pageOf(await this.browser.submit(page, { factor: 'skip' }));
      } else if (page.find('input[name="password"]')) {
        page = pageOf(await this.browser.submit(page, { password: this.person.password }));
      } else if (page.find('input[name="authRequestID"]') && page.find('input[name="loginName"]:not([hidden])')) {
        page = pageOf(await this.browser.submit(page, { loginName: this.person.loginName }));
      } else if (code && page.find('input[name="code"]')) {
        page = pageOf(await this.browser.submit(page, { code: code() }));
      } else break;
    }
    return page;
  }
}

/** What has just been done, as a screen reader announces it. */
export function statusOf(page: Page): string | undefined {
  return page.find('[role="status"]')?.text.trim();
}

/** The sections that the overview leads to. */
export function sectionsOf(page: Page): string[] {
  return page.all('.account-group a').map(({ text }) => text);
}

/** The token of a page for a user who is signed in, as the service makes it: a page without entries has no form. */
export async function tokenFor({ world, person }: AccountHolder, path: string): Promise<string> {
  const [row] = await world.rows<{ browserId: string }>(
    'SELECT browser_id AS "browserId" FROM session WHERE user_id = $1 AND ended_at IS NULL',
    [person.id],
  );
  return world.get(CsrfTokens).tokenFor(row?.browserId ?? '', `${path}:${person.id}`);
}
