import type { CurrentValues } from './document.js';

/** The values of parameters as a form shows them, by `in.name`. */
export type FormValues = ReadonlyMap<string, string>;

export interface Reading {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly body?: object;
}

/** The call that returns what an update would replace. */
export function readingOf({ path, search }: CurrentValues, values: FormValues): Reading {
  const fill = (text: string, encode: (value: string) => string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => encode(values.get(`path.${name}`) ?? ''));
  const filledPath = fill(path, encodeURIComponent);
  if (search === undefined) return { method: 'get', path: filledPath };
  const body: unknown = JSON.parse(JSON.stringify(search), (_, value: unknown) =>
    typeof value === 'string' ? fill(value, String) : value,
  );
  return { method: 'post', path: filledPath, body: body as object };
}

/**
 * The body of an update that changes nothing.
 * @param taken the fields of the update
 * @returns undefined if the object does not exist
 */
export function bodyOf(
  { field, elsewhere = {}, names = {} }: CurrentValues,
  answer: unknown,
  taken: readonly string[],
): Record<string, unknown> | undefined {
  const at = (place: readonly string[]): unknown =>
    place.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer);
  const there = at(field);
  if (there === null || typeof there !== 'object') return undefined;
  const current = there as Record<string, unknown>;
  const pairs = taken.map((name): [string, unknown] => {
    const { [name]: place } = elsewhere;
    return [name, place ? at(place) : current[names[name] ?? name]];
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}
