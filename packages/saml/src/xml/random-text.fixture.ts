/** What escaping goes wrong on, and what XML has no place for. */
const PIECES = [
  ...[
    '<',
    '>',
    '&',
    '"',
    "'",
    ']]>',
    '<!--',
    '-->',
    '<![CDATA[',
    '<?x?>',
    '&amp;',
    '&#0;',
    '&lt;',
    '</saml:AttributeValue><',
  ],
  ...[
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\u0000',
    '\u0001',
    '\u000b',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\u2029',
  ],
  ...['\ud800', '\udfff', '\ufffe', '\uffff', '\ufeff', '😀', 'é', 'ß', '漢', 'a', 'Z', '0', ' ', '  ', 'xmlns:a="b"'],
];

/** Texts of up to 20 pieces, the same for the same seed. */
export function* randomTexts(count: number, seed: number): Generator<string> {
  const random = generator(seed);
  for (let made = 0; made < count; made += 1) {
    const length = Math.floor(random() * 21);
    yield Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]!).join('');
  }
}

/** A linear congruential generator (Numerical Recipes §7.1): numbers from 0 to below 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What a reader of the document has in the end: characters that XML does not have are left out. */
export function asReadBack(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '').replace(/[\u0085\u2028]/g, '\n');
}
