/** More parameters than any of our requests has. */
const MAX_PARAMETERS = 200;

export type ParameterProblem = 'repeated' | 'malformed';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parameters in `application/x-www-form-urlencoded`, from a query or a body, read strictly: nothing is guessed, merged
 * or nested. RFC 6749 §3.1 and §3.2: a parameter without a value counts as if it had not been sent, not even as
 * repeated; none may be repeated. Only `hasField` tells.
 */
export class Form {
  private constructor(
    private readonly values: ReadonlyMap<string, string>,
    private readonly faults: ReadonlyMap<string, ParameterProblem>,
    /** Every value of each parameter that was sent more than once; undefined where one is malformed. */
    private readonly repeated: ReadonlyMap<string, ReadonlyArray<string | undefined>>,
    /** The names of parameters that were sent without a value. */
    private readonly empty: ReadonlySet<string>,
    /** Whether there were more parameters than are read. */
    readonly isTooLong: boolean,
  ) {}

  static parse(text: string): Form {
    const values = new Map<string, string>();
    const faults = new Map<string, ParameterProblem>();
    const repeated = new Map<string, Array<string | undefined>>();
    const empty = new Set<string>();
    const pairs = text === '' ? [] : text.split('&', MAX_PARAMETERS + 1);
    for (const pair of pairs.slice(0, MAX_PARAMETERS)) {
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals)) ?? '';
      if (name === '') continue;
      const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
      if (value === '') empty.add(name);
      else if (values.has(name) || faults.has(name)) {
        const earlier = repeated.get(name) ?? [values.get(name)];
        repeated.set(name, [...earlier, value]);
        faults.set(name, 'repeated');
      } else if (value === undefined) faults.set(name, 'malformed');
      else values.set(name, value);
    }
    return new Form(values, faults, repeated, empty, pairs.length > MAX_PARAMETERS);
  }

  /** The names of all parameters that were sent with a value. */
  get names(): string[] {
    return [...new Set([...this.values.keys(), ...this.faults.keys()])];
  }

  /** The value; undefined if the parameter is absent, empty, repeated or malformed. */
  find(name: string): string | undefined {
    return this.faults.has(name) ? undefined : this.values.get(name);
  }

  /**
   * Every value of a parameter that may be repeated (RFC 8707 §2), in the order of the request. Undefined if one of
   * them is malformed.
   */
  all(name: string): readonly string[] | undefined {
    if (!this.isGiven(name)) return [];
    const values = this.repeated.get(name) ?? [this.values.get(name)];
    return values.every((value) => value !== undefined) ? values : undefined;
  }

  /** Whether the parameter was sent with a value, readable or not. */
  isGiven(name: string): boolean {
    return this.values.has(name) || this.faults.has(name);
  }

  /** Whether the form had such a field, for forms of our own pages, whose fields and buttons may be empty. */
  hasField(name: string): boolean {
    return this.isGiven(name) || this.empty.has(name);
  }

  problemOf(name: string): ParameterProblem | undefined {
    return this.faults.get(name);
  }

  /** The names of all parameters that are repeated, or are not valid UTF-8 without NUL. */
  get problems(): ReadonlyMap<string, ParameterProblem> {
    return this.faults;
  }

  /** The space-delimited words of a parameter, such as `scope`; empty when it is absent. */
  words(name: string): string[] {
    return (this.find(name) ?? '').split(' ').filter((word) => word !== '');
  }
}

/** Percent-decoded UTF-8 with `+` as space; undefined for invalid escapes, invalid UTF-8, and NUL. */
export function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return isPlain(spaced) ? spaced : decodeBytes(Buffer.from(spaced, 'latin1'));
  const bytes: number[] = [];
  for (let i = 0; i < spaced.length; i += 1) {
    const code = spaced.charCodeAt(i);
    if (code !== 0x25) {
      bytes.push(code & 0xff);
      continue;
    }
    const hex = spaced.slice(i + 1, i + 3);
    if (!/^[0-9a-fA-F]{2}$/.test(hex)) return undefined;
    bytes.push(Number.parseInt(hex, 16));
    i += 2;
  }
  return decodeBytes(Buffer.from(bytes));
}

function isPlain(text: string): boolean {
  return /^[\x01-\x7f]*$/.test(text); // oxlint-disable-line no-control-regex -- NUL is what is looked for
}

function decodeBytes(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
