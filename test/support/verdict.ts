import { expect } from '@jest/globals';
import { type Arrival, Page } from './browser.js';
import type { Parameters, Reply } from './http.js';
import { type Answer, answerOf, type RelyingParty } from './relying-party.js';

/* The outcomes that docs/threats.md asks for, each one an expectation. */

/** Seven ways to run a script in a page. */
export const XSS = [
  '"><script>x()</script>',
  "'onmouseover=x()//",
  '</title><svg/onload=x()>',
  'javascript:x()',
  '{{7919*1009}}${7919*1009}<%=7919*1009%>',
  '&lt;img src=x onerror=x()&gt;',
  '\u2028</script>',
] as const;

/** 400, a page of ours, no redirect, nothing of `offending` unescaped. */
export function expectPage400(reply: Reply, offending = ''): void {
  expect(reply.status).toBe(400);
  expect(reply.location).toBeUndefined();
  expect(reply.header('content-type')).toBe('text/html; charset=utf-8');
  expect(reply.header('set-cookie')).toBeUndefined();
  expectEscaped(reply, offending);
}

/** Of the check of a session, and of the login pages. */
const OUR_SCRIPT = /^\/(?:oauth|ui\/login\/assets)\//;

/** No markup of this text is in the page. */
export function expectEscaped(reply: Reply, text: string): void {
  if (/[<>"]/.test(text)) expect(reply.text).not.toContain(text);
  const elements = new Page(reply, '').all('*');
  const handlers = elements.flatMap((element) => Object.keys(element.attributes).filter((name) => /^on/i.test(name)));
  const scripts = elements
    .filter(({ tagName }) => /^script$/i.test(tagName))
    .map((script) => script.getAttribute('src'));
  expect(handlers).toEqual([]);
  expect(scripts.filter((source) => !OUR_SCRIPT.test(source ?? ''))).toEqual([]);
}

/** A redirect to the client with this error, `state` byte for byte, and `iss`; in the query or in the fragment. */
export function expectRefusal(
  rp: RelyingParty,
  arrival: Arrival,
  error: string,
  { state = 'S1', mode = 'query' }: { state?: string | null; mode?: 'query' | 'fragment' } = {},
): Answer {
  if (arrival.redirect === undefined)
    throw new Error(`A page came instead of ${error}: ${arrival.page.status} ${arrival.page.text.slice(0, 300)}`);
  const separator = mode === 'fragment' ? '#' : '?';
  expect(arrival.redirect.slice(0, rp.client.redirectUri.length + 1)).toBe(rp.client.redirectUri + separator);
  expect([302, 303]).toContain(arrival.reply.status);
  const answer = answerOf(arrival.redirect);
  expect(answer['error']).toBe(error);
  expect(answer['state']).toBe(state ?? undefined);
  expect(answer['iss']).toBe(rp.world.issuer);
  expect(answer['error_description']).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/); // RFC 6749 §4.1.2.1
  for (const name of ['code', 'access_token', 'id_token']) expect(answer[name]).toBeUndefined();
  return answer;
}

/** 400, JSON, not to be stored. */
export function expectToken400(reply: Reply, error: string): void {
  expect([reply.status, reply.json()['error']]).toEqual([400, error]);
  expectUnstored(reply);
}

/** 401 invalid_client, with a challenge when the header was used. */
export function expectToken401(reply: Reply, usedHeader = true): void {
  expect([reply.status, reply.json()['error']]).toEqual([401, 'invalid_client']);
  expect(reply.header('www-authenticate') ?? '').toMatch(usedHeader ? /^Basic / : /^$/);
  expectUnstored(reply);
}

function expectUnstored(reply: Reply): void {
  expect(reply.header('cache-control')).toBe('no-store');
  expect(reply.header('pragma')).toBe('no-cache');
  expect(reply.header('content-type')).toMatch(/^application\/json; charset=utf-8$/i);
}

/** 200 and exactly `{"active":false}`. */
export function expectInactive(reply: Reply): void {
  expect([reply.status, reply.text]).toEqual([200, '{"active":false}']);
}

/** 401 with a challenge that says the token is not valid. */
export function expectDead(reply: Reply): void {
  expect(reply.status).toBe(401);
  expect(reply.header('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
}

/** Opens the authorization endpoint with a request that it must refuse by a redirect. */
export async function expectAuthorizeRefusal(
  rp: RelyingParty,
  over: Parameters,
  error: string,
  how: { state?: string | null; mode?: 'query' | 'fragment' } = {},
): Promise<Answer> {
  return expectRefusal(rp, await rp.authorize(over), error, how);
}
