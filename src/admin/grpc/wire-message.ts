import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { type Field, fieldsOf, type MessageClass, reservedOf } from '../wire/field.js';

type Plain = Readonly<Record<string, unknown>>;

/** What a message of protobuf was sent beside its fields; the library keeps it. */
interface WithUnknown {
  readonly $unknown?: ReadonlyArray<{ readonly no: number }>;
}

/** One field of ours, and where it stands in the messages of the protobuf library. */
interface Place {
  readonly field: Field;
  readonly name: string;
  /** The alternative that it is one of. */
  readonly oneof: string | undefined;
  /** Its zero value is not sent, so a message does not show whether it was set. */
  readonly isImplicit: boolean;
  readonly part: WireMessage | undefined;
}

/** A message of ours on the wire of protobuf: what was received becomes what the reader of JSON takes, and an answer what protobuf writes. */
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
   * As JSON would have said it, so that one reader judges both. An unknown field has its number for a name, which no field of ours has; one that
   * is reserved says nothing.
   */
  toJson(received: Plain): Record<string, unknown> {
    const { $unknown = [] } = received as WithUnknown;
    const json: Record<string, unknown> = Object.fromEntries(
      $unknown.filter(({ no }) => !this.reserved.has(no)).map(({ no }) => [`#${no}`, true]),
    );
    for (const { field, name, oneof, isImplicit, part } of this.places) {
      const value = oneof === undefined ? received[name] : chosen(received[oneof], name);
      if (value === undefined || (isImplicit && isZero(value))) continue;
      json[field.name] = field.many
        ? (value as unknown[]).map((one) => toJsonValue(field, one, part))
        : toJsonValue(field, value, part);
    }
    return json;
  }

  /** What an operation answered, as the protobuf library takes it. */
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

function toPlace(field: Field, descriptor: DescField, known: Map<DescMessage, WireMessage>): Place {
  const part =
    field.part && descriptor.message
      ? (known.get(descriptor.message) ?? new WireMessage(field.part(), descriptor.message, known))
      : undefined;
  const isImplicit =
    descriptor.oneof === undefined && descriptor.fieldKind !== 'message' && !descriptor.proto.proto3Optional;
  return { field, name: descriptor.localName, oneof: descriptor.oneof?.localName, isImplicit, part };
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

function toJsonValue({ kind }: Field, value: unknown, part: WireMessage | undefined): unknown {
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

/** What no calendar holds stays unreadable, and is refused like any other text that is no time. */
function momentText({ seconds, nanos }: Time): string {
  const time = new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000));
  return Number.isNaN(time.getTime()) || nanos < 0 || nanos > 999_999_999 ? `${seconds}.${nanos}` : time.toISOString();
}

function spanText({ seconds, nanos }: Time): string {
  return nanos === 0 ? `${seconds}s` : `${seconds}.${String(nanos).padStart(9, '0')}s`;
}

function toWireValue({ kind, choice }: Field, value: unknown, part: WireMessage | undefined): unknown {
  switch (kind) {
    case 'choice':
      return choice!.members.find((member) => member.value === value)!.number;
    case 'moment':
      return toTime((value as Date).getTime());
    case 'span':
      return { seconds: BigInt(value as number), nanos: 0 };
    case 'part':
      return part!.toWire(value as object);
    case 'struct':
      return JSON.parse(JSON.stringify(value)) as unknown; // what JSON would have said of it
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
