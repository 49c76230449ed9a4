import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../foundation/error/domain-error.js';
import { DocumentReader } from './document-reader.js';
import { Utf8Check } from './utf8-check.js';

const HANDLER = {
  knows: () => true,
  setting: () => undefined,
  orgBegins: () => undefined,
  entry: () => undefined,
  orgEnds: () => undefined,
};

/** The refusal of a text that arrives in pieces of that size. */
function refusalOf(text: string | Buffer, root: 'request' | 'data', size = 7): string {
  const bytes = Buffer.from(text);
  const reader = new DocumentReader(HANDLER, root);
  const check = new Utf8Check();
  try {
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      const badByte = check.firstBadByte(piece);
      reader.write(badByte === undefined ? piece : piece.subarray(0, Math.max(badByte, 0)));
      if (badByte !== undefined) throw reader.brokenAt(Math.min(badByte, 0));
    }
    reader.end();
    return '';
  } catch (error) {
    return (error as DomainError).message;
  }
}

const SIZES = [1, 2, 3, 5, 64, 1_000];
const BEFORE = '{"orgs":[{"orgId":"a","org":{"name":"Ü ';
const AFTER = '"}}]}';
const at = (text: string): number => Buffer.byteLength(text);

describe('An error in a document is reported with its position, regardless of how the text is split', () => {
  it.each<[string, Buffer]>([
    ['NUL', Buffer.from([0])],
    ['a control character', Buffer.from([0x1f])],
    ['a line end', Buffer.from('\n')],
    ['a byte that no character begins with', Buffer.from([0xff])],
    ['a continuation without a beginning', Buffer.from([0x80])],
    ['a character that breaks off', Buffer.from([0xe2, 0x82, 0x41])],
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
    ['half of a surrogate pair', Buffer.from([0xed, 0xa0, 0x80])],
    ['a character of four bytes that breaks off', Buffer.from([0xf0, 0x9f, 0x98, 0x22])],
  ])('%s', (_, bad) => {
    const document = Buffer.concat([Buffer.from(BEFORE), bad, Buffer.from(AFTER)]);
    const expected = `The document is not valid JSON (byte ${at(BEFORE)}).`;
    for (const size of SIZES) {
      expect([size, refusalOf(document, 'data', size)]).toEqual([size, expected]);
      expect([
        size,
        refusalOf(
          Buffer.concat([Buffer.from('{"timeout":"5m","dataOrgs":'), document, Buffer.from('}')]),
          'request',
          size,
        ),
      ]).toEqual([size, expected]);
    }
  });

  it('outside of the document, by its position in the request', () => {
    for (const size of SIZES) {
      expect(refusalOf('{"timeout":"5m",}', 'request', size)).toBe('The request is not valid JSON (byte 16).');
      expect(refusalOf('{"dataOrgs":{"orgs":[]},"dryRun":\u0000}', 'request', size)).toBe(
        'The request is not valid JSON (byte 33).',
      );
    }
  });

  it('of a valid JSON text, nothing is reported', () => {
    const document = `${BEFORE}😀 €${AFTER}`;
    for (const size of SIZES) expect(refusalOf(`{"dataOrgs":${document},"dryRun":true}`, 'request', size)).toBe('');
  });
});

it('a defect of the service is not taken for one of the document', () => {
  const handler = {
    ...HANDLER,
    orgBegins: () => {
      throw new TypeError('planted');
    },
  };
  expect(() => new DocumentReader(handler, 'data').write(Buffer.from('{"orgs":[{}]}'))).toThrow(
    new TypeError('planted'),
  );
});

describe('The length of a document that ends too early is reported', () => {
  const whole = `${BEFORE}x${AFTER}`;

  it.each([1, 9, 20, 30, at(whole) - 1])('%d bytes', (bytes) => {
    const cut = Buffer.from(whole).subarray(0, bytes);
    const expected = `The document is truncated: it ends after ${bytes} bytes. Write or copy it again.`;
    for (const size of SIZES) {
      expect(refusalOf(cut, 'data', size)).toBe(expected);
      // The command closes the request after the contents of the file.
      expect(refusalOf(Buffer.concat([Buffer.from('{"dataOrgs":'), cut, Buffer.from('}')]), 'request', size)).toBe(
        expected,
      );
    }
  });

  it('and of a request without one its own', () => {
    expect(refusalOf('{"timeout":"5', 'request')).toBe(
      'The request is truncated: it ends after 13 bytes. Write or copy it again.',
    );
    expect(refusalOf('', 'request')).toBe('The request is truncated: it ends after 0 bytes. Write or copy it again.');
  });
});
