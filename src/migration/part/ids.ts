import { SYSTEM } from '../../event/journal.js';
import { type Field, text } from '../document/field.js';

/** Every id is kept, whatever its form. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const problem = (id: string): string | undefined =>
  UNSAFE.test(id) ? 'must not contain control characters' : undefined;

/** The id of what the document brings; empty: a new one. */
export function ownId(number: number): Field<string> {
  return text(number, { max: 200, problem });
}

/** The id of something else. */
export function idOf(number: number): Field<string> {
  return text(number, { min: 1, max: 200, problem });
}

/** May be left out. */
export function idIfAny(number: number): Field<string> {
  return text(number, { max: 200, problem });
}

/** Of users: the journal would tell of changes that nobody has made. */
export const SYSTEM_RULE = `must not be ${SYSTEM}, which is how the journal calls the service itself`;
