/** What a provider says of an account besides what we have names for: values by the names of the provider. */
export type SaidAttributes = Readonly<Record<string, readonly string[]>>;

const MAX_NAMES = 50;
const MAX_VALUES = 20;
const MAX_BYTES = 8_192;
const MAX_GROUPS = 1_000;
/** Control characters, line and paragraph separators, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * The attributes in what an extension has answered, within the limits: 50 names, 20 values each, 8 kB together. What is
 * malformed or beyond them is dropped. Undefined if nothing was said.
 */
export function readAttributes(said: unknown): SaidAttributes | undefined {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined;
  const kept = new Map<string, readonly string[]>();
  let bytes = 0;
  for (const [name, given] of Object.entries(said as Readonly<Record<string, unknown>>)) {
    if (kept.size === MAX_NAMES || !isPrintable(name)) continue;
    const values = textsIn(given, MAX_VALUES);
    const size = [name, ...values].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (values.length === 0 || bytes + size > MAX_BYTES) continue;
    bytes += size;
    kept.set(name, values);
  }
  return Object.fromEntries(kept);
}

/** Ids of groups; undefined if nothing was said. */
export function readGroups(said: unknown): readonly string[] | undefined {
  return Array.isArray(said) ? [...new Set(textsIn(said, MAX_GROUPS))] : undefined;
}

/** What `areAttributes` asks for, as the end of a sentence. */
export const ATTRIBUTES_RULE = `must be lists of texts by their names: at most ${MAX_NAMES} names, ${MAX_VALUES} values of each, ${MAX_BYTES} bytes together`;

/** Whether they can be stored as they are. */
export function areAttributes(given: object): given is SaidAttributes {
  return JSON.stringify(readAttributes(given)) === JSON.stringify(given);
}

function textsIn(given: unknown, max: number): string[] {
  if (!Array.isArray(given)) return [];
  return given.filter((value): value is string => typeof value === 'string' && isPrintable(value)).slice(0, max);
}

function isPrintable(text: string): boolean {
  return text !== '' && !UNPRINTABLE.test(text);
}
