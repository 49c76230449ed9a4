import { invalidFilter } from '../error/scim-error.js';
import { type AttributePath, COMPARISONS, type Filter } from './filter.js';
import { type Token, tokensOf } from './lexer.js';

export const MAX_CHARACTERS = 1_000;
/** How deep parentheses and brackets may be nested. */
export const MAX_DEPTH = 10;

/** What a path names: `emails[type eq "work"].value`. */
export interface ParsedPath {
  readonly path: AttributePath;
  /** Which values of a multi-valued attribute are meant. */
  readonly filter: Filter | undefined;
}

/**
 * A filter of RFC 7644 §3.4.2.2. Operators are read regardless of case; `and` binds more than `or`, `not` more than
 * both. Also read is what Entra sends besides: `emails[type eq "work"].value eq "…"`.
 * @throws ScimError `invalidFilter` in time that grows with the length alone, without the filter in it (SCM-002)
 */
export function parseFilter(text: string): Filter {
  const reader = new FilterReader(checked(text));
  const filter = reader.readOr(0);
  reader.checkEnd();
  return filter;
}

/**
 * The path of a PATCH operation (RFC 7644 §3.5.2): `attrPath / valuePath [subAttr]`.
 * @throws ScimError `invalidFilter`
 */
export function parsePath(text: string): ParsedPath {
  const reader = new FilterReader(checked(text));
  const parsed = reader.readPath();
  reader.checkEnd();
  return parsed;
}

function checked(text: string): readonly Token[] {
  // A character has at most two code units, so that a long text is not taken apart first.
  if (text.length > 2 * MAX_CHARACTERS || [...text].length > MAX_CHARACTERS)
    throw invalidFilter(`A filter has at most ${MAX_CHARACTERS} characters.`);
  return tokensOf(text);
}

class FilterReader {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  readOr(depth: number): Filter {
    return this.readRow('or', () => this.readRow('and', () => this.readTerm(depth)));
  }

  readPath(): ParsedPath {
    const path = toPath(this.word('an attribute'));
    if (!this.take('[')) return { path, filter: undefined };
    const filter = this.readOr(1);
    this.expect(']');
    const sub = this.takeSub();
    return { path: sub === undefined ? path : withSub(path, sub), filter };
  }

  checkEnd(): void {
    if (this.at < this.tokens.length) throw this.broken('its end');
  }

  private readRow(operator: 'and' | 'or', read: () => Filter): Filter {
    const first = read();
    const filters = [first];
    while (this.takeWord(operator)) filters.push(read());
    return filters.length === 1 ? first : { is: operator, filters };
  }

  private readTerm(depth: number): Filter {
    if (this.takeWord('not')) {
      this.expect('(');
      return { is: 'not', filter: this.readNested(depth, ')') };
    }
    if (this.take('(')) return this.readNested(depth, ')');
    const path = toPath(this.word('an attribute'));
    if (!this.take('[')) return this.readComparison(path);
    const filter = this.readNested(depth, ']');
    const sub = this.takeSub();
    if (sub === undefined) return { is: 'element', path, filter };
    const last = this.readComparison({ name: sub, sub: undefined });
    return { is: 'element', path, filter: { is: 'and', filters: [filter, last] } };
  }

  private readNested(depth: number, end: ')' | ']'): Filter {
    if (depth === MAX_DEPTH) throw invalidFilter(`A filter is at most ${MAX_DEPTH} parentheses deep.`);
    const filter = this.readOr(depth + 1);
    this.expect(end);
    return filter;
  }

  private readComparison(path: AttributePath): Filter {
    const word = this.word('an operator').toLowerCase();
    if (word === 'pr') return { is: 'present', path };
    const operator = COMPARISONS.find((one) => one === word);
    if (operator === undefined) throw this.broken('an operator', -1);
    const token = this.tokens[this.at];
    if (token?.is !== 'value') throw this.broken('a value of JSON');
    this.at++;
    return { is: 'compare', path, operator, value: token.value };
  }

  private take(is: '(' | '['): boolean {
    const isThere = this.tokens[this.at]?.is === is;
    if (isThere) this.at++;
    return isThere;
  }

  private expect(is: '(' | ')' | ']'): void {
    if (this.tokens[this.at]?.is !== is) throw this.broken(is);
    this.at++;
  }

  private takeWord(word: string): boolean {
    const token = this.tokens[this.at];
    const isThere = token?.is === 'word' && token.text.toLowerCase() === word;
    if (isThere) this.at++;
    return isThere;
  }

  private takeSub(): string | undefined {
    const token = this.tokens[this.at];
    if (token?.is !== 'sub') return undefined;
    this.at++;
    return token.name;
  }

  private word(what: string): string {
    const token = this.tokens[this.at];
    if (token?.is !== 'word') throw this.broken(what);
    this.at++;
    return token.text;
  }

  /** Names the place by its number: what stands there may be anything. */
  private broken(wanted: string, offset = 0): Error {
    return invalidFilter(`The filter lacks ${wanted} at word ${this.at + 1 + offset}.`);
  }
}

/** `urn:…:2.0:User:name.givenName`: dots before the last colon belong to the URN. */
function toPath(word: string): AttributePath {
  const start = word.lastIndexOf(':') + 1;
  const isUrn = /^urn:/i.test(word);
  if (start > 0 && !isUrn) throw invalidFilter('A name with a colon begins with the URN of its schema.');
  const [name = '', sub, ...more] = word.slice(start).split('.');
  if (name === '' || sub === '' || more.length > 0)
    throw invalidFilter('A name has at most one sub-attribute, behind a dot.');
  // A URN alone may end with its version: it names a schema, in which nothing has parts.
  return { name: word.slice(0, start) + name, sub };
}

function withSub(path: AttributePath, sub: string): AttributePath {
  if (path.sub !== undefined) throw invalidFilter('A name has at most one sub-attribute, behind a dot.');
  return { name: path.name, sub };
}
