import { isObject } from '../resource/read-value.js';
import type { BulkOperation } from './bulk-request.js';

const REFERENCE = /^bulkId:(.+)$/;

/** The resources of the same request that an operation names (RFC 7644 §3.7.2), by their `bulkId`. */
export function referencesOf({ id, data }: BulkOperation): ReadonlySet<string> {
  const found = new Set<string>();
  replaceReferences({ id, data }, (bulkId) => {
    found.add(bulkId);
    return undefined;
  });
  return found;
}

/**
 * The path and the data with the IDs of what was made in place of references; one that names nothing stays as it is.
 */
export function replaceReferences(
  { id, data }: Pick<BulkOperation, 'id' | 'data'>,
  idOf: (bulkId: string) => string | undefined,
): { readonly id: string | undefined; readonly data: unknown } {
  const resolve = (text: string): string => {
    const bulkId = REFERENCE.exec(text)?.[1];
    return (bulkId === undefined ? undefined : idOf(bulkId)) ?? text;
  };
  return { id: id === undefined ? undefined : resolve(id), data: inValues(data, resolve) };
}

/** References stand where IDs do: as the member `value` of whatever refers to a resource. */
function inValues(json: unknown, resolve: (text: string) => string): unknown {
  if (Array.isArray(json)) return json.map((one) => inValues(one, resolve));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [
      name,
      name.toLowerCase() === 'value' && typeof member === 'string' ? resolve(member) : inValues(member, resolve),
    ]),
  );
}
