import type { JsonObject } from 'gatehouse';
import type { TextRules } from 'gatehouse/admin';

/** Whether it is the name of a member, or a path to a nested one (RFC 6901 §3). */
export const MEMBER: NonNullable<TextRules['form']> = {
  fits: (text) => !text.startsWith('/') || !/~(?![01])/.test(text),
  says: 'must be the name of a member, or a JSON Pointer such as /data/user/id',
};

/** The member that a name or a JSON Pointer means (RFC 6901 §4); undefined for an empty one. */
export function memberAt(document: JsonObject, path: string): unknown {
  if (path === '') return undefined;
  const names = path.startsWith('/')
    ? path
        .slice(1)
        .split('/')
        .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    : [path];
  let value: unknown = document;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}
