import { describe, expect, it } from '@jest/globals';
import { MalformedJws, readCompactJws } from './compact-jws.js';

const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64url');
const HEADER = encode('{"alg":"RS256","kid":"1"}');
const PAYLOAD = encode('{"iss":"a","aud":["b"]}');
/** 32 bytes: the last of its 43 characters has two unused bits. */
const SIGNATURE = encode(Buffer.alloc(32, 7));
const MAX = 1_000;

function flawOf(text: string): string | undefined {
  try {
    readCompactJws(text, MAX);
    return undefined;
  } catch (error) {
    return error instanceof MalformedJws ? error.flaw : String(error);
  }
}

/** The next letter of the alphabet: the same bytes, because only unused bits differ. */
function withUnusedBits(part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return part.slice(0, -1) + alphabet[alphabet.indexOf(part.at(-1)!) + 1]!;
}

describe('A JWT in the compact serialization', () => {
  it('is read', () => {
    expect(readCompactJws(`${HEADER}.${PAYLOAD}.${SIGNATURE}`, MAX)).toEqual({
      header: { alg: 'RS256', kid: '1' },
      payload: { iss: 'a', aud: ['b'] },
    });
  });

  it('may have an empty signature, which no key verifies: unsigned request objects are read so', () => {
    expect(flawOf(`${HEADER}.${PAYLOAD}.`)).toBeUndefined();
  });

  it.each([
    ['padding', `${SIGNATURE}=`],
    ['a trailing blank', `${SIGNATURE} `],
    ['a trailing line break', `${SIGNATURE}\n`],
    ['a blank within', `${SIGNATURE.slice(0, 4)} ${SIGNATURE.slice(4)}`],
    ['the other alphabet', `++++${SIGNATURE.slice(4)}`],
    ['set unused bits', withUnusedBits(SIGNATURE)],
    ['a character too many', `${SIGNATURE}AA`.slice(0, 45)],
  ])('has one spelling (RFC 7515 §2): not %s', (_, signature) => {
    expect(Buffer.from(signature, 'base64url').subarray(3, 31)).toEqual(Buffer.alloc(32, 7).subarray(3, 31));
    expect(flawOf(`${HEADER}.${PAYLOAD}.${signature}`)).toBe('encoding_not_canonical');
  });

  it('has one spelling in its header and payload as well', () => {
    const header = encode('{"alg":"RS256"} ');
    const payload = encode('{"iss":"ab"}');
    expect([header.length % 4, payload.length % 4]).toEqual([2, 0]);
    expect(flawOf(`${withUnusedBits(header)}.${payload}.x`)).toBe('encoding_not_canonical');
    expect(flawOf(`${HEADER}.${encode('{"iss":"a"}')}=.${SIGNATURE}`)).toBe('encoding_not_canonical');
    expect(flawOf(` ${HEADER}.${PAYLOAD}.${SIGNATURE}`)).toBe('encoding_not_canonical');
  });

  it.each([
    ['header_ambiguous', '{"alg":"RS256","alg":"none"}', '{}'],
    ['header_ambiguous', '{"kid":"1","\\u006bid":"2"}', '{}'],
    ['payload_ambiguous', '{}', '{"sub":"a","sub":"b"}'],
  ])('has each member once: %s of %s and %s', (flaw, header, payload) => {
    expect(flawOf(`${encode(header)}.${encode(payload)}.x`.replace(/x$/, SIGNATURE))).toBe(flaw);
  });

  it.each([
    ['header_critical', '{"crit":["b64"],"b64":false}', '{}'],
    ['header_unreadable', '[]', '{}'],
    ['header_unreadable', '"a"', '{}'],
    ['header_unreadable', '{', '{}'],
    ['header_unreadable', '\ufeff{}', '{}'],
    ['payload_unreadable', '{}', 'null'],
    ['payload_unreadable', '{}', '\ufeff{}'],
    ['payload_unreadable', '{}', '{} {}'],
  ])('is two JSON objects without extensions: %s of %j and %j', (flaw, header, payload) => {
    expect(flawOf(`${encode(header)}.${encode(payload)}.`)).toBe(flaw);
  });

  it('is UTF-8', () => {
    expect(flawOf(`${HEADER}.${encode(Buffer.from('{"a":"\xff"}', 'latin1'))}.`)).toBe('payload_unreadable');
  });

  it.each([
    '',
    'x',
    'a.b',
    `${HEADER}.${PAYLOAD}`,
    `.${PAYLOAD}.`,
    `${HEADER}..`,
    `${HEADER}.${PAYLOAD}.x.y`,
    'a.b.c.d.e',
  ])('has three parts: not %j', (text) => {
    expect(flawOf(text)).toBe('not_a_jws');
  });

  it('is refused unread when it is too long', () => {
    expect(flawOf('x'.repeat(MAX + 1))).toBe('too_long');
  });

  it('may nest as deeply as it likes without harm', () => {
    const deep = encode(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    expect(() => readCompactJws(`${HEADER}.${deep}.`, 200_000)).not.toThrow(RangeError);
  });
});
