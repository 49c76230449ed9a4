import { createHash, randomUUID } from 'node:crypto';
import { Browser } from '../../bench/load/browser.mjs';
import { Connection } from '../../bench/load/connection.mjs';

const REDIRECT_URI = 'http://127.0.0.1:9/callback';
const VERIFIER = 'a-verifier-of-forty-three-characters-or-more';
export const PASSWORD = 'Analytical-Engine-1';

/** The administrative API of a service, for its first token. */
export class Api {
  constructor({ origin, token }) {
    this.origin = origin;
    this.token = token;
  }

  async ask(method, path, body) {
    return fetch(`${this.origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async call(method, path, body) {
    const answer = await this.ask(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** An application of a browser. @returns its client id */
  async addApplication() {
    return this.addClient({
      redirectUris: [REDIRECT_URI],
      appType: 'OIDC_APP_TYPE_USER_AGENT',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    });
  }

  /** An application with a secret. @returns its client id */
  async addConfidentialApplication() {
    return this.addClient({
      redirectUris: ['https://app.example.com/callback'],
      appType: 'OIDC_APP_TYPE_WEB',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
    });
  }

  async addClient(settings) {
    const name = `Trial ${randomUUID()}`;
    const { id } = await this.call('POST', '/management/v1/projects', { name });
    const { clientId } = await this.call('POST', `/management/v1/projects/${id}/apps/oidc`, {
      name,
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
      ...settings,
    });
    return clientId;
  }

  /** People who can sign in. @returns their user names */
  async addPeople(count) {
    const names = Array.from({ length: count }, (_, n) => `person-${n}`);
    for (const userName of names)
      await this.call('POST', '/management/v1/users/human/_import', {
        userName,
        profile: { firstName: 'A', lastName: 'B' },
        email: { email: `${userName}@example.com`, isEmailVerified: true },
        password: PASSWORD,
      });
    return names;
  }
}

/** One client of the service: it signs people in, and refreshes their tokens. */
export class Client {
  constructor(origin, clientId, address) {
    this.origin = new URL(origin);
    this.clientId = clientId;
    this.browser = new Browser(new Connection(this.origin), { 'X-Forwarded-For': address });
  }

  /** @returns tokens @throws Error when it does not end with them */
  async signIn(loginName, scope = 'openid offline_access') {
    this.browser.forgetCookies();
    let at = await this.authorize({ scope });
    at = await this.browser.submit(at, { loginName }, REDIRECT_URI);
    at = await this.browser.submit(at, { password: PASSWORD }, REDIRECT_URI);
    if (at.page?.includes('value="skip"')) at = await this.browser.submit(at, { factor: 'skip' }, REDIRECT_URI);
    return this.redeem(at);
  }

  /** In the session of the sign-in before, without a page. @returns tokens @throws Error when there is none */
  async signInAgain(scope = 'openid offline_access') {
    return this.redeem(await this.authorize({ scope, prompt: 'none' }));
  }

  async authorize(parameters) {
    const query = new URLSearchParams({
      client_id: this.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    });
    return this.browser.open(`/oauth/v2/authorize?${query}`, REDIRECT_URI);
  }

  async redeem(at) {
    const code = at.returned && new URL(at.returned).searchParams.get('code');
    if (!code) throw new Error(`Nobody was signed in: ${(at.page ?? at.returned).slice(0, 500)}`);
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER });
  }

  async refresh(tokens) {
    return this.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  }

  async token(form) {
    const answer = await fetch(new URL('/oauth/v2/token', this.origin), {
      method: 'POST',
      body: new URLSearchParams({ client_id: this.clientId, ...form }),
    });
    if (answer.status !== 200) throw new Error(`token endpoint: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async isAlive({ access_token }) {
    return (await this.askUserinfo(access_token)).status === 200;
  }

  async userinfo({ access_token }) {
    return (await this.askUserinfo(access_token)).json();
  }

  async askUserinfo(token) {
    return fetch(new URL('/oidc/v1/userinfo', this.origin), { headers: { Authorization: `Bearer ${token}` } });
  }

  /** The same person at another process of the service. */
  at(origin) {
    const other = new Client(origin, this.clientId, this.browser.headers['X-Forwarded-For']);
    for (const [name, cookie] of this.browser.cookies) other.browser.cookies.set(name, cookie);
    return other;
  }

  close() {
    this.browser.connection.close();
  }
}
