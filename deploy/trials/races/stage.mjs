import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { Browser, formOf } from '../../../bench/load/browser.mjs';
import { Connection } from '../../../bench/load/connection.mjs';
import { Api, PASSWORD } from '../traffic.mjs';

export const LANES = 20;
export const REDIRECT_URI = 'http://127.0.0.1:9/callback';
export const VERIFIER = 'a-verifier-of-forty-three-characters-or-more';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** Two processes, with an administrator, people and applications. */
export class Stage {
  static async open(first, second, databaseUrl, documents) {
    const api = new Api(first);
    const stage = new Stage(first, second, databaseUrl, documents, api, await api.addPeople(LANES));
    const { id } = await api.call('POST', '/management/v1/projects', { name: 'Races' });
    stage.projectId = id;
    return stage;
  }

  constructor(first, second, databaseUrl, documents, api, people) {
    Object.assign(this, { first, second, databaseUrl, documents, api, people });
  }

  /** Twenty requests at once, to each process in turn. */
  everywhere(request) {
    return Promise.all(
      Array.from({ length: LANES }, (_, lane) => request(lane % 2 === 0 ? this.first : this.second, lane)),
    );
  }

  async addApp(settings, projectId = this.projectId) {
    return this.api.call('POST', `/management/v1/projects/${projectId}/apps/oidc`, {
      name: randomUUID(),
      redirectUris: [REDIRECT_URI],
      devMode: true,
      ...settings,
    });
  }

  async addDevice() {
    const settings = {
      redirectUris: [],
      grantTypes: ['OIDC_GRANT_TYPE_DEVICE_CODE'],
      appType: 'OIDC_APP_TYPE_NATIVE',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    };
    return (await this.addApp(settings)).clientId;
  }

  async addWeb(settings = {}, projectId = this.projectId) {
    const usual = { appType: 'OIDC_APP_TYPE_WEB', authMethodType: 'OIDC_AUTH_METHOD_TYPE_POST' };
    return this.addApp({ ...usual, ...settings }, projectId);
  }

  /** An application that authenticates by a key of its own. */
  async addKeyHolder() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'ES256', use: 'sig' };
    const { clientId } = await this.addApp({
      appType: 'OIDC_APP_TYPE_WEB',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
      jwks: { keys: [jwk] },
    });
    return { clientId, key: { keyId: 'key', privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) } };
  }

  /** A service user with a secret. */
  async addService() {
    const { userId } = await this.api.call('POST', '/management/v1/users/machine', {
      userName: `races-${randomUUID()}`,
      name: 'Races',
    });
    const { clientId, clientSecret } = await this.api.call('PUT', `/management/v1/users/${userId}/secret`, {});
    const pair = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
    return { headers: { Authorization: `Basic ${pair.toString('base64')}` } };
  }

  async registrationToken() {
    const path = `/management/v1/projects/${this.projectId}/registration_tokens`;
    return (await this.api.call('POST', path, { uses: 1 })).token;
  }

  /** Somebody besides those of the lanes. */
  async addPerson() {
    const userName = `person-${randomUUID()}`;
    const { userId } = await this.api.call('POST', '/management/v1/users/human/_import', {
      userName,
      profile: { firstName: 'A', lastName: 'B' },
      email: { email: `${userName}@example.com`, isEmailVerified: true },
      password: PASSWORD,
    });
    return { userId, userName };
  }

  /** One for each lane. */
  async visitors() {
    if (!this.everybody) {
      this.everybody = [];
      for (let lane = 0; lane < LANES; lane += 1) this.everybody.push(await this.visitor(lane));
    }
    return this.everybody;
  }

  /** The browser of a person, signed in. Each person comes from an address of their own. */
  async visitor(number) {
    return this.signIn(this.people[number % this.people.length], number);
  }

  async signIn(loginName, number) {
    const place = number % 2 === 0 ? this.first : this.second;
    const browser = new Visitor(place.origin, addressOf(number));
    const clientId = (this.entry ??= (await this.addWeb()).clientId);
    let at = await browser.open(`/oauth/v2/authorize?${new URLSearchParams(codeRequest(clientId))}`, REDIRECT_URI);
    at = await browser.submit(at, { loginName }, REDIRECT_URI);
    at = await browser.submit(at, { password: PASSWORD }, REDIRECT_URI);
    if (at.page?.includes('value="skip"')) at = await browser.submit(at, { factor: 'skip' }, REDIRECT_URI);
    if (!at.returned) throw new Error(`not signed in: ${at.page.slice(0, 500)}`);
    return browser;
  }

  async tokens(visitor, clientId, clientSecret, scope = 'openid', headers = {}) {
    const query = new URLSearchParams({ ...codeRequest(clientId), scope });
    const { returned } = await visitor.open(`/oauth/v2/authorize?${query}`, REDIRECT_URI);
    const form = {
      grant_type: 'authorization_code',
      code: new URL(returned).searchParams.get('code'),
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      client_id: clientId,
      ...(clientSecret && { client_secret: clientSecret }),
    };
    const answer = await ask(this.first, '/oauth/v2/token', form, headers);
    if (answer.status !== 200) throw new Error(answer.text);
    return JSON.parse(answer.text);
  }

  async startDevice(clientId) {
    const answer = await ask(this.first, '/oauth/v2/device_authorization', { client_id: clientId, scope: 'openid' });
    if (answer.status !== 200) throw new Error(answer.text);
    return JSON.parse(answer.text);
  }

  /** The page on which a person who is signed in says yes or no. */
  async confirmation(visitor, { user_code: userCode }) {
    const typed = await visitor.open(`/ui/login/device?user_code=${userCode}`, REDIRECT_URI);
    const at = await visitor.submit(typed, { user_code: userCode }, REDIRECT_URI);
    if (!at.page.includes('name="decision"')) throw new Error(`no confirmation: ${at.page.slice(0, 1500)}`);
    return at;
  }

  /** @returns the status of the page that says what became of it */
  async decide(visitor, page, decision) {
    const { action, body } = formOf(page, { decision });
    const answer = await visitor.exchange(action, body);
    return answer.status === 303
      ? (await visitor.exchange(new URL(answer.header('location'), action))).status
      : answer.status;
  }
}

/** A browser behind a proxy, from an address of its own. */
class Visitor extends Browser {
  constructor(origin, address) {
    super(new Connection(new URL(origin)), { 'X-Forwarded-For': address });
  }

  to(path) {
    return new URL(path, this.connection.origin);
  }
}

function addressOf(number) {
  return `198.${18 + (number >> 14)}.${(number >> 6) & 255}.${number & 63}`;
}

export function codeRequest(clientId, redirectUri = REDIRECT_URI) {
  return {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  };
}

let askers = 0;

/** Each request comes from an address of its own, since strangers are limited by theirs. */
function fromAnywhere(headers) {
  askers += 1;
  return { 'X-Forwarded-For': addressOf(askers), ...headers };
}

/** What a JWT says; nothing is verified. */
export function claimsIn(token) {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
}

export async function ask({ origin }, path, form, headers = {}) {
  const body = form && new URLSearchParams(form);
  const answer = await fetch(`${origin}${path}`, {
    method: form ? 'POST' : 'GET',
    body,
    headers: fromAnywhere(headers),
    redirect: 'manual',
  });
  return { status: answer.status, text: await answer.text() };
}

export async function sendJson({ origin }, method, path, token, value) {
  const headers = fromAnywhere({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers,
    ...(value ? { body: JSON.stringify(value) } : {}),
  });
  return { status: answer.status, text: await answer.text() };
}
