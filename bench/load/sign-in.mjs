import { createHash, randomBytes } from 'node:crypto';
import { basic, expectJson, isJwt, part, unexpected } from './answer.mjs';
import { Browser } from './browser.mjs';
import { post } from './connection.mjs';

export const OPENID_SCOPE = 'openid profile email';
/** What each page asks for, and which member of a person it is. */
const SIGN_IN_PAGES = [{ loginName: 'loginName' }, { password: 'password' }];

/** The tokens of a fresh sign-in. */
export async function signedIn(target, connection, client, scope, parameters) {
  return signIn(target, new Browser(connection), client, scope, target.people[0], parameters);
}

/** Authorize, the pages with login name and password, code, tokens. `proven`: see `redeem`. */
export async function signIn(target, browser, client, scope, person, parameters, proven) {
  const attempt = newAttempt(target, client, scope, parameters);
  let at = await browser.open(attempt.address, client.redirectUri);
  for (const fields of target.signInPages ?? SIGN_IN_PAGES) {
    const values = Object.fromEntries(Object.entries(fields).map(([field, member]) => [field, person[member]]));
    at = await browser.submit(at, values, client.redirectUri);
  }
  return redeem(target, browser.connection, client, attempt, returnedOf(at), proven);
}

export function returnedOf(end) {
  if (!end.returned) throw new Error(`a page instead of a code: ${end.url.pathname}: ${end.page.slice(0, 2000)}`);
  return end.returned;
}

export function newAttempt(target, client, scope, parameters = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(12).toString('base64url');
  const nonce = randomBytes(12).toString('base64url');
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { address: `${target.endpoints.authorization_endpoint}?${query}`, query, verifier, state, nonce };
}

/** RFC 9126 §2. */
export async function push(target, connection, fields, headers) {
  const path = target.endpoints.pushed_authorization_request_endpoint;
  const answer = await connection.request(post(connection.origin, path, fields.toString(), headers));
  const body = answer.json();
  if (answer.status !== 201 || !body.request_uri) throw unexpected('pushed request', body);
  return body;
}

/** A token of a service, bound to its key (RFC 9449 §5). */
export async function boundToken(target, connection, key) {
  const service = target.service.opaque;
  const path = target.endpoints.token_endpoint;
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...service.fields }).toString();
  const headers = { ...basic(service), ...key.headersFor('POST', target.origin + path) };
  return expectJson(await connection.request(post(connection.origin, path, form, headers)));
}

/** The access token of a user who signs in, bound to a key of the application. */
export async function boundSignIn(target, connection, key) {
  const proof = key.headersFor('POST', target.origin + target.endpoints.token_endpoint);
  const browser = new Browser(connection);
  const proven = { headers: { ...basic(target.web), ...proof } };
  const tokens = await signIn(target, browser, target.web, OPENID_SCOPE, target.people[0], {}, proven);
  if (tokens.token_type !== 'DPoP') throw unexpected('code with a proof', tokens);
  return tokens.access_token;
}

/** With the secret of the client, or with what else it proves itself by: `headers` and `fields`. */
export async function redeem(target, connection, client, attempt, returned, proven = { headers: basic(client) }) {
  const { headers, fields = {}, algorithm = 'RS256' } = proven;
  const parameters = new URL(returned).searchParams;
  if (parameters.get('state') !== attempt.state || !parameters.has('code')) throw new Error(`no code: ${returned}`);
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: parameters.get('code'),
    redirect_uri: client.redirectUri,
    code_verifier: attempt.verifier,
    ...fields,
  });
  const message = post(connection.origin, target.endpoints.token_endpoint, form.toString(), headers);
  const body = expectJson(await connection.request(message));
  if (!body.access_token || !isJwt(body.id_token, algorithm) || part(body.id_token, 1).nonce !== attempt.nonce) {
    throw unexpected('code', body);
  }
  return body;
}
