import { PREFIXES } from './namespaces.js';

type Prefix = keyof typeof PREFIXES;
type TagName = `${Prefix}:${string}`;
type Value = string | number | boolean | Date | undefined;

/** An element that is to be written. Its names are ours, its texts anybody's. */
export interface Tag {
  readonly name: TagName;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly content: ReadonlyArray<Tag | string>;
}

/** Attributes and content that are undefined are left out. */
export function tag(
  name: TagName,
  attributes: Readonly<Record<string, Value>>,
  ...content: ReadonlyArray<Tag | string | undefined | readonly Tag[]>
): Tag {
  return { name, attributes, content: content.flat().filter((one) => one !== undefined) };
}

/** The document with that root, which declares the namespaces of all that is in it. */
export function writeXml(root: Tag): string {
  const prefixes = [...new Set(prefixesOf(root))].sort();
  const declarations = Object.fromEntries(prefixes.map((prefix) => [`xmlns:${prefix}`, PREFIXES[prefix]]));
  return write({ ...root, attributes: { ...declarations, ...root.attributes } });
}

function prefixesOf({ name, content }: Tag): Prefix[] {
  const prefix = name.slice(0, name.indexOf(':')) as Prefix;
  return [prefix, ...content.flatMap((one) => (typeof one === 'string' ? [] : prefixesOf(one)))];
}

function write({ name, attributes, content }: Tag): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeAttribute(toLexical(value))}"`);
  const inside = content.map((one) => (typeof one === 'string' ? escapeText(one) : write(one)));
  return inside.length === 0
    ? `<${name}${written.join('')}/>`
    : `<${name}${written.join('')}>${inside.join('')}</${name}>`;
}

/** Instants in UTC, as SAML Core §1.3.3 wants them. */
function toLexical(value: Value): string {
  return typeof value === 'object' ? value.toISOString() : String(value);
}

/** XML 1.0 §2.2 has no such characters, not even as references: they are left out. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** Ends of lines for XML 1.1 §2.11 and so for some parsers, but not for those of XML 1.0: all read this one alike. */
const OTHER_LINE_END = /[\u0085\u2028]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function escapeText(text: string): string {
  return toCharacters(text).replace(/[&<>\r]/g, (character) => ESCAPES[character]!);
}

/** XML 1.0 §3.3.3: blanks that are not written as references become spaces. */
function escapeAttribute(value: string): string {
  return toCharacters(value).replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character]!);
}

function toCharacters(text: string): string {
  return text.replace(ILLEGAL, '').replace(OTHER_LINE_END, '\n');
}
