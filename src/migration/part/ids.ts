import { SYSTEM } from '../../foundation/event/journal.js';
import type { PathKey } from '../../foundation/http/path-key.js';
import { type Field, text } from '../document/field.js';
import { type Check, inQuotes } from './stage.js';

/** Every id is kept in its format, unless it contains one of these. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const problem = (id: string): string | undefined =>
  UNSAFE.test(id) ? 'must not contain control characters' : undefined;

/** The id of the entry itself; empty for a new one. */
export function ownId(number: number): Field<string> {
  return text(number, { max: 200, problem });
}

/** A reference to another object. */
export function idOf(number: number): Field<string> {
  return text(number, { min: 1, max: 200, problem });
}

/** An optional reference. */
export function idIfAny(number: number): Field<string> {
  return text(number, { max: 200, problem });
}

/** For users: the journal would report changes that no user has made. */
export const SYSTEM_RULE = `must not be ${SYSTEM}, which is reserved for the service itself`;

/** A new object could not be reached by its path (ADM-098); one that exists has its id already. */
export function canBeInPath(column: string, key: PathKey): Check {
  return {
    breaks: () => key.isIn(`s.${column}`),
    value: inQuotes(`s.${column}`),
    says: `cannot be in a path of the API, where it means something else: take another value for this ${column === 'key' ? 'key' : 'id'}`,
    verdict: 'invalid',
  };
}
