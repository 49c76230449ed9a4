import { isStorable, NOT_STORABLE, unstorableIn } from '../../foundation/crypto/json-members.js';
import { toSnakeCase } from '../../foundation/database/snake-case.js';
import { parseBase64, parseDuration, parseTime, TIME_RULE } from '../../foundation/http/proto-json.js';
import { type WireEnum, writtenName } from '../../foundation/http/wire-enum.js';
import type { Faults } from './faults.js';
import { quotedName, suggestionFor } from './member-name.js';

/*
 * The fields of the document, each declared once: protobuf number, format, limits. Separate from the reader of
 * requests, which belongs to the edge, for speed: a document holds millions of values, and this one reads a user in
 * microseconds.
 */

/** Kinds of values in terms of protobuf: `count` and `long` are `uint32` and `uint64`. */
export type FieldForm =
  | { readonly kind: 'text' | 'flag' | 'count' | 'long' | 'span' | 'moment' | 'bytes' | 'struct' }
  | { readonly kind: 'choice'; readonly choice: WireEnum }
  | { readonly kind: 'part'; readonly message: Message<Fields> };

/** A field of a message of the document. `read` never gets undefined or null. */
export interface Field<Value> {
  readonly number: number;
  /** The kind of its value, or of each value of a list. */
  readonly form: FieldForm;
  /** A list. */
  readonly many?: boolean;
  readonly zero: Value;
  read(value: unknown, at: string, faults: Faults): Value;
  /**
   * Returns undefined for the zero value, which is omitted. `forOthers`: use the names that another vendor's clients
   * expect.
   */
  write(value: Value, forOthers?: boolean): unknown;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type EntryOf<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends Field<infer Value> ? Value : never;
};

/** A value of which members may be absent, at every level. */
export type DraftOf<Value> = Value extends Buffer | Date
  ? Value
  : Value extends ReadonlyArray<infer Each>
    ? ReadonlyArray<DraftOf<Each>>
    : Value extends object
      ? { readonly [Name in keyof Value]?: DraftOf<Value[Name]> | undefined }
      : Value;

interface TextRules {
  readonly min?: number;
  readonly max?: number;
  readonly maxBytes?: number;
  /** What is wrong with a text that is not empty. */
  readonly problem?: (text: string) => string | undefined;
}

export function text(number: number, { min = 0, max, maxBytes, problem }: TextRules = {}): Field<string> {
  const limit = max ?? Number.MAX_SAFE_INTEGER;
  return {
    number,
    form: { kind: 'text' },
    zero: '',
    read: (value, at, faults) => {
      const wrong =
        textProblem(value) ??
        lengthProblem(value as string, min, limit, maxBytes) ??
        (value === '' ? undefined : problem?.(value as string));
      if (wrong === undefined) return value as string;
      faults.add(at, wrong);
      return '';
    },
    write: (value) => (value === '' ? undefined : value),
  };
}

export function texts(
  number: number,
  rules: TextRules & { readonly maxItems?: number } = {},
): Field<readonly string[]> {
  return listOf(text(number, rules), rules.maxItems);
}

export function flag(number: number): Field<boolean> {
  return {
    number,
    form: { kind: 'flag' },
    zero: false,
    read: (value, at, faults) =>
      typeof value === 'boolean' ? value : refused(faults, at, 'must be true or false', false),
    write: (value) => (value ? true : undefined),
  };
}

/** Undefined if absent, because nothing is known then. */
export function flagIfSaid(number: number): Field<boolean | undefined> {
  return {
    number,
    form: { kind: 'flag' },
    zero: undefined,
    read: (value, at, faults) =>
      typeof value === 'boolean' ? value : refused(faults, at, 'must be true or false', undefined),
    write: (value) => value,
  };
}

/** uint32, or uint64 up to the largest safe integer; the latter are written as strings. */
export function whole(
  number: number,
  { max = 4_294_967_295, isLong = false }: { max?: number; isLong?: boolean } = {},
): Field<number> {
  return {
    number,
    form: { kind: isLong ? 'long' : 'count' },
    zero: 0,
    read: (value, at, faults) => {
      const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
      const fits = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count <= max;
      return fits ? count : refused(faults, at, `must be an integer of 0 to ${max}`, 0);
    },
    write: (value) => (value === 0 ? undefined : isLong ? String(value) : value),
  };
}

/** A value of an enumeration. The names for another vendor's clients are always accepted, and written only for them. */
export function choice<Value extends string>(number: number, choice: WireEnum<Value>): Field<Value> {
  const { members, zero } = choice;
  const byName = new Map<unknown, Value>(
    members.flatMap(({ name, otherName = name, number: no, value }) => [
      [otherName, value],
      [name, value],
      [no, value],
    ]),
  );
  const names = namesIn(choice, false);
  const namesForOthers = namesIn(choice, true);
  return {
    number,
    form: { kind: 'choice', choice },
    zero,
    read: (value, at, faults) =>
      byName.get(value) ?? refused(faults, at, `must be one of ${members.map(({ name }) => name).join(', ')}`, zero),
    write: (value, forOthers = false) => (value === zero ? undefined : (forOthers ? namesForOthers : names).get(value)),
  };
}

export function choices<Value extends string>(number: number, choiceOfEach: WireEnum<Value>): Field<readonly Value[]> {
  const names = namesIn(choiceOfEach, false);
  return {
    ...listOf(choice(number, choiceOfEach)),
    write: (values) => (values.length === 0 ? undefined : values.map((value) => names.get(value))),
  };
}

function namesIn<Value extends string>({ members }: WireEnum<Value>, forOthers: boolean): ReadonlyMap<Value, string> {
  return new Map(members.map((member) => [member.value, writtenName(member, forOthers)]));
}

/** Seconds, written as `"3600s"`; fractions are rounded up. Undefined if absent, because zero means something else. */
export function span(number: number, maxSeconds = 315_360_000): Field<number | undefined> {
  return {
    number,
    form: { kind: 'span' },
    zero: undefined,
    read: (value, at, faults) => {
      const exact = parseDuration(value) ?? Number.NaN;
      const seconds = Math.ceil(exact);
      if (seconds > exact) faults.note(at, `is ${seconds}s here, in whole seconds`);
      return seconds <= maxSeconds
        ? seconds
        : refused(faults, at, `must be a duration of 0s to ${maxSeconds}s`, undefined);
    },
    write: (value) => (value === undefined ? undefined : `${value}s`),
  };
}

export function moment(number: number): Field<Date | undefined> {
  return {
    number,
    form: { kind: 'moment' },
    zero: undefined,
    read: (value, at, faults) => parseTime(value) ?? refused(faults, at, TIME_RULE, undefined),
    write: (value) => value?.toISOString(),
  };
}

const NO_BYTES = Buffer.alloc(0);

export function bytes(
  number: number,
  {
    min = 0,
    max = 1_000_000,
    problem,
  }: { min?: number; max?: number; problem?: (bytes: Buffer) => string | undefined } = {},
): Field<Buffer> {
  return {
    number,
    form: { kind: 'bytes' },
    zero: NO_BYTES,
    read: (value, at, faults) => {
      const found = parseBase64(value);
      const fits = found !== undefined && found.length >= min && found.length <= max;
      const wrong = fits ? problem?.(found) : `must be base64 of ${min} to ${max} bytes`;
      return wrong === undefined ? found! : refused(faults, at, wrong, NO_BYTES);
    },
    write: (value) => (value.length === 0 ? undefined : value.toString('base64')),
  };
}

/** Any JSON object, as `google.protobuf.Struct`; undefined if absent. */
export function struct(number: number): Field<object | undefined> {
  return {
    number,
    form: { kind: 'struct' },
    zero: undefined,
    read: (value, at, faults) => {
      if (typeof value !== 'object' || Array.isArray(value)) return refused(faults, at, 'must be an object', undefined);
      return unstorableIn(value) === undefined ? (value as object) : refused(faults, at, NOT_STORABLE, undefined);
    },
    write: (value) => value,
  };
}

/** A nested message; undefined if absent. */
export function part<F extends Fields>(number: number, message: Message<F>): Field<EntryOf<F> | undefined> {
  return {
    number,
    form: { kind: 'part', message: message as unknown as Message<Fields> },
    zero: undefined,
    read: (value, at, faults) => message.read(value, at, faults),
    write: (value, forOthers) => (value === undefined ? undefined : message.write(value, forOthers)),
  };
}

export function parts<F extends Fields>(
  number: number,
  message: Message<F>,
  maxItems?: number,
): Field<ReadonlyArray<EntryOf<F>>> {
  const one: Field<EntryOf<F>> = {
    number,
    form: { kind: 'part', message: message as unknown as Message<Fields> },
    zero: {} as EntryOf<F>,
    read: (value, at, faults) => message.read(value, at, faults),
    write: (value, forOthers) => message.write(value, forOthers),
  };
  return listOf(one, maxItems);
}

/** Limit for lists within an entry. */
const MAX_ITEMS = 1_000;

function listOf<Value>(one: Field<Value>, maxItems = MAX_ITEMS): Field<readonly Value[]> {
  return {
    number: one.number,
    form: one.form,
    many: true,
    zero: [],
    read: (value, at, faults) => {
      if (!Array.isArray(value)) return refused(faults, at, 'must be a list', []);
      if (value.length > maxItems) return refused(faults, at, `must have at most ${maxItems} entries`, []);
      return value.map((each: unknown, index) => one.read(each, `${at}[${index}]`, faults));
    },
    write: (values, forOthers) =>
      values.length === 0 ? undefined : values.map((value) => one.write(value, forOthers) ?? ''),
  };
}

interface MessageRules {
  /** Members of other systems that mean nothing here; docs/migration.md lists every one. */
  readonly ignored?: readonly string[];
  /** Explanations for members that people are likely to try. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** A message of the document: reads lowerCamelCase and snake_case, writes lowerCamelCase without zero values. */
export class Message<F extends Fields> {
  private readonly known = new Map<string, readonly [name: string, field: Field<unknown>]>();
  private readonly all: ReadonlyArray<readonly [name: string, field: Field<unknown>]>;

  private readonly ignored: ReadonlySet<string>;

  constructor(
    readonly fields: F,
    private readonly required: ReadonlyArray<keyof F & string> = [],
    private readonly rules: MessageRules = {},
  ) {
    this.all = Object.entries(fields);
    this.ignored = new Set(rules.ignored?.flatMap((name) => [name, toSnakeCase(name)]));
    for (const [name, field] of this.all) {
      this.known.set(name, [name, field]);
      this.known.set(toSnakeCase(name), [name, field]);
    }
  }

  /** An unknown member is a fault: otherwise the value would be lost silently. */
  read(json: unknown, at: string, faults: Faults): EntryOf<F> {
    const entry: Record<string, unknown> = {};
    for (const [name, field] of this.all) entry[name] = field.zero;
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      faults.add(at, 'must be an object');
      return entry as EntryOf<F>;
    }
    const sent = new Set<string>();
    for (const [spelled, value] of Object.entries(json)) {
      const found = this.known.get(spelled);
      if (!found) this.refuse(spelled, at, faults);
      if (!found || value === null || value === undefined) continue;
      if (sent.has(found[0])) faults.add(`${at}.${found[0]}`, 'must be sent in one spelling');
      sent.add(found[0]);
      entry[found[0]] = found[1].read(value, `${at}.${found[0]}`, faults);
    }
    for (const name of this.required) if (!sent.has(name)) faults.add(`${at}.${name}`, 'is required');
    return entry as EntryOf<F>;
  }

  private refuse(spelled: string, at: string, faults: Faults): void {
    if (this.ignored.has(spelled)) return;
    const { hints = {} } = this.rules;
    const hint = Object.entries(hints).find(([name]) => name === spelled || toSnakeCase(name) === spelled)?.[1];
    const known = this.all.map(([name]) => name);
    faults.add(`${at}.${quotedName(spelled)}`, hint ?? suggestionFor(spelled, known));
  }

  write(entry: Partial<EntryOf<F>>, forOthers = false): Record<string, unknown> {
    const json: Record<string, unknown> = {};
    for (const [name, field] of this.all) {
      const value = entry[name];
      const written = value === undefined || value === null ? undefined : field.write(value, forOthers);
      if (written !== undefined) json[name] = written;
    }
    return json;
  }
}

function refused<Value>(faults: Faults, at: string, description: string, instead: Value): Value {
  faults.add(at, description);
  return instead;
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  return isStorable(value) ? undefined : NOT_STORABLE;
}

function lengthProblem(value: string, min: number, max: number, maxBytes: number | undefined): string | undefined {
  if (maxBytes !== undefined && Buffer.byteLength(value) > maxBytes) return `must have at most ${maxBytes} bytes`;
  // There are never more code points than UTF-16 units, so most texts need not be counted.
  if (value.length <= max && value.length >= min * 2) return undefined;
  const length = [...value].length;
  return length >= min && length <= max
    ? undefined
    : max === Number.MAX_SAFE_INTEGER
      ? `must have ${min} characters or more`
      : `must have ${min} to ${max} characters`;
}
