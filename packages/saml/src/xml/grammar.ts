import { SamlRefusal } from '../refusal.js';

/**
 * What no message and no metadata comes near. They keep quick what comes later: canonicalization, XPath, the parser,
 * which searches all of the document once for each name of an element, and taking out comments, which takes time by
 * their square. Pieces are comments and CDATA sections.
 */
export const MAX = {
  depth: 32,
  elements: 2048,
  names: 128,
  attributes: 4096,
  attributesOfElement: 32,
  pieces: 256,
} as const;

const DECLARATION_OF_TYPES = /<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i;
/** XML 1.0 §2.2 */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** Ends of lines for XML 1.1 §2.11. The parser would change them, though documents are of XML 1.0. */
const OTHER_LINE_END = /[\u0085\u2028]/;
const CHARACTER_REFERENCE = /&#(?:x([0-9A-Fa-f]+)|([0-9]+));/g;
const BLANK = /^[ \t\r\n]*$/;

const S = '[ \\t\\r\\n]';
/** Narrower than XML 1.0 §2.3: all names in SAML and in its extensions are ASCII. */
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
/** XML 1.0 §4.1, with the entities of §4.6 alone. */
const REFERENCE = '&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});';
const ATTRIBUTE = `${S}+${NAME}${S}*=${S}*(?:"(?:[^<&"]|${REFERENCE})*"|'(?:[^<&']|${REFERENCE})*')`;

const ATTRIBUTES = new RegExp(ATTRIBUTE, 'g');

/** XML 1.0 §2.8 and §4.3.3 */
const PROLOGUE = new RegExp(
  `<\\?xml${S}+version${S}*=${S}*["']1\\.0["']` +
    `(?:${S}+encoding${S}*=${S}*["'](?:[Uu][Tt][Ff]-8|[Uu][Ss]-[Aa][Ss][Cc][Ii][Ii])["'])?` +
    `(?:${S}+standalone${S}*=${S}*["'](?:yes|no)["'])?${S}*\\?>`,
  'y',
);

/** XML 1.0 §2.4 to §2.7 and §3.1, without processing instructions. */
const TOKEN = new RegExp(
  [
    `(?<text>(?:[^<&]|${REFERENCE})+)`,
    `<(?<opened>${NAME})(?<attributes>(?:${ATTRIBUTE})*)${S}*(?<empty>/?)>`,
    `</(?<closed>${NAME})${S}*>`,
    '(?<comment><!--(?:[^-]|-[^-])*-->)',
    '(?<section><!\\[CDATA\\[(?:[^\\]]|\\](?!\\]>))*\\]\\]>)',
  ].join('|'),
  'y',
);

/**
 * Refuses what the grammar of XML 1.0 does not allow, before the parser sees it: that one mends unclosed elements, bare
 * ampersands, references to no character and more, without a word. Nothing is read here. Besides, a document has no
 * document type and no processing instructions (SAML has no use for either), one root, and a limited size.
 * @throws SamlRefusal `xml_doctype`, `xml_malformed`, `xml_too_complex`
 */
export function checkGrammar(text: string): void {
  if (DECLARATION_OF_TYPES.test(text)) throw new SamlRefusal('xml_doctype');
  if (ILLEGAL.test(text)) throw malformed('a character that XML does not have');
  if (OTHER_LINE_END.test(text)) throw malformed('an end of a line that is none');
  for (const [, hexadecimal, decimal] of text.matchAll(CHARACTER_REFERENCE)) {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (code > 0x10_ffff || ILLEGAL.test(String.fromCodePoint(code)))
      throw malformed('a reference to a character that XML does not have');
  }
  checkTokens(text);
}

function checkTokens(text: string): void {
  const open: string[] = [];
  const counted = { elements: 0, attributes: 0, pieces: 0, names: new Set<string>() };
  for (const token of tokens(text)) {
    const { opened, closed } = token;
    if (opened !== undefined) {
      if (open.length === 0 && counted.elements > 0) throw malformed('a second root');
      if (token.empty === '') open.push(opened);
    } else if (closed !== undefined) {
      if (open.pop() !== closed) throw malformed('an end tag without its beginning');
    } else if (open.length === 0 && !isMisc(token)) {
      throw malformed('text beside the root');
    }
    count(token, counted);
    if (open.length > MAX.depth) throw new SamlRefusal('xml_too_complex');
  }
  if (open.length > 0 || counted.elements === 0) throw malformed('an element without its end');
}

interface Counted {
  elements: number;
  attributes: number;
  pieces: number;
  readonly names: Set<string>;
}

function count(token: Token, counted: Counted): void {
  const attributes = token.attributes?.match(ATTRIBUTES)?.length ?? 0;
  counted.attributes += attributes;
  if (token.opened !== undefined) {
    counted.elements += 1;
    counted.names.add(token.opened);
  }
  if (token.comment !== undefined || token.section !== undefined) counted.pieces += 1;
  const isWithin =
    attributes <= MAX.attributesOfElement &&
    counted.attributes <= MAX.attributes &&
    counted.elements <= MAX.elements &&
    counted.names.size <= MAX.names &&
    counted.pieces <= MAX.pieces;
  if (!isWithin) throw new SamlRefusal('xml_too_complex');
}

type Token = Readonly<
  Partial<Record<'text' | 'opened' | 'attributes' | 'empty' | 'closed' | 'comment' | 'section', string>>
>;

function* tokens(text: string): Generator<Token> {
  PROLOGUE.lastIndex = 0;
  let position = PROLOGUE.test(text) ? PROLOGUE.lastIndex : 0;
  while (position < text.length) {
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(text)?.groups;
    if (!token) throw malformed('not the grammar of XML');
    position = TOKEN.lastIndex;
    yield token;
  }
}

/** XML 1.0 §2.8: what may stand before and after the root. */
function isMisc({ text, comment }: Token): boolean {
  return comment !== undefined || (text !== undefined && BLANK.test(text));
}

function malformed(detail: string): SamlRefusal {
  return new SamlRefusal('xml_malformed', detail);
}
