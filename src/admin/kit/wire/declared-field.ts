import { toSnakeCase } from '../../../foundation/database/snake-case.js';
import type { DeclaredField, MessageClass } from './field.js';
import { plainFieldsOf } from './plain-fields.js';

const names = new Map<MessageClass, string>();

/** @param name of the message in openapi.json and in the .proto */
export function declareName(message: MessageClass, name: string): void {
  names.set(message, name);
}

/**
 * The name of a message in openapi.json and in the .proto. A class that declares none is called by its own name, which
 * a bundler may change: those of the product declare theirs (test/contract/openapi.e2e-spec.ts).
 */
export function nameOf(message: MessageClass): string {
  return names.get(message) ?? message.name;
}

/** Whether the name is declared, instead of being that of the class. */
export function isNamed(message: MessageClass): boolean {
  return names.has(message);
}

const fields = new Map<object, DeclaredField[]>();

export function declareField(prototype: object, field: DeclaredField): void {
  const own = fields.get(prototype) ?? [];
  const twin = fieldsOfPrototype(prototype).find((other) => other.number === field.number);
  if (twin)
    throw new Error(
      `${nameOf(prototype.constructor as MessageClass)}.${field.name} has the number ${field.number}, which ${twin.name} has.`,
    );
  fields.set(prototype, [...own, field]);
  ordered.clear();
}

/**
 * A field that other services have in this message and this one does not: neither its number nor its name may be
 * reused.
 */
export interface ReservedField {
  readonly number: number;
  /** The name in the .proto. */
  readonly name: string;
}

const reserved = new Map<object, readonly ReservedField[]>();

/** Called after the fields of the message are declared. */
export function declareReserved(prototype: object, others: readonly ReservedField[]): void {
  for (const { number, name } of others) {
    const taken = fieldsOfPrototype(prototype).find((field) => field.number === number || protoNameOf(field) === name);
    if (taken)
      throw new Error(
        `${nameOf(prototype.constructor as MessageClass)}.${taken.name} has a number or name that is reserved.`,
      );
  }
  reserved.set(prototype, others);
}

export function reservedOf(message: MessageClass): readonly ReservedField[] {
  return reserved.get(message.prototype as object) ?? [];
}

/** The fields of a message in order, once somebody has asked for them: each message is read and written by them. */
const ordered = new Map<object, readonly DeclaredField[]>();

/** Every field of a message, those of its base class included, by number. */
export function fieldsOf(message: MessageClass): readonly DeclaredField[] {
  const prototype = message.prototype as object;
  const known = ordered.get(prototype);
  if (known) return known;
  const numbered = fieldsOfPrototype(prototype);
  const inOrder =
    numbered.length === 0 ? plainFieldsOf(message) : numbered.toSorted((one, other) => one.number - other.number);
  ordered.set(prototype, inOrder);
  return inOrder;
}

function fieldsOfPrototype(prototype: object): readonly DeclaredField[] {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  return [...(parent ? fieldsOfPrototype(parent) : []), ...(fields.get(prototype) ?? [])];
}

const filters = new Set<MessageClass>();

export function declareFilter(message: MessageClass): void {
  filters.add(message);
}

/** Whether the fields of the message decide which entries are returned (`@Filter()`). */
export function isFilter(message: MessageClass): boolean {
  return filters.has(message);
}

/** Whether the message consists of a single oneof: if that is not set, the message is meaningless. */
export function isOneChoice(message: MessageClass): boolean {
  const alternatives = new Set(fieldsOf(message).map(({ oneof }) => oneof));
  return alternatives.size === 1 && !alternatives.has(undefined);
}

/** Descriptions and examples of the fields of a message, for another message with the same fields. */
export function saidIn<T extends object>(
  message: abstract new () => T,
): (name: keyof T & string) => Pick<DeclaredField, 'description' | 'example'> {
  const said = new Map(
    fieldsOfPrototype(message.prototype as object).map(({ name, description, example }) => [
      name,
      { description, example },
    ]),
  );
  return (name) => said.get(name) ?? {};
}

/** An example of a message: the examples of its fields, and of its required messages. */
export function exampleOf(message: MessageClass): Record<string, unknown> {
  const entries = fieldsOf(message).flatMap((field) => {
    if (field.example !== undefined) return [[field.name, field.example] as const];
    if (field.kind !== 'part' || !field.mandatory) return [];
    const part = exampleOf(field.part());
    return [[field.name, field.many ? [part] : part] as const];
  });
  return Object.fromEntries(entries);
}

export function protoNameOf({ name, protoName }: Pick<DeclaredField, 'name' | 'protoName'>): string {
  return protoName ?? toSnakeCase(name);
}
