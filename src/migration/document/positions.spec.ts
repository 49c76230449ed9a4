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
      if (badByte !== undefined) throw reader.brokenAt(Math.min(badByte, 0), piece.subarray(Math.max(badByte, 0)));
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
    const place = `at line 1, column ${[...BEFORE].length + 1} (byte ${at(BEFORE)})`;
    const expected =
      bad[0]! < 0x80
        ? `The document is not valid JSON ${place}.`
        : expect.stringContaining(`is not UTF-8 ${place}, and seems`);
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
      expect(refusalOf('{"timeout":"5m",}', 'request', size)).toBe(
        'The request is not valid JSON at line 1, column 17 (byte 16).',
      );
      expect(refusalOf('{"dataOrgs":{"orgs":[]},"dryRun":\u0000}', 'request', size)).toBe(
        'The request is not valid JSON at line 1, column 34 (byte 33).',
      );
    }
  });

  const lines = '{"orgs":[\n  {"orgId":"ä",\n   "org":{"name":"x"}\n';
  it.each<[string, string, string]>([
    ['a comma that is missing', `${lines}  {}]}`, 'is not valid JSON at line 4, column 3 '],
    ['a number behind a number, before a line end', '{"orgs":[\n1 22\n]}', 'is not valid JSON at line 2, column 3 '],
    ['marks of a merge', `${lines}<<<<<<< HEAD\n}]}`, 'at line 4, column 1 (byte 49): there are the marks of a merge'],
    ['marks between', `${lines}=======\n}]}`, 'at line 4, column 1 (byte 49): there are the marks of a merge'],
    ['an angle bracket that is no mark', `${lines}<html>`, 'is not valid JSON at line 4, column 1 (byte 49).'],
    ['a line too long to be kept', `{"orgs":[{"orgId":"${'x'.repeat(250_000)}",}]}`, 'at line 1 (byte 250021).'],
  ])('%s, by line and column', (_, document, expected) => {
    for (const size of document.length < 1_000 ? [3, 64, 100_000] : [1_000, 100_000]) {
      expect([size, refusalOf(document, 'data', size)]).toEqual([size, expect.stringContaining(expected)]);
      const request = `{"timeout":"5m",\n\n "dataOrgs":${document}}`;
      expect([size, refusalOf(request, 'request', size)]).toEqual([size, expect.stringContaining(expected)]);
    }
  });

  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
  it.each<[string, Buffer, string]>([
    ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('{"orgs":[]}')]), 'seems to be in UTF-16LE'],
    ['UTF-16 without one', utf16('{"orgs":[]}'), 'seems to be in UTF-16LE'],
    [
      'Latin-1',
      Buffer.from('{\n"orgs":"\xfc"}', 'latin1'),
      'is not UTF-8 at line 2, column 9 (byte 10), and seems to be in',
    ],
  ])('%s, by what it seems to be', (_, document, expected) => {
    for (const size of [4, 64]) {
      expect([size, refusalOf(document, 'data', size)]).toEqual([size, expect.stringContaining(expected)]);
      expect([size, refusalOf(document, 'request', size)]).toEqual([size, expect.stringContaining(expected)]);
    }
  });

  it('but no byte order mark: RFC 8259 §8.1 lets it be ignored', () => {
    for (const size of SIZES) expect(refusalOf('\ufeff{"dataOrgs":{"orgs":[]}}', 'request', size)).toBe('');
    for (const size of SIZES) expect(refusalOf('\ufeff{"orgs":[]}', 'data', size)).toBe('');
    expect(refusalOf('\ufeff{"orgs":x}', 'data')).toBe(
      'The document is not valid JSON at line 1, column 12 (byte 11).',
    );
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
