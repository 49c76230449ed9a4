import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { fieldsOf, reservedOf } from '../wire/declared-field.js';
import type { DeclaredField, MessageClass } from '../wire/field.js';

type Plain = Readonly<Record<string, unknown>>;

/** The unknown fields of a protobuf message, which the library keeps. */
interface WithUnknown {
  readonly $unknown?: ReadonlyArray<{ readonly no: number }>;
}

/** A field, and its place in the messages of the protobuf library. */
interface Place {
  readonly field: DeclaredField;
  readonly name: string;
  /** In JSON: in lowerCamelCase and in snake_case. */
  readonly jsonNames: readonly string[];
  /** The oneof that it belongs to. */
  readonly oneof: string | undefined;
  /** Whether the zero value is not sent, so that the message does not show if the field was set. */
  readonly isImplicit: boolean;
  readonly part: WireMessage | undefined;
}

/**
 * Translates a message between protobuf and JSON values: requests become the input of the JSON reader, responses become
 * protobuf.
 */
export class WireMessage {
  private readonly places: readonly Place[];
  private readonly reserved: ReadonlySet<number>;

  constructor(message: MessageClass | undefined, descriptor: DescMessage, known = new Map<DescMessage, WireMessage>()) {
    known.set(descriptor, this); // before its fields: it may hold itself
    const byNumber = new Map(descriptor.fields.map((field) => [field.number, field]));
    this.reserved = new Set(message ? reservedOf(message).map(({ number }) => number) : []);
    this.places = (message ? fieldsOf(message) : []).map((field) => toPlace(field, byNumber.get(field.number)!, known));
  }

  /**
   * The message as JSON, so that one reader validates both. An unknown field is named by its number, which is not the
   * name of any field; a reserved field is dropped.
   */
  toJson(received: Plain): Record<string, unknown> {
    const { $unknown = [] } = received as WithUnknown;
    const json: Record<string, unknown> = Object.fromEntries(
      $unknown.filter(({ no }) => !this.reserved.has(no)).map(({ no }) => [`#${no}`, true]),
    );
    for (const { field, name, oneof, isImplicit, part } of this.places) {
      const value = oneof === undefined ? received[name] : chosen(received[oneof], name);
      if (value === undefined || (isImplicit && field.replaces !== true && isZero(value))) continue;
      json[field.name] = field.many
        ? (value as unknown[]).map((one) => toJsonValue(field, one, part))
        : toJsonValue(field, value, part);
    }
    return json;
  }

  /**
   * JSON by the names of the .proto, with those of the declaration in their place: a field may have another name there.
   * Nothing else is looked at: that is the reader's.
   */
  renamed(json: unknown): unknown {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
    const given = json as Plain;
    const renamed: Record<string, unknown> = { ...given };
    for (const { field, jsonNames, part } of this.places) {
      const name = jsonNames.find((one) => Object.hasOwn(given, one));
      if (name === undefined) continue;
      const value = part ? renamedParts(given[name], part) : given[name];
      // Sent in two spellings, it stays so: the reader refuses it.
      const isOnce = name === field.name || !Object.hasOwn(given, field.name);
      if (isOnce) delete renamed[name];
      renamed[isOnce ? field.name : name] = value;
    }
    return renamed;
  }

  /** The response of an operation, as a message of the protobuf library. */
  toWire(answer: object): Record<string, unknown> {
    const wire: Record<string, unknown> = {};
    for (const { field, name, oneof, part } of this.places) {
      const value = (answer as Plain)[field.name];
      if (value === undefined || value === null) continue;
      const written = field.many
        ? (value as unknown[]).map((one) => toWireValue(field, one, part))
        : toWireValue(field, value, part);
      if (oneof === undefined) wire[name] = written;
      else wire[oneof] = { case: name, value: written };
    }
    return wire;
  }
}

function toPlace(field: DeclaredField, descriptor: DescField, known: Map<DescMessage, WireMessage>): Place {
  const part =
    field.part && descriptor.message
      ? (known.get(descriptor.message) ?? new WireMessage(field.part(), descriptor.message, known))
      : undefined;
  const isImplicit =
    descriptor.oneof === undefined && descriptor.fieldKind !== 'message' && !descriptor.proto.proto3Optional;
  const jsonNames = [descriptor.jsonName, descriptor.name];
  return { field, name: descriptor.localName, jsonNames, oneof: descriptor.oneof?.localName, isImplicit, part };
}

function renamedParts(value: unknown, part: WireMessage): unknown {
  return Array.isArray(value) ? value.map((one) => part.renamed(one)) : part.renamed(value);
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  return value === '' || value === false || value === 0 || value === 0n;
}

function chosen(alternative: unknown, name: string): unknown {
  const { case: which, value } = (alternative ?? {}) as { case?: string; value?: unknown };
  return which === name ? value : undefined;
}

interface Time {
  readonly seconds: bigint;
  readonly nanos: number;
}

function toJsonValue({ kind }: DeclaredField, value: unknown, part: WireMessage | undefined): unknown {
  switch (kind) {
    case 'long':
      return (value as bigint).toString();
    case 'moment':
      return momentText(value as Time);
    case 'span':
      return spanText(value as Time);
    case 'bytes':
      return Buffer.from(value as Uint8Array).toString('base64');
    case 'part':
      return part!.toJson(value as Plain);
    case 'text':
    case 'flag':
    case 'count':
    case 'choice':
    case 'struct':
      return value;
  }
}

/** A time outside of the calendar yields unreadable text, and is refused like any other invalid time. */
function momentText({ seconds, nanos }: Time): string {
  const time = new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000));
  return Number.isNaN(time.getTime()) || nanos < 0 || nanos > 999_999_999 ? `${seconds}.${nanos}` : time.toISOString();
}

function spanText({ seconds, nanos }: Time): string {
  return nanos === 0 ? `${seconds}s` : `${seconds}.${String(nanos).padStart(9, '0')}s`;
}

function toWireValue({ kind, choice }: DeclaredField, value: unknown, part: WireMessage | undefined): unknown {
  switch (kind) {
    case 'choice':
      return choice.members.find((member) => member.value === value)!.number;
    case 'moment':
      return toTime((value as Date).getTime());
    case 'span':
      return { seconds: BigInt(value as number), nanos: 0 };
    case 'part':
      return part!.toWire(value as object);
    case 'struct':
      return JSON.parse(JSON.stringify(value)) as unknown; // as JSON writes it
    case 'text':
    case 'flag':
    case 'count':
    case 'long':
    case 'bytes':
      return value;
  }
}

function toTime(milliseconds: number): Time {
  const seconds = Math.floor(milliseconds / 1_000);
  return { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1_000) * 1_000_000 };
}
