import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from '../load/browser.mjs';
import { Connection } from '../load/connection.mjs';

const PASSWORD = 'Benchmark-password-1';
const RETURN = 'http://127.0.0.1:1/callback';
const PAUSE_MS = 50;

/** People who sign in one after another, from the first request to the code, while something else happens. */
export class SignIns {
  /** @param {import('../migration/instance.mjs').Instance} instance @param {(method: string, path: string, body?: object) => Promise<object>} ask */
  static async prepare(instance, ask) {
    const { projectId, id = projectId } = await ask('POST', '/management/v1/projects', { name: 'Signing in' });
    const { clientId } = await ask('POST', `/management/v1/projects/${id}/apps/oidc`, {
      name: 'Signing in',
      redirectUris: [RETURN],
      devMode: true,
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
      appType: 'OIDC_APP_TYPE_WEB',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
    });
    const { userId } = await ask('POST', '/management/v1/users/human', {
      userName: 'signs-in',
      profile: { firstName: 'Signs', lastName: 'In' },
      email: { email: 'signs-in@bench.test', isEmailVerified: true },
      initialPassword: PASSWORD,
    });
    await ask('POST', `/management/v1/users/${userId}/password`, { password: PASSWORD, noChangeRequired: true });
    const { user } = await ask('GET', `/management/v1/users/${userId}`);
    return new SignIns(instance.origin, clientId, user.preferredLoginName);
  }

  constructor(origin, clientId, loginName) {
    this.origin = origin;
    this.clientId = clientId;
    this.loginName = loginName;
  }

  /** @returns {{ stop: () => Promise<{ count: number, longestMs: number, failures: string[] }> }} */
  begin() {
    let isOver = false;
    const found = { count: 0, longestMs: 0, failures: [] };
    const ended = (async () => {
      while (!isOver) {
        const started = performance.now();
        try {
          await this.signIn();
          found.count += 1;
        } catch (error) {
          found.failures.push(error.message.slice(0, 200));
        }
        found.longestMs = Math.max(found.longestMs, performance.now() - started);
        await sleep(PAUSE_MS);
      }
    })();
    return {
      stop: async () => {
        isOver = true;
        await ended;
        return found;
      },
    };
  }

  async signIn() {
    const browser = new Browser(new Connection(this.origin));
    const query = new URLSearchParams({
      client_id: this.clientId,
      redirect_uri: RETURN,
      response_type: 'code',
      scope: 'openid',
      state: 'state-of-this',
    });
    const namePage = await browser.open(`/oauth/v2/authorize?${query}`, RETURN);
    const passwordPage = await browser.submit(namePage, { loginName: this.loginName }, RETURN);
    const end = await browser.submit(passwordPage, { password: PASSWORD }, RETURN);
    if (end.returned?.includes('code=') !== true) throw new Error(`no code: ${end.returned ?? end.page}`);
  }
}
