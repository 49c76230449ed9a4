import { HOTP, Secret as Seed } from 'otpauth';
import { paths as login } from '../../org/instance/paths.js';
import type { Browser, Page } from '../testing/browser.js';
import { paths as oidc } from '../testing/relying-party.js';
import type { CastUser } from './cast.js';
import { InputMistake } from './input-mistake.js';

const MOST_PAGES = 20;
const MOST_CHARACTERS = 300;
const STEP_SECONDS = 30;

/** What a walk needs of the service. */
export interface Surroundings {
  now(): number;
  /** The code of the newest mail to this address, once the mails on their way have arrived. */
  codeFor(email: string): Promise<string | undefined>;
}

/** Where a browser ends that was sent to the service. */
export interface Landing {
  readonly url: string;
  /** A form is sent there (`response_mode=form_post`), or a page of the service is shown. */
  readonly method: 'GET' | 'POST';
  readonly fields: Readonly<Record<string, string>>;
  /** What is to be read on the page of the service. */
  readonly page: string | undefined;
}

/** A user in front of a browser, who does what the pages ask for. */
export class Walk {
  /** The newest code of each authenticator app that was used: each is taken once. */
  private readonly steps = new Map<string, number>();

  constructor(private readonly around: Surroundings) {}

  /**
   * @param mayHave whether the application gets what it asks for, if a page asks
   * @throws InputMistake when a page asks for what the user does not have
   */
  async go(browser: Browser, url: string, user: CastUser, { mayHave = true } = {}): Promise<Landing> {
    let arrival = await browser.get(url);
    let before: string | undefined;
    for (let count = 0; count < MOST_PAGES; count += 1) {
      if (arrival.redirect !== undefined) return { url: arrival.redirect, method: 'GET', fields: {}, page: undefined };
      const { page } = arrival;
      const posted = page.forms.find(
        ({ action }) => /^[a-z][a-z0-9+.-]*:/i.test(action) && !action.startsWith(browser.at.origin),
      );
      if (posted) return { url: posted.action, method: 'POST', fields: posted.fields, page: undefined };
      const asked = askedOn(page);
      if (asked === undefined) {
        if (page.status >= 400 || asksMore(page)) throw stopped(user, page);
        return { url: `${browser.at.origin}${page.path}`, method: 'GET', fields: {}, page: page.text };
      }
      const fields = await this.answer(asked, page, user, mayHave);
      if (!fields || before === JSON.stringify([asked, fields])) throw stopped(user, page);
      before = JSON.stringify([asked, fields]);
      arrival = await browser.submit(page, fields);
    }
    throw new InputMistake(`The sign-in of ${user.name} goes on and on.`);
  }

  forget(): void {
    this.steps.clear();
  }

  private async answer(
    asked: string,
    page: Page,
    user: CastUser,
    mayHave: boolean,
  ): Promise<Record<string, string> | undefined> {
    switch (asked) {
      case login.loginName:
        return { loginName: user.loginName };
      case login.password:
        return { password: user.password };
      case login.accounts:
        return this.account(page, user);
      case login.totp:
        return user.totp === undefined ? undefined : { code: this.totpOf(user, user.totp) };
      case login.emailCode:
      case login.emailCheck:
        return this.mailedCode(page, user);
      case login.factorOffer:
      case login.passkeyOffer:
      case login.passkeyHere:
        return { factor: 'skip' };
      case login.consent:
        return { decision: mayHave ? 'continue' : 'cancel' };
      case oidc.endSession:
        return { decision: 'sign-out' };
      default:
        return undefined;
    }
  }

  private account(page: Page, user: CastUser): Record<string, string> {
    const isThere = page.find(`button[name="userID"][value="${user.id}"]`) !== null;
    return isThere ? { userID: user.id } : { loginName: user.loginName };
  }

  private async mailedCode(page: Page, { email }: CastUser): Promise<Record<string, string> | undefined> {
    if (!page.find('input[name="code"]')) return { decision: 'send' };
    const code = await this.around.codeFor(email);
    return code === undefined ? undefined : { code };
  }

  /** RFC 6238 §5.2: the step before and the one after are taken as well: three sign-ins in half a minute. */
  private totpOf({ id, name }: CastUser, seed: string): string {
    const current = Math.floor(this.around.now() / STEP_SECONDS);
    const counter = Math.max(current - 1, (this.steps.get(id) ?? 0) + 1);
    if (counter > current + 1)
      throw new InputMistake(
        `Each code of an authenticator app is taken once, and all of ${name}'s at this moment are used: let the clock jump by 30s.`,
      );
    this.steps.set(id, counter);
    return HOTP.generate({ secret: Seed.fromBase32(seed), counter, algorithm: 'SHA1', digits: 6 });
  }
}

/** The step of a page of ours, by the address of its form. */
function askedOn(page: Page): string | undefined {
  const actions = page.forms.map(({ action }) => action.split('?', 1)[0]!);
  return KNOWN.find((path) => actions.includes(path));
}

/** Whether the page is no end. */
function asksMore(page: Page): boolean {
  return page.forms.some(({ action, method }) => method === 'POST' && action.startsWith('/ui/login'));
}

const KNOWN: readonly string[] = [
  ...[login.password, login.loginName, login.accounts, login.totp, login.emailCode, login.emailCheck],
  ...[login.factorOffer, login.passkeyOffer, login.passkeyHere, login.consent, oidc.endSession],
];

function stopped(user: CastUser, page: Page): InputMistake {
  const said = page.all('[role="alert"]').map(({ text }) => text.replace(/\s+/g, ' ').trim());
  const words = said.length > 0 ? said.join(' ') : page.text.slice(0, MOST_CHARACTERS);
  return new InputMistake(
    `The sign-in of ${user.name} stopped at the page "${page.heading}" (${page.status}): ${words}`,
  );
}
