import type { IdpHttpAnswer, JsonObject } from 'gatehouse';

/**
 * The object in an answer. Integers that JavaScript would round are their digits: two users must not become one
 * (RFC 8259 §6).
 * @throws Error if it is none; the message quotes nothing of it, since it may hold a token
 */
export function objectIn({ text }: Pick<IdpHttpAnswer, 'text'>): JsonObject {
  const value = valueIn(text);
  if (!isObject(value)) throw new Error('The answer of the provider is no JSON object.');
  return value;
}

/** The list in an answer. @throws Error if it is none */
export function listIn({ text }: Pick<IdpHttpAnswer, 'text'>): readonly unknown[] {
  const value = valueIn(text);
  if (!Array.isArray(value)) throw new Error('The answer of the provider is no JSON list.');
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that is a text with something in it. */
export function textOf(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * What identifies a user: a text, or an integer as its digits. Undefined for all else: a fraction, a list or an object
 * would be another text tomorrow.
 */
export function identifierOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    throw new Error('The answer of the provider is not JSON.');
  }
}

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}
