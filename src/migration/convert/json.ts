/** An object of a file that another program wrote: nothing about it is certain. */
export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The string at `name`, or an empty one. */
export function textIn(from: Json, name: string): string {
  const value = from[name];
  return typeof value === 'string' ? value : '';
}

/** Whether a value is anything but the default of every service: false, zero, or empty. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0 || value === 'false')
    return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

/** Text that is the same for objects that say the same: the order of members and of texts in lists does not count. */
export function contentOf(value: unknown, ignored: readonly string[] = []): string {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => contentOf(entry, ignored));
    return `[${(value.every((entry) => typeof entry === 'string') ? entries.sort() : entries).join()}]`;
  }
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([name, inner]) => inner !== null && !ignored.includes(name));
  return `{${members
    .map(([name, inner]) => `${JSON.stringify(name)}:${contentOf(inner, ignored)}`)
    .sort()
    .join()}}`;
}
