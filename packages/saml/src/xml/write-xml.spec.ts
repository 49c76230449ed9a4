import { describe, expect, it } from '@jest/globals';
import { NS } from './namespaces.js';
import { asReadBack, randomTexts } from './random-text.fixture.js';
import { readXml } from './read-xml.js';
import { tag, writeXml } from './write-xml.js';

describe('SML-014: what is written parses to the same values', () => {
  it.each([
    ['markup', '</saml:AttributeValue><saml:AttributeValue>admin', '</saml:AttributeValue><saml:AttributeValue>admin'],
    ['an ampersand', 'a & b &amp; c', 'a & b &amp; c'],
    ['quotes', `"'`, `"'`],
    ['control characters', 'a\0\u0001\u001fb', 'ab'],
    ['half a surrogate', 'a\ud800b', 'ab'],
    ['blanks', ' a\t\r\nb ', ' a\t\r\nb '],
    ['the end of a section', ']]>', ']]>'],
    ['ends of lines that parsers read differently', 'a\u0085b\u2028c', 'a\nb\nc'],
  ])('%s', (_, value, expected) => {
    const root = readXml(Buffer.from(writeXml(tag('saml:A', { b: value }, value))));
    expect([root.attribute('b'), root.text]).toEqual([expected, expected]);
  });

  it('any text at all, in text and in attributes', () => {
    for (const text of randomTexts(500, 14)) {
      const root = readXml(Buffer.from(writeXml(tag('saml:A', { b: text, c: '1' }, text, tag('saml:D', {}, text)))));
      expect(root.attribute('b')).toBe(asReadBack(text));
      expect(root.attribute('c')).toBe('1');
      expect(root.required(NS.assertion, 'D').text).toBe(asReadBack(text));
      expect(root.children).toHaveLength(1);
    }
  });
});

it('Namespaces are declared once, those that are used', () => {
  expect(
    writeXml(tag('samlp:A', { x: 1, y: undefined, z: true }, tag('saml:B', {}), undefined, tag('saml:C', {}, ''))),
  ).toBe(
    `<samlp:A xmlns:saml="${NS.assertion}" xmlns:samlp="${NS.protocol}" x="1" z="true"><saml:B/><saml:C></saml:C></samlp:A>`,
  );
});

it('Instants are written in UTC (SAML Core §1.3.3)', () => {
  const at = new Date('2026-11-30T01:02:03.004Z');
  expect(writeXml(tag('saml:A', { at }))).toContain(' at="2026-11-30T01:02:03.004Z"');
});
