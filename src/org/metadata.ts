import { type Condition, searched, type TextMatch, textMatches } from '../foundation/database/condition.js';
import { invalidFields } from '../foundation/error/domain-error.js';
import { METADATA_IN_PATH } from './in-path.js';

/*
 * Rules for the key-value pairs that applications keep about organizations and about users.
 */

export interface MetadataEntry {
  readonly key: string;
  readonly value: Buffer;
}

/** A filter of a list by its keys. */
export interface KeyFilter {
  readonly how: TextMatch;
  readonly text: string;
}

/** A page is read into memory completely, and a value may be half a megabyte long. */
const MAX_PAGE = 100;

export function metadataRange<Range extends { readonly limit: number }>(
  range: Range,
): Range & { readonly sortBy: 'key' } {
  return { ...range, limit: Math.min(range.limit, MAX_PAGE), sortBy: 'key' };
}

/** @param column the keys */
export function keysMatch(column: string, filters: readonly KeyFilter[]): Condition[] {
  return filters.map(({ how, text }) => textMatches(searched(column), how, text));
}

/** @throws DomainError InvalidArgument for a repeated key */
export function checkUnique(keys: readonly string[], field: string): void {
  if (new Set(keys).size < keys.length) throw invalidFields([{ field, description: 'must not repeat a key' }]);
}

/**
 * The entries that have another value than the stored ones, or none yet.
 * @param stored those with the same keys
 * @throws DomainError InvalidArgument for a new key that no path can name
 */
export function changedEntries(
  entries: readonly MetadataEntry[],
  stored: readonly MetadataEntry[],
): Array<MetadataEntry & { readonly isNew: boolean }> {
  const values = new Map(stored.map(({ key, value }) => [key, value]));
  for (const { key } of entries) {
    const description = values.has(key) ? undefined : METADATA_IN_PATH.problem(key);
    if (description !== undefined) throw invalidFields([{ field: 'key', description }]);
  }
  return entries
    .filter(({ key, value }) => values.get(key)?.equals(value) !== true)
    .map(({ key, value }) => ({ key, value, isNew: !values.has(key) }));
}
