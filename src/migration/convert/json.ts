/** An object of somebody else's file: nothing about it is certain. */
export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textIn(from: Json, name: string): string {
  const value = from[name];
  return typeof value === 'string' ? value : '';
}

/** Also of what was written as a string. */
export function numberIn(from: Json, name: string): number | undefined {
  const value = from[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function flagIn(from: Json, name: string): boolean {
  return from[name] === true || from[name] === 'true';
}

export function objectIn(from: Json, name: string): Json {
  const value = from[name];
  return isObject(value) ? value : {};
}

export function listIn(from: Json, name: string): readonly unknown[] {
  const value = from[name];
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function textsIn(from: Json, name: string): string[] {
  return listIn(from, name).filter((value) => typeof value === 'string');
}

export function objectsIn(from: Json, name: string): Json[] {
  return listIn(from, name).filter(isObject);
}

/** An object that stands in a string of JSON, or as it is. */
export function innerIn(from: Json, name: string): Json {
  const value = from[name];
  if (typeof value !== 'string') return objectIn(from, name);
  try {
    const inner: unknown = JSON.parse(value);
    return isObject(inner) ? inner : {};
  } catch {
    return {};
  }
}

/** Whether somebody has set this: nothing, zero, no and nothing in it are where everything begins. */
export function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0 || value === 'false') return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}
