import { describe, expect, it } from '@jest/globals';
import { contradictionsOf } from '../support/runner/answer-check.mjs';

/*
 * Every answer that a test receives through test/support/http.ts is compared with openapi.json. Here: that the
 * comparison sees what generated clients would stumble over.
 */
describe('An answer is compared with openapi.json', () => {
  const KEYS = {
    method: 'GET',
    path: '/oauth/v2/keys',
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  };
  const KEY = { kty: 'RSA', kid: '1', use: 'sig', alg: 'RS256', n: 'n', e: 'AQAB' };

  it('and passes where they agree', () => {
    expect(contradictionsOf({ ...KEYS, text: JSON.stringify({ keys: [KEY] }) })).toEqual([]);
  });

  it.each<[string, Partial<Parameters<typeof contradictionsOf>[0]>, string]>([
    ['a status', { status: 302 }, 'status 302 is not documented'],
    [
      'a content type',
      { headers: { 'content-type': 'text/html' } },
      'content type text/html is not documented (application/json)',
    ],
    ['a header', { headers: { ...KEYS.headers, 'retry-after': '1' } }, 'the header retry-after is not documented'],
    ['a missing member', { text: '{}' }, `body must have required property 'keys' {"missingProperty":"keys"}`],
    [
      'an unknown member',
      { text: '{"keys":[],"more":1}' },
      'body must NOT have additional properties {"additionalProperty":"more"}',
    ],
    ['a type', { text: '{"keys":{}}' }, '/keys must be array {"type":"array"}'],
  ])('and fails for %s that it does not document', (_, difference, expected) => {
    expect(contradictionsOf({ ...KEYS, text: JSON.stringify({ keys: [KEY] }), ...difference })).toEqual([expected]);
  });

  it('and fails where a documented header is missing: a redirect without an address', () => {
    const redirect = { method: 'GET', path: '/oauth/v2/authorize?client_id=demo', status: 302, headers: {}, text: '' };
    expect(contradictionsOf(redirect)).toEqual(['the header location is missing']);
  });
});
