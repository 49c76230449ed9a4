import { createPrivateKey } from 'node:crypto';
import { CERTIFICATE_HEADERS } from '../seed/certificate.mjs';
import { adminScenarios } from './admin.mjs';
import { basic, exchanger, expectJson, fetcher, isJwt, isOpaque, unexpected } from './answer.mjs';
import { Authenticator } from './authenticator.mjs';
import { Browser, passkeyOptionsOf } from './browser.mjs';
import { get, post } from './connection.mjs';
import { faceScenarios } from './faces.mjs';
import { AssertionKey, DpopKey, signJwt } from './proof.mjs';
import {
  boundSignIn,
  boundToken,
  newAttempt,
  OPENID_SCOPE,
  push,
  redeem,
  returnedOf,
  signedIn,
  signIn,
} from './sign-in.mjs';

const ASSERTION_SECONDS = 3000;
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
/** Where no page of a device leads. */
const NOWHERE = 'http://nowhere.invalid/';
const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * @typedef {object} Scenario
 * @property {(target: Target, index: number, connection: Connection) => Promise<() => Promise<void>>} client makes one
 *   virtual client: a function that does the thing once and throws at any answer but the expected one
 */

/** @type {Record<string, Scenario>} */
export const scenarios = {
  bare: {
    client: async (target, _, connection) => fetcher(connection, target.path, (body) => body.fixed === 'answer'),
  },

  discovery: {
    client: async (target, _, connection) =>
      fetcher(connection, '/.well-known/openid-configuration', (body) => body.issuer === target.issuer),
  },

  keys: {
    client: async (target, _, connection) =>
      fetcher(
        connection,
        target.endpoints.jwks_uri,
        (body) => body.keys.length > 0 && body.keys.every((key) => key.kid && !key.d),
      ),
  },

  'client-credentials-opaque': clientCredentials('opaque', isOpaque),
  'client-credentials-rs256': clientCredentials('rs256', (token) => isJwt(token, 'RS256')),
  'client-credentials-es256': clientCredentials('es256', (token) => isJwt(token, 'ES256')),

  'jwt-profile': {
    client: async (target, _, connection) => {
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: assertionOf(target),
        scope: 'openid',
      });
      const message = post(connection.origin, target.endpoints.token_endpoint, form.toString());
      return exchanger(connection, message, (body) => isOpaque(body.access_token) && isJwt(body.id_token, 'RS256'));
    },
  },

  'introspection-opaque': introspection('web', isOpaque),
  'introspection-jwt': introspection('webJwt', (token) => isJwt(token, 'RS256')),
  'introspection-service': {
    client: async (target, _, connection) => {
      const answer = await connection.request(clientCredentialsMessage(target, connection, 'opaque'));
      return introspector(target, connection, expectJson(answer).access_token);
    },
  },

  userinfo: {
    client: async (target, _, connection) => {
      const { access_token: token } = await signedIn(target, connection, target.web, OPENID_SCOPE);
      return fetcher(
        connection,
        target.endpoints.userinfo_endpoint,
        (body) => body.sub && body.email && body.given_name && body.preferred_username,
        { Authorization: `Bearer ${token}` },
      );
    },
  },

  refresh: {
    client: async (target, _, connection) => {
      let { refresh_token: token } = await signedIn(
        target,
        connection,
        target.web,
        `${OPENID_SCOPE} offline_access`,
        target.offline,
      );
      const headers = basic(target.web);
      return async () => {
        const form = `grant_type=refresh_token&refresh_token=${encodeURIComponent(token)}`;
        const body = expectJson(
          await connection.request(post(connection.origin, target.endpoints.token_endpoint, form, headers)),
        );
        const rotated = body.refresh_token && body.refresh_token !== token;
        if (!rotated || !body.access_token || !isJwt(body.id_token, 'RS256')) throw unexpected('refresh', body);
        token = body.refresh_token;
      };
    },
  },

  'code-flow': {
    client: async (target, _, connection) => {
      const browser = new Browser(connection);
      await signIn(target, browser, target.web, OPENID_SCOPE, target.people[0]);
      return async () => {
        const attempt = newAttempt(target, target.web, OPENID_SCOPE);
        const answer = await browser.open(attempt.address, target.web.redirectUri);
        if (!answer.returned) throw new Error(`a page instead of a code: ${answer.url.pathname}`);
        await redeem(target, connection, target.web, attempt, answer.returned);
      };
    },
  },

  'code-flow-pushed': {
    client: async (target, _, connection) => {
      const browser = new Browser(connection);
      await signIn(target, browser, target.web, OPENID_SCOPE, target.people[0]);
      return async () => {
        const attempt = newAttempt(target, target.web, OPENID_SCOPE);
        const { request_uri: requestUri } = await push(target, connection, attempt.query, basic(target.web));
        const query = new URLSearchParams({ client_id: target.web.clientId, request_uri: requestUri });
        const address = `${target.endpoints.authorization_endpoint}?${query}`;
        const answer = await browser.open(address, target.web.redirectUri);
        if (!answer.returned) throw new Error(`a page instead of a code: ${answer.url.pathname}`);
        await redeem(target, connection, target.web, attempt, answer.returned);
      };
    },
  },

  'pushed-request': {
    client: async (target, _, connection) => {
      const { query } = newAttempt(target, target.web, OPENID_SCOPE);
      const headers = basic(target.web);
      return async () => push(target, connection, query, headers);
    },
  },

  'pushed-request-by-key': {
    client: async (target, _, connection) => {
      const key = new AssertionKey(target.webByKey, target.issuer);
      const { query } = newAttempt(target, target.webByKey, OPENID_SCOPE);
      return async () => push(target, connection, new URLSearchParams([...query, ...Object.entries(key.fields())]));
    },
  },

  'client-credentials-dpop': {
    client: async (target, _, connection) => {
      const key = new DpopKey();
      return async () => {
        const body = await boundToken(target, connection, key);
        if (body.token_type !== 'DPoP' || !isOpaque(body.access_token)) throw unexpected('request with a proof', body);
      };
    },
  },

  'userinfo-dpop': {
    client: async (target, _, connection) => {
      const key = new DpopKey();
      const token = await boundSignIn(target, connection, key);
      const path = target.endpoints.userinfo_endpoint;
      return async () => {
        const headers = key.headersFor('GET', target.origin + path, token);
        const body = expectJson(await connection.request(get(connection.origin, path, headers)));
        if (!body.sub || !body.email) throw unexpected('request with a proof', body);
      };
    },
  },

  'code-flow-fapi': {
    client: async (target, _, connection) => {
      const [key, dpop] = [new AssertionKey(target.fapi, target.issuer), new DpopKey()];
      const browser = new Browser(connection);
      await signIn(target, browser, target.web, OPENID_SCOPE, target.people[0]);
      return async () => {
        const attempt = newAttempt(target, target.fapi, OPENID_SCOPE);
        const fields = new URLSearchParams([...attempt.query, ...Object.entries(key.fields())]);
        const { request_uri: requestUri } = await push(target, connection, fields);
        const query = new URLSearchParams({ client_id: target.fapi.clientId, request_uri: requestUri });
        const answer = await browser.open(
          `${target.endpoints.authorization_endpoint}?${query}`,
          target.fapi.redirectUri,
        );
        if (!answer.returned) throw new Error(`a page instead of a code: ${answer.url.pathname}`);
        const headers = dpop.headersFor('POST', target.origin + target.endpoints.token_endpoint);
        const proven = { headers, fields: key.fields(), algorithm: 'ES256' };
        const body = await redeem(target, connection, target.fapi, attempt, answer.returned, proven);
        if (body.token_type !== 'DPoP') throw unexpected('code with a proof', body);
      };
    },
  },

  /** RFC 8628, with a session: codes, the two pages, and the question that is answered with tokens. */
  'device-flow': {
    client: async (target, _, connection) => {
      const browser = new Browser(connection);
      await signIn(target, browser, target.web, OPENID_SCOPE, target.people[0]);
      const headers = basic(target.device);
      const ask = async (path, fields) =>
        expectJson(await connection.request(post(connection.origin, path, `${new URLSearchParams(fields)}`, headers)));
      return async () => {
        const path = target.endpoints.device_authorization_endpoint;
        const codes = await ask(path, { client_id: target.device.clientId, scope: OPENID_SCOPE });
        const page = await browser.open(codes.verification_uri_complete, NOWHERE);
        const asked = await browser.submit(page, { user_code: codes.user_code }, NOWHERE);
        // The peer's form says yes by itself.
        const decision = asked.page.includes('name="decision"') ? { decision: 'continue' } : {};
        await browser.submit(asked, decision, NOWHERE);
        const fields = { grant_type: DEVICE_CODE, device_code: codes.device_code };
        const body = await ask(target.endpoints.token_endpoint, fields);
        if (!body.access_token || !isJwt(body.id_token, 'RS256')) throw unexpected('device', body);
      };
    },
  },

  'refresh-by-certificate': {
    client: async (target, _, connection) => {
      const client = target.webByCertificate;
      const proven = { headers: CERTIFICATE_HEADERS, fields: { client_id: client.clientId } };
      const scope = `${OPENID_SCOPE} offline_access`;
      const browser = new Browser(connection);
      let { refresh_token: token } = await signIn(
        target,
        browser,
        client,
        scope,
        target.people[0],
        target.offline,
        proven,
      );
      return async () => {
        const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, ...proven.fields });
        const message = post(connection.origin, target.endpoints.token_endpoint, form.toString(), proven.headers);
        const body = expectJson(await connection.request(message));
        const rotated = body.refresh_token && body.refresh_token !== token;
        if (!rotated || !body.access_token || !isJwt(body.id_token, 'RS256')) throw unexpected('refresh', body);
        token = body.refresh_token;
      };
    },
  },

  'token-exchange': tokenExchange(async () => ({})),
  'token-exchange-acting': tokenExchange(async (target, connection) => ({
    actor_token: (await signedInAs(target, connection, target.people[1])).access_token,
    actor_token_type: ACCESS_TOKEN_TYPE,
  })),

  'sign-in': wholeSignIn('people'),
  'sign-in-many-addresses': wholeSignIn('people', (index) => ({ 'X-Forwarded-For': addressOf(index) })),
  'sign-in-without-work-factor': wholeSignIn('peopleWithoutWorkFactor'),

  /** By the button on the first page, where nobody is named. */
  'sign-in-passkey': {
    client: async (target, index, connection) => {
      const browser = new Browser(connection);
      const { passkey } = target.peopleWithPasskeys[index % target.peopleWithPasskeys.length];
      const device = new Authenticator(passkey, connection.origin.origin);
      return async () => {
        browser.forgetCookies();
        const attempt = newAttempt(target, target.web, OPENID_SCOPE);
        const page = await browser.open(attempt.address, target.web.redirectUri);
        const credential = device.get(passkeyOptionsOf(page));
        const end = await browser.submit(page, { credential }, target.web.redirectUri);
        await redeem(target, connection, target.web, attempt, returnedOf(end));
      };
    },
  },

  ...adminScenarios(),

  ...faceScenarios(),
};

/** RFC 8693 §2.1, for the same user or with somebody who acts for the user. */
function tokenExchange(actor) {
  return {
    client: async (target, _, connection) => {
      const { access_token: token } = await signedInAs(target, connection, target.people[0]);
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: ACCESS_TOKEN_TYPE,
        scope: 'openid email',
        ...(await actor(target, connection)),
      });
      const headers = basic(target.exchanger);
      const message = post(connection.origin, target.endpoints.token_endpoint, form.toString(), headers);
      const isExpected = (body) => isOpaque(body.access_token) && body.issued_token_type === ACCESS_TOKEN_TYPE;
      return exchanger(connection, message, isExpected);
    },
  };
}

function signedInAs(target, connection, person) {
  return signIn(target, new Browser(connection), target.exchanger, OPENID_SCOPE, person);
}

function clientCredentials(form, isExpected) {
  return {
    client: async (target, _, connection) =>
      exchanger(connection, clientCredentialsMessage(target, connection, form), (body) =>
        isExpected(body.access_token),
      ),
  };
}

function clientCredentialsMessage(target, connection, form) {
  const service = target.service[form];
  const fields = new URLSearchParams({ grant_type: 'client_credentials', ...service.fields });
  return post(connection.origin, target.endpoints.token_endpoint, fields.toString(), basic(service));
}

function introspection(client, isExpected) {
  return {
    client: async (target, _, connection) => {
      const { access_token: token } = await signedIn(target, connection, target[client], OPENID_SCOPE);
      if (!isExpected(token)) throw new Error(`not the form of access token that was asked for: ${token}`);
      return introspector(target, connection, token);
    },
  };
}

function introspector(target, connection, token) {
  const form = new URLSearchParams({ token, token_type_hint: 'access_token' });
  const message = post(connection.origin, target.endpoints.introspection_endpoint, form.toString(), basic(target.api));
  return exchanger(connection, message, (body) => body.active === true && body.client_id);
}

/** Each virtual client is a user of its own, and sends `headersOf` its number with each request of its browser. */
function wholeSignIn(people, headersOf = () => ({})) {
  return {
    client: async (target, index, connection) => {
      const browser = new Browser(connection, headersOf(index));
      const person = target[people][index % target[people].length];
      return async () => {
        browser.forgetCookies();
        await signIn(target, browser, target.web, OPENID_SCOPE, person);
      };
    },
  };
}

/** In a network of its own for each virtual client (RFC 2544 appendix C.2.2: addresses for benchmarks). */
function addressOf(index) {
  return `198.18.${index}.1`;
}

/** RFC 7523 §3. Signed once: the cost of signing is the client's, and without `jti` it may be used until it expires. */
function assertionOf({ issuer, machine }) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: machine.userId, sub: machine.userId, aud: issuer, iat: now, exp: now + ASSERTION_SECONDS };
  return signJwt({ alg: 'RS256', kid: machine.keyId }, claims, createPrivateKey(machine.privateKey));
}
