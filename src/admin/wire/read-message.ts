import { validateSync, type ValidationError } from 'class-validator';
import { invalidFields, type FieldViolation } from '../../error/domain-error.js';
import { fieldsOf, toSnakeCase, type Field, type MessageClass } from './field.js';

/** Deeper than any request of ours. */
const MAX_DEPTH = 16;
/** More than anybody reads; a request with more broken fields is broken as a whole. */
const MAX_VIOLATIONS = 1_000;

/**
 * Turns JSON into a message: lowerCamelCase and snake_case, unknown members ignored, enums by name or number, `null` as
 * not sent; what was not sent has its zero value, or undefined where the field is optional.
 * `spelled`: the values are texts of a path or a query, so numbers and booleans are spelled out.
 * @throws DomainError InvalidArgument `request.invalid` with every broken field
 */
export function readMessage<T extends object>(message: MessageClass<T>, json: unknown, spelled?: Readonly<Record<string, string>>): T {
  const violations: FieldViolation[] = [];
  const result = new Reader(violations, false).read(message, json, '', 0);
  if (spelled) new Reader(violations, true).fill(result, message, spelled, '', 0);
  const broken = new Set(violations.map(({ field }) => field));
  collect(validateSync(result, { forbidUnknownValues: false }), '', violations, broken);
  if (violations.length > 0) throw invalidFields(violations.slice(0, MAX_VIOLATIONS));
  return result;
}

const names = new WeakMap<MessageClass, ReadonlyMap<string, Field>>();

function namesOf(message: MessageClass): ReadonlyMap<string, Field> {
  const known = names.get(message);
  if (known) return known;
  const made = new Map(fieldsOf(message).flatMap((field) => [[field.name, field], [toSnakeCase(field.name), field]] as const));
  names.set(message, made);
  return made;
}

class Reader {
  constructor(
    private readonly violations: FieldViolation[],
    private readonly spelled: boolean,
  ) {}

  read<T extends object>(message: MessageClass<T>, json: unknown, path: string, depth: number): T {
    const result = new message();
    for (const field of fieldsOf(message)) {
      if (!field.optional) Object.assign(result, { [field.name]: zeroOf(field) });
    }
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      this.refuse(path === '' ? 'body' : path, 'must be an object');
    } else if (depth > MAX_DEPTH) {
      this.refuse(path, `must not be nested more than ${MAX_DEPTH} deep`);
    } else {
      this.fill(result, message, json as Record<string, unknown>, path, depth);
    }
    return result;
  }

  fill(result: object, message: MessageClass, json: Readonly<Record<string, unknown>>, path: string, depth: number): void {
    const known = namesOf(message);
    for (const [name, value] of Object.entries(json)) {
      const field = known.get(name);
      if (!field || value === null) continue;
      const at = path === '' ? field.name : `${path}.${field.name}`;
      const read = field.many ? this.readMany(field, value, at, depth) : this.readOne(field, value, at, depth);
      if (read !== undefined) Object.assign(result, { [field.name]: read });
    }
  }

  private readMany(field: Field, value: unknown, path: string, depth: number): unknown[] | undefined {
    if (!Array.isArray(value)) return void this.refuse(path, 'must be a list');
    return value.map((one: unknown, index) =>
      one === null ? this.refuse(`${path}[${index}]`, 'must not be null') : this.readOne(field, one, `${path}[${index}]`, depth),
    );
  }

  private readOne(field: Field, value: unknown, path: string, depth: number): unknown {
    switch (field.kind) {
      case 'text': return this.text(value, path);
      case 'flag': return this.flag(value, path);
      case 'count': return this.count(value, path);
      case 'long': return this.long(value, path);
      case 'choice': return this.choice(field, value, path);
      case 'moment': return this.moment(value, path);
      case 'span': return this.span(value, path);
      case 'bytes': return this.bytes(value, path);
      case 'part': return this.read(field.part!(), value, path, depth + 1);
      case 'struct': return this.struct(value, path);
    }
  }

  private text(value: unknown, path: string): string | undefined {
    if (typeof value !== 'string') return this.refuse(path, 'must be a string');
    // Neither PostgreSQL nor UTF-8 can hold them.
    if (value.includes('\0') || !value.isWellFormed()) return this.refuse(path, 'must not contain NUL or lone surrogates');
    return value;
  }

  private flag(value: unknown, path: string): boolean | undefined {
    if (this.spelled && (value === 'true' || value === 'false')) return value === 'true';
    return typeof value === 'boolean' ? value : this.refuse(path, 'must be true or false');
  }

  private count(value: unknown, path: string): number | undefined {
    const long = this.integer(value);
    return long === undefined || long > 4_294_967_295n ? this.refuse(path, 'must be an integer of 0 to 4294967295') : Number(long);
  }

  private long(value: unknown, path: string): bigint | undefined {
    const long = this.integer(value);
    return long === undefined || long > 18_446_744_073_709_551_615n ? this.refuse(path, 'must be an integer of 0 to 18446744073709551615') : long;
  }

  /** As a number or as a string, like protobuf. */
  private integer(value: unknown): bigint | undefined {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
    return typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
  }

  private choice(field: Field, value: unknown, path: string): string | undefined {
    const members = field.choice!.members;
    const wanted = this.spelled && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    const member = members.find(({ name, number }) => name === wanted || number === wanted);
    return member ? member.value : this.refuse(path, `must be one of ${members.map(({ name }) => name).join(', ')}`);
  }

  private moment(value: unknown, path: string): Date | undefined {
    const isMoment = typeof value === 'string' && /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/.test(value);
    const moment = isMoment ? new Date(value) : undefined;
    return moment && !Number.isNaN(moment.getTime()) ? moment : this.refuse(path, 'must be a time like 2030-01-31T12:00:00Z');
  }

  private span(value: unknown, path: string): number | undefined {
    const match = typeof value === 'string' ? /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(value) : null;
    return match ? Number(match[1]) : this.refuse(path, 'must be a duration in seconds like 3600s');
  }

  private bytes(value: unknown, path: string): Buffer | undefined {
    const isBase64 = typeof value === 'string' && /^[A-Za-z0-9+/_-]*={0,2}$/.test(value);
    return isBase64 ? Buffer.from(value, 'base64') : this.refuse(path, 'must be base64');
  }

  private struct(value: unknown, path: string): object | undefined {
    return typeof value === 'object' && !Array.isArray(value) ? value! : this.refuse(path, 'must be an object');
  }

  private refuse(field: string, description: string): undefined {
    this.violations.push({ field, description });
  }
}

function zeroOf(field: Field): unknown {
  if (field.many) return [];
  switch (field.kind) {
    case 'text': return '';
    case 'flag': return false;
    case 'count': return 0;
    case 'long': return 0n;
    case 'choice': return field.choice!.zero;
    case 'bytes': return Buffer.alloc(0);
    case 'moment': case 'span': case 'part': case 'struct': return undefined;
  }
}

/** What the validator found, one line for each broken rule; a field that could not even be read is not judged again. */
function collect(errors: readonly ValidationError[], path: string, into: FieldViolation[], known: ReadonlySet<string>): void {
  for (const { property, constraints = {}, children = [] } of errors) {
    const at = /^\d+$/.test(property) ? `${path}[${property}]` : path === '' ? property : `${path}.${property}`;
    if (!known.has(at)) into.push(...Object.values(constraints).map((description) => ({ field: at, description })));
    collect(children, at, into, known);
  }
}
