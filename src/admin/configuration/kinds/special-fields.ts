import { invalidFields } from '../../../foundation/error/domain-error.js';
import type { Json } from '../../kit/inner-calls.js';
import type { Ground } from '../ground.js';
import type { SpecialField } from '../kind.js';
import type { Place } from '../place.js';

const LISTED = { type: 'array', items: { type: 'string' }, uniqueItems: true } as const;

/**
 * Whether an object is in use, for those that can be deactivated.
 * @param path of the object
 * @param on what puts it to use again
 */
export function active(path: string, on: '_activate' | '_reactivate' = '_reactivate'): SpecialField {
  const off = `POST ${path}/_deactivate`;
  return {
    word: 'active',
    schema: { type: 'boolean' },
    route: off,
    of: ({ state }) => typeof state === 'string' && state.endsWith('_ACTIVE'),
    set: async (ground, place, wanted) => {
      checkIs('boolean', wanted, 'active');
      await ground.change(place, wanted === true ? `POST ${path}/${on}` : off);
    },
  };
}

/** A list of which each entry is added and removed by an operation of its own. */
export interface ListedSettings {
  readonly word: string;
  readonly of: (read: Json, ground: Ground, place: Place) => Promise<readonly string[]>;
  readonly add: string;
  readonly remove: string;
  /** The message of both operations for an entry. */
  readonly message: (entry: string, ground: Ground, place: Place) => Promise<Json>;
}

export function listed({ word, of, add, remove, message }: ListedSettings): SpecialField {
  return {
    word,
    schema: LISTED,
    route: add,
    of,
    set: async (ground, place, wanted, current) => {
      const entries = textsOf(wanted, word);
      const there = current as readonly string[];
      for (const entry of there.filter((one) => !entries.includes(one))) {
        const body = await message(entry, ground, place);
        await ground.change({ ...place, ids: { ...place.ids, ...body } }, remove, body);
      }
      for (const entry of entries.filter((one) => !there.includes(one)))
        await ground.change(place, add, await message(entry, ground, place));
    },
  };
}

/** @throws DomainError InvalidArgument */
export function textsOf(value: unknown, word: string): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw invalidFields([{ field: word, description: 'must be a list of texts' }]);
}

/** @throws DomainError InvalidArgument */
export function checkIs(type: 'boolean' | 'string', value: unknown, word: string): void {
  if (typeof value !== type)
    throw invalidFields([
      { field: word, description: type === 'boolean' ? 'must be true or false' : 'must be a text' },
    ]);
}
