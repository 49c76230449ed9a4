import { get } from './connection.mjs';

/** A function that gets an address once and throws unless the answer is the expected one. */
export function fetcher(connection, path, isExpected, headers) {
  return exchanger(connection, get(connection.origin, path, headers), isExpected);
}

/** The same for any message. */
export function exchanger(connection, message, isExpected) {
  return async () => {
    const body = expectJson(await connection.request(message));
    if (!isExpected(body)) throw unexpected('request', body);
  };
}

export function expectJson(answer) {
  if (answer.status !== 200) throw new Error(`unexpected answer ${answer.status}: ${answer.text().slice(0, 400)}`);
  return answer.json();
}

export function unexpected(what, body) {
  return new Error(`unexpected answer to a ${what}: ${JSON.stringify(body).slice(0, 400)}`);
}

/** RFC 6749 §2.3.1: both halves form-url-encoded. */
export function basic({ clientId, clientSecret }) {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

export function isOpaque(token) {
  return typeof token === 'string' && token.length >= 20 && !token.includes('.');
}

export function isJwt(token, algorithm) {
  return typeof token === 'string' && token.split('.').length === 3 && part(token, 0).alg === algorithm;
}

/** The header (0) or the claims (1) of a JWT. */
export function part(token, index) {
  return JSON.parse(Buffer.from(token.split('.')[index], 'base64url').toString());
}
