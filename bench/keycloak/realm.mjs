import { randomBytes } from 'node:crypto';
import { PEOPLE } from '../seed/password.mjs';

export const REALM = 'bench';
const REDIRECT_URI = 'http://127.0.0.1/callback';
const PASSWORD = 'Benchmark-password-1';
const HALF_A_DAY_SECONDS = 43_200;

/** As both others have it; what is not said here is Keycloak's default. */
export function newRealm() {
  return {
    realm: REALM,
    enabled: true,
    accessTokenLifespan: HALF_A_DAY_SECONDS,
    accessCodeLifespan: 60,
    ssoSessionIdleTimeout: HALF_A_DAY_SECONDS,
    ssoSessionMaxLifespan: HALF_A_DAY_SECONDS,
    // Otherwise a refresh token could be used again after the next one was issued.
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    clients: [webClient(), apiClient(), serviceClient()],
    users: people().map(toUser),
  };
}

/** What the load generator must know of it. */
export function targetOf(origin, { clients }) {
  const [web, api, service] = clients.map(({ clientId, secret }) => ({ clientId, clientSecret: secret }));
  return {
    name: 'keycloak',
    origin,
    issuer: `${origin}/realms/${REALM}`,
    // One page asks for both.
    signInPages: [{ username: 'loginName', password: 'password' }],
    service: { rs256: { ...service, fields: {} } },
    web: { ...web, redirectUri: REDIRECT_URI },
    webJwt: { ...web, redirectUri: REDIRECT_URI },
    api,
    people: people(),
  };
}

/** @param {string} origin of a running Keycloak @param {{ username: string, password: string }} admin the one of its first start */
export async function createRealm(origin, admin, realm) {
  const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin });
  const token = await send(`${origin}/realms/master/protocol/openid-connect/token`, { body: form });
  await send(`${origin}/admin/realms`, {
    headers: { Authorization: `Bearer ${(await token.json()).access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(realm),
  });
}

async function send(url, message) {
  const answer = await fetch(url, { method: 'POST', ...message });
  if (!answer.ok) throw new Error(`Keycloak answered ${answer.status} of ${url}: ${await answer.text()}`);
  return answer;
}

function people() {
  return Array.from({ length: PEOPLE }, (_, number) => ({
    loginName: `person-${number}@bench.localhost`,
    password: PASSWORD,
  }));
}

function toUser({ loginName, password }) {
  return {
    username: loginName,
    email: loginName,
    emailVerified: true,
    // A user without a name is asked for it at the first sign-in.
    firstName: 'Bench',
    lastName: 'Person',
    enabled: true,
    credentials: [{ type: 'password', value: password }],
    // With these an application may ask for offline_access.
    realmRoles: [`default-roles-${REALM}`],
  };
}

function webClient() {
  return {
    ...newClient('web'),
    standardFlowEnabled: true,
    redirectUris: [REDIRECT_URI],
    attributes: { 'pkce.code.challenge.method': 'S256' },
  };
}

function apiClient() {
  return newClient('api');
}

function serviceClient() {
  return { ...newClient('service'), serviceAccountsEnabled: true };
}

function newClient(clientId) {
  return {
    clientId,
    secret: randomBytes(48).toString('base64url'),
    publicClient: false,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: false,
  };
}
