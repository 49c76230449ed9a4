import { isStorable, NOT_STORABLE } from '../../../foundation/crypto/json-members.js';
import { toSnakeCase } from '../../../foundation/database/snake-case.js';
import { type FieldViolation, invalidFields } from '../../../foundation/error/domain-error.js';
import { nearestName } from '../../../foundation/http/near-name.js';
import { parseBase64, parseDuration, parseTime, TIME_RULE } from '../../../foundation/http/proto-json.js';
import type { WireEnum } from '../../../foundation/http/wire-enum.js';
import { fieldsOf, isFilter, isOneChoice, reservedOf } from './declared-field.js';
import type { DeclaredField, MessageClass } from './field.js';
import { checkRules } from './rules.js';

/** Deeper than any request of ours. */
const MAX_DEPTH = 16;
const TOO_DEEP = `must not be nested more than ${MAX_DEPTH} levels deep`;
/** Nested messages of a request, more than any needs: validating them blocks the event loop. */
const MAX_PARTS = 2_000;
/** More than anybody reads. */
const MAX_VIOLATIONS = 1_000;
/** How much of an unknown name is repeated in the message. */
const MAX_NAME = 40;
/** Unknown members of a request that are compared with known ones. */
const MAX_COMPARED = 100;
/** Fewer letters than a name of another version or service would differ by. */
const MISSPELT = (length: number): number => Math.min(2, Math.floor((length + 1) / 4));

/** Values of a path or a query: all of them are texts. */
export interface Spelled {
  readonly [name: string]: string | readonly string[] | Spelled;
}

/**
 * Turns JSON into a message: lowerCamelCase and snake_case, unknown members ignored unless they filter, enums by name
 * or number, `null` as not sent; what was not sent has its zero value, or undefined where the field is optional. A list
 * that replaces another must be sent. `sets`: what is not sent loses its setting, so that a member which is nearly the
 * name of one that was not sent is refused (ADM-099).
 * `spelled`: the values are texts of a path or a query, so numbers and booleans are spelled out.
 * @throws DomainError InvalidArgument `request.invalid` with every broken field
 */
export function readMessage<T extends object>(
  message: MessageClass<T>,
  json: unknown,
  { spelled, sets = false }: { readonly spelled?: Spelled; readonly sets?: boolean } = {},
): T {
  const violations: FieldViolation[] = [];
  const inPath = Object.keys(spelled ?? {});
  const result = new Reader(violations, { spelled: false, sets, inPath }).read(message, json, '', 0);
  if (spelled) new Reader(violations, { spelled: true, sets: false, inPath }).fill(result, message, spelled, '', 0);
  const broken = new Set(violations.map(({ field }) => field));
  checkRules(result, '', broken, (field, description) => violations.push({ field, description }));
  if (violations.length > 0) throw invalidFields(violations.slice(0, MAX_VIOLATIONS));
  return result;
}

const names = new WeakMap<MessageClass, ReadonlyMap<string, DeclaredField>>();

function namesOf(message: MessageClass): ReadonlyMap<string, DeclaredField> {
  const known = names.get(message);
  if (known) return known;
  const made = new Map(
    fieldsOf(message).flatMap(
      (field) =>
        [
          [field.name, field],
          [toSnakeCase(field.name), field],
        ] as const,
    ),
  );
  names.set(message, made);
  return made;
}

class Reader {
  private parts = 0;
  /** The depth of nested filters at this point. */
  private filters = 0;
  private compared = 0;

  constructor(
    private readonly violations: FieldViolation[],
    private readonly how: { readonly spelled: boolean; readonly sets: boolean; readonly inPath: readonly string[] },
  ) {}

  read<T extends object>(message: MessageClass<T>, json: unknown, path: string, depth: number): T {
    const result = new message();
    for (const field of fieldsOf(message)) {
      if (!field.optional) Object.assign(result, { [field.name]: zeroOf(field) });
    }
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      this.refuse(path === '' ? 'body' : path, 'must be an object');
    } else if (depth > MAX_DEPTH) {
      this.refuse(path, TOO_DEEP);
    } else if ((this.parts += 1) > MAX_PARTS) {
      throw invalidFields([
        { field: path, description: `exceeds the limit: a request may contain at most ${MAX_PARTS} messages` },
      ]);
    } else {
      const filters = isFilter(message) ? 1 : 0;
      this.filters += filters;
      this.fill(result, message, json as Record<string, unknown>, path, depth);
      this.checkReplaced(message, json as Record<string, unknown>, path);
      if (this.how.sets) this.checkSpelling(message, json, path);
      if (this.filters > 0) this.checkFilter(message, json, path);
      this.filters -= filters;
    }
    return result;
  }

  /** Unknown members are ignored, so that `{ "uri": [] }` would empty the list of URIs (ADM-088). */
  private checkReplaced(message: MessageClass, json: Readonly<Record<string, unknown>>, path: string): void {
    for (const { name, replaces } of fieldsOf(message)) {
      if (replaces !== true || (json[name] ?? json[toSnakeCase(name)] ?? undefined) !== undefined) continue;
      this.refuse(
        path === '' ? name : `${path}.${name}`,
        'must be sent, because it replaces what is there; an empty list removes all',
      );
    }
  }

  private checkSpelling(message: MessageClass, json: object, path: string): void {
    const known = namesOf(message);
    const sent = Object.keys(json);
    const missing = fieldsOf(message)
      .map(({ name }) => name)
      .filter((name) => !sent.includes(name) && !sent.includes(toSnakeCase(name)))
      .filter((name) => path !== '' || !this.how.inPath.includes(name));
    const ofOthers = new Set(reservedOf(message).map(({ name }) => name));
    for (const name of sent.filter((one) => !known.has(one) && !ofOthers.has(toSnakeCase(one)))) {
      if ((this.compared += 1) > MAX_COMPARED) return;
      const meant = nearestName(name, missing, MISSPELT);
      if (meant === undefined) continue;
      const shown = name.slice(0, MAX_NAME);
      this.refuse(path === '' ? shown : `${path}.${shown}`, `is not known here; did you mean ${meant}?`);
    }
  }

  /** An unknown field may be a filter of a newer or another service; ignoring it would return too much. */
  private checkFilter(message: MessageClass, json: object, path: string): void {
    const known = namesOf(message);
    const sent = Object.entries(json);
    const [unknown] = sent.find(([name]) => !known.has(name)) ?? [];
    const isChoice = isOneChoice(message);
    const isSilent = isChoice && !sent.some(([name, value]) => known.has(name) && value !== null);
    if (unknown === undefined && !isSilent) return;
    const offered = fieldsOf(message)
      .map(({ name }) => name)
      .join(', ');
    const rest = unknown === undefined ? '' : `; ${JSON.stringify(unknown.slice(0, MAX_NAME))} is unknown`;
    this.refuse(path === '' ? 'body' : path, `must contain ${isChoice ? 'one of' : 'only'} ${offered}${rest}`);
  }

  fill(
    result: object,
    message: MessageClass,
    json: Readonly<Record<string, unknown>>,
    path: string,
    depth: number,
  ): void {
    const known = namesOf(message);
    const sent = new Set<DeclaredField>();
    for (const [name, value] of Object.entries(json)) {
      const field = known.get(name);
      if (!field || value === null) continue;
      const at = path === '' ? field.name : `${path}.${field.name}`;
      // A field may be sent in either spelling, but not in both: either could win.
      if (sent.has(field)) this.refuse(at, 'must be sent only once');
      sent.add(field);
      const read = field.many ? this.readMany(field, value, at, depth) : this.readOne(field, value, at, depth);
      if (read !== undefined) Object.assign(result, { [field.name]: read });
      if (field.oneof !== undefined) this.checkAlone(field, message, result, at);
    }
  }

  /** Checks that a oneof has one value, as in protobuf; with two of them, either could win. */
  private checkAlone(field: DeclaredField, message: MessageClass, result: object, path: string): void {
    const other = fieldsOf(message).find(
      ({ name, oneof }) =>
        oneof === field.oneof && name !== field.name && (result as Record<string, unknown>)[name] !== undefined,
    );
    if (other) this.refuse(path, `must not be sent together with ${other.name}`);
  }

  private readMany(field: DeclaredField, value: unknown, path: string, depth: number): unknown[] | undefined {
    if (!Array.isArray(value)) return this.refuse(path, 'must be a list');
    // Checked before the entries are read: a million of them would block other requests.
    if (value.length > field.maxItems) return this.refuse(path, `must have at most ${field.maxItems} entries`);
    return value.map((one: unknown, index) =>
      one === null
        ? this.refuse(`${path}[${index}]`, 'must not be null')
        : this.readOne(field, one, `${path}[${index}]`, depth),
    );
  }

  private readOne(field: DeclaredField, value: unknown, path: string, depth: number): unknown {
    switch (field.kind) {
      case 'text':
        return this.text(value, path);
      case 'flag':
        return this.flag(value, path);
      case 'count':
        return this.count(value, path);
      case 'long':
        return this.long(value, path);
      case 'choice':
        return this.choice(field.choice, value, path);
      case 'moment':
        return this.moment(value, path);
      case 'span':
        return this.span(value, path);
      case 'bytes':
        return this.bytes(value, path);
      case 'part':
        return this.read(field.part(), value, path, depth + 1);
      case 'struct':
        return this.struct(value, path);
    }
  }

  private text(value: unknown, path: string): string | undefined {
    if (typeof value !== 'string') return this.refuse(path, 'must be a string');
    return isStorable(value) ? value : this.refuse(path, NOT_STORABLE);
  }

  private flag(value: unknown, path: string): boolean | undefined {
    if (this.how.spelled && (value === 'true' || value === 'false')) return value === 'true';
    return typeof value === 'boolean' ? value : this.refuse(path, 'must be true or false');
  }

  private count(value: unknown, path: string): number | undefined {
    const long = this.integer(value);
    return long === undefined || long > 4_294_967_295n
      ? this.refuse(path, 'must be an integer from 0 to 4294967295')
      : Number(long);
  }

  private long(value: unknown, path: string): bigint | undefined {
    const long = this.integer(value);
    return long === undefined || long > 18_446_744_073_709_551_615n
      ? this.refuse(path, 'must be an integer from 0 to 18446744073709551615')
      : long;
  }

  /** Reads a number or a string, like protobuf. */
  private integer(value: unknown): bigint | undefined {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
    return typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
  }

  private choice({ members }: WireEnum, value: unknown, path: string): string | undefined {
    const wanted = this.how.spelled && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    const member = members.find(
      ({ name, otherName, number }) =>
        name === wanted || number === wanted || (otherName !== undefined && otherName === wanted),
    );
    return member ? member.value : this.refuse(path, `must be one of ${members.map(({ name }) => name).join(', ')}`);
  }

  private moment(value: unknown, path: string): Date | undefined {
    return parseTime(value) ?? this.refuse(path, TIME_RULE);
  }

  private span(value: unknown, path: string): number | undefined {
    return parseDuration(value) ?? this.refuse(path, 'must be a duration in seconds like 3600s');
  }

  private bytes(value: unknown, path: string): Buffer | undefined {
    return parseBase64(value) ?? this.refuse(path, 'must be base64');
  }

  private struct(value: unknown, path: string): object | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.refuse(path, 'must be an object');
    const problem = problemWithin(value, 0);
    return problem === undefined ? value : this.refuse(path, problem);
  }

  private refuse(field: string, description: string): undefined {
    if (this.violations.length < MAX_VIOLATIONS) this.violations.push({ field, description });
  }
}

/** What is wrong with the content of a struct. */
function problemWithin(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : NOT_STORABLE;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return TOO_DEEP;
  for (const [name, inner] of Object.entries(value)) {
    const problem = isStorable(name) ? problemWithin(inner, depth + 1) : NOT_STORABLE;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function zeroOf(field: DeclaredField): unknown {
  if (field.many) return [];
  switch (field.kind) {
    case 'text':
      return '';
    case 'flag':
      return false;
    case 'count':
      return 0;
    case 'long':
      return 0n;
    case 'choice':
      return field.choice.zero;
    case 'bytes':
      return Buffer.alloc(0);
    case 'moment':
    case 'span':
    case 'part':
    case 'struct':
      return undefined;
  }
}
