import { createHash } from 'node:crypto';
import { Browser, formOf } from '../load/browser.mjs';
import { Connection } from '../load/connection.mjs';

const REDIRECT_URI = 'http://127.0.0.1/callback';
const VERIFIER = 'a-verifier-of-forty-three-characters-or-more';

/** A browser somewhere in the world, as far as the password page: by an address of its own, behind a proxy that the service trusts. */
export class Visitor {
  /** @param {string} origin of the service @param {string} clientId @param {string} address */
  constructor(origin, clientId, address) {
    this.origin = new URL(origin);
    this.clientId = clientId;
    this.browser = new Browser(new Connection(this.origin), { 'X-Forwarded-For': address });
  }

  /** From the application to the password page for this name, in a new browser. */
  async openPassword(loginName) {
    this.browser.forgetCookies();
    const page = await this.browser.open(this.address(), REDIRECT_URI);
    return this.browser.submit(page, { loginName }, REDIRECT_URI);
  }

  /** Sends the form of that page. @returns its status, and how long the answer took */
  async enter(passwordPage, password) {
    const { action, body } = formOf(passwordPage, { password });
    const started = performance.now();
    let answer = await this.browser.exchange(action, body);
    const location = answer.header('location');
    // A refusal is told by the page that the form leads to.
    if (answer.status === 303 && location?.startsWith('/'))
      answer = await this.browser.exchange(new URL(location, action));
    return { status: answer.status, ms: performance.now() - started };
  }

  /** A whole sign-in. @returns how long it took, and the form of the password alone @throws Error when it does not end at the application */
  async signIn(loginName, password) {
    const started = performance.now();
    const page = await this.openPassword(loginName);
    const atPassword = performance.now();
    const end = await this.browser.submit(page, { password }, REDIRECT_URI);
    if (!end.returned?.includes('code='))
      throw new Error(`${loginName} was not signed in: ${end.page ?? end.returned}`);
    return { wholeMs: performance.now() - started, passwordMs: performance.now() - atPassword };
  }

  close() {
    this.browser.connection.close();
  }

  address() {
    const query = new URLSearchParams({
      client_id: this.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid',
      state: 's',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return `/oauth/v2/authorize?${query}`;
  }
}
