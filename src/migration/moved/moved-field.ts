import { NOT_STORABLE, unstorableIn } from '../../foundation/crypto/json-members.js';
import type { MovedValue } from '../../foundation/database/schema-change/moved-table.js';
import type { ColumnFacts } from '../../foundation/database/schema-change/table-facts.js';
import { parseTime, TIME_RULE } from '../../foundation/http/proto-json.js';
import type { Faults } from '../document/faults.js';
import { bytes, type Field, flag, text, texts } from '../document/field.js';

/*
 * The columns of extensions as fields of the document. NULL is absent, and nothing else is: unlike members of the
 * product, whose zero values say nothing.
 */

/** `undefined` for a value that does not fit, which is a fault. */
type Read = (value: unknown) => unknown;

interface Form {
  readonly rule: string;
  readonly read: Read;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INFINITE = /^-?infinity$/;
const INTEGER = /^-?\d{1,19}$/;
const BITS: Readonly<Record<string, number>> = { smallint: 16, integer: 32, bigint: 64 };
/** A list of the product's own has at most a thousand. */
const MOST_TEXTS = 100_000;
const MAX_BYTES = 4_000_000;
/** A row of a B-tree has 2,704 bytes, some of which it needs itself. */
const INDEXED_BYTES = 2_600;

/** @param indexed how many columns the widest index with this one has; 0 for none */
export function fieldOf(form: MovedValue, { type, length }: ColumnFacts, indexed: number): Field<unknown> {
  const most = {
    ...(length === null ? {} : { max: length }),
    ...(indexed === 0 ? {} : { maxBytes: Math.floor(INDEXED_BYTES / indexed) }),
  };
  switch (form) {
    case 'text':
    case 'secret':
      return nullable(text(1, most));
    case 'boolean':
      return nullable(flag(1));
    case 'texts':
      return nullable(texts(1, { maxItems: MOST_TEXTS }));
    case 'bytes':
      return { ...nullable(bytes(1, { max: MAX_BYTES })), write: (value) => (value as Buffer).toString('base64') };
    case 'integer':
      return madeOf(integerOf(BITS[type] ?? 32));
    case 'time':
      return madeOf({ rule: TIME_RULE, read: toTime });
    case 'uuid':
      return madeOf({ rule: 'must be a UUID in lower case', read: (value) => matching(UUID, value) });
    case 'json':
      return {
        ...madeOf({ rule: NOT_STORABLE, read: (value) => (unstorableIn(value) === undefined ? value : undefined) }),
        form: { kind: 'struct' },
      };
  }
}

function nullable(field: Field<never> | Field<unknown>): Field<unknown>;
function nullable<Value>(field: Field<Value>): Field<unknown>;
function nullable<Value>(field: Field<Value>): Field<unknown> {
  return { ...field, zero: null, write: (value) => value };
}

function madeOf({ rule, read }: Form): Field<unknown> {
  return {
    number: 1,
    form: { kind: 'text' },
    zero: null,
    read: (value, at, faults: Faults) => {
      const found = read(value);
      if (found === undefined) faults.add(at, rule);
      return found ?? null;
    },
    write: (value) => value,
  };
}

/** A number, or a text of digits for what is beyond the numbers of JSON. */
function integerOf(bits: number): Form {
  const limit = 2n ** BigInt(bits - 1);
  return {
    rule: `must be an integer of ${-limit} to ${limit - 1n}`,
    read: (value) => {
      const written =
        typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : matching(INTEGER, value);
      const number = written === undefined ? limit : BigInt(written);
      return number >= -limit && number < limit ? written : undefined;
    },
  };
}

/** Kept as it is written: PostgreSQL has microseconds. */
function toTime(value: unknown): unknown {
  return parseTime(value) === undefined ? matching(INFINITE, value) : value;
}

function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}
