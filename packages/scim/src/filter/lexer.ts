import { invalidFilter } from '../error/scim-error.js';
import type { Comparand } from './filter.js';

export type Token =
  | { readonly is: 'word'; readonly text: string }
  /** A sub-attribute behind a bracket: `.value`. */
  | { readonly is: 'sub'; readonly name: string }
  | { readonly is: 'value'; readonly value: Comparand }
  | { readonly is: '(' | ')' | '[' | ']' };

const SPACE = / +/y;
/** RFC 7644 §3.4.2.2: attribute names, the URN before them, and operators; `$ref` begins with a dollar sign. */
const WORD = /[A-Za-z$][A-Za-z0-9_$.:-]*/y;
const SUB = /\.([A-Za-z$][A-Za-z0-9_$-]*)/y;
/** RFC 8259 §7: what is below U+0020 never stands for itself, and no other escapes exist. */
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/uy;
/** RFC 8259 §6. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?(?![\w.])/y;
const BRACKET = /[()[\]]/y;
/** Entra writes `True`. */
const LITERALS: ReadonlyMap<string, Comparand> = new Map<string, Comparand>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The tokens of a filter, in one pass. @throws ScimError `invalidFilter` */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text) ?? undefined;
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    if (take(SPACE)) continue;
    const token = tokenFrom(take);
    if (!token) throw invalidFilter(`The filter cannot be read at character ${at + 1}.`);
    tokens.push(token);
  }
  return tokens;
}

function tokenFrom(take: (pattern: RegExp) => RegExpExecArray | undefined): Token | undefined {
  const bracket = take(BRACKET)?.[0];
  if (bracket === '(' || bracket === ')' || bracket === '[' || bracket === ']') return { is: bracket };
  const word = take(WORD)?.[0];
  if (word !== undefined) {
    const literal = LITERALS.get(word.toLowerCase());
    return literal === undefined ? { is: 'word', text: word } : { is: 'value', value: literal };
  }
  const sub = take(SUB)?.[1];
  if (sub !== undefined) return { is: 'sub', name: sub };
  const json = take(STRING)?.[0] ?? take(NUMBER)?.[0];
  return json === undefined ? undefined : { is: 'value', value: JSON.parse(json) as Comparand };
}
