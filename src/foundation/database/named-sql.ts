/** SQL as the driver takes it. */
export interface Parsed {
  /** The SQL with `$1`, `$2`, … in place of the names. */
  readonly text: string;
  /** The names in the order of their numbers, each once. */
  readonly parameters: readonly string[];
}

/**
 * A piece that is copied as it is (strings, quoted names, comments, casts), or else a parameter. An opening quote or
 * comment that matches none of the complete forms is matched alone, as a fault.
 */
const TOKEN =
  /\b[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\$(\w*)\$[^]*?\$\1\$|::|:=|(?<fault>['"]|\/\*)|(?<position>\$\d+)|:(?<name>\w*)/g;
/** Names as in the code, so that values can be given in shorthand. */
const NAME = /^[a-z][A-Za-z0-9]*$/;

/**
 * Replaces each `:name` with `$n`, the same name with the same number.
 * @throws Error with the statement's name, if a parameter is malformed or positional, or a quote is not closed
 */
export function parseSql(statement: string, sql: string): Parsed {
  const parameters: string[] = [];
  const text = withParameters(statement, sql, (name) => {
    const known = parameters.indexOf(name);
    return `$${known >= 0 ? known + 1 : parameters.push(name)}`;
  });
  return { text, parameters };
}

/**
 * SQL with something else in place of each `:name`, wherever that is a parameter and no part of a literal or a comment.
 * @throws Error naming the statement if the SQL is malformed
 */
export function withParameters(statement: string, sql: string, placed: (name: string) => string): string {
  return sql.replace(TOKEN, (token: string, ...rest: unknown[]) => {
    const { fault, position, name } = rest.at(-1) as Record<'fault' | 'position' | 'name', string | undefined>;
    if (fault !== undefined) throw new Error(`The statement ${statement} does not close ${fault}`);
    if (position !== undefined) throw new Error(`The statement ${statement} has a positional parameter: ${position}`);
    if (name === undefined) return token;
    if (!NAME.test(name)) throw new Error(`The statement ${statement} has a malformed parameter: :${name}`);
    return placed(name);
  });
}

// What the compiler knows of the same: enough to find a name that is misspelled or forgotten.

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

/** A letter is what has two cases; of a composed part, the compiler knows `string` only. */
type IsLetter<First extends string> = string extends First
  ? false
  : Lowercase<First> extends Uppercase<First>
    ? false
    : true;

type Word<Text extends string, Read extends string = ''> = Text extends `${infer First}${infer Rest}`
  ? First extends Digit
    ? Word<Rest, `${Read}${First}`>
    : IsLetter<First> extends true
      ? Word<Rest, `${Read}${First}`>
      : Read
  : Read;

type NameAtStart<Text extends string> = Text extends `${infer First}${string}`
  ? First extends Lowercase<First>
    ? IsLetter<First> extends true
      ? Word<Text>
      : never
    : never
  : never;

/** The names behind each colon that is not part of a cast. */
type Names<Sql extends string, Found = never> = Sql extends `${string}:${infer Rest}`
  ? Rest extends `:${infer Behind}`
    ? Names<Behind, Found>
    : Names<Rest, Found | NameAtStart<Rest>>
  : Found;

/** Whether a part of the SQL is known at run time only. */
type IsComposed<Sql extends string> = Record<never, 1> extends Record<Sql, 1> ? true : false;

/** An object with a value for each parameter; of SQL with composed parts, at least those in its literal parts. */
export type NamedSql<Sql extends string, Value> =
  IsComposed<Sql> extends true
    ? Readonly<Record<Names<Sql>, Value>> & Readonly<Record<string, Value>>
    : Readonly<Record<Names<Sql>, Value>>;
