import { isDeepStrictEqual } from 'node:util';

/** The wanted values that differ from the row's. Lists and JSON are compared by their contents. */
export function changedValues<Wanted extends object>(row: object, wanted: Wanted): Partial<Wanted> {
  const stored = new Map<string, unknown>(Object.entries(row));
  const changed = Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(stored.get(name), value));
  return Object.fromEntries(changed) as Partial<Wanted>;
}

/** The values without those that are undefined, which were not sent. */
export function definedValues<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
