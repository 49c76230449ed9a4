import type { FieldViolation } from '../foundation/error/domain-error.js';
import { SYSTEM } from '../foundation/event/journal.js';
import { USER_IN_PATH } from './in-path.js';
import { isText, textRule } from './profile.js';

/** Allows more than the ids that we make, since imports choose ids as well. */
const USER_ID = /^[\x21-\x7e]{1,200}$/;

/** Whether a text from outside can be the ID of a user at all. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/** What is wrong with an id that a manager chooses for a new user. */
export function chosenIdViolations(id: string): FieldViolation[] {
  const inPath = USER_IN_PATH.problem(id);
  return [
    ...(isText(id, 1) ? [] : [{ field: 'userId', description: textRule(1) }]),
    ...(inPath === undefined ? [] : [{ field: 'userId', description: inPath }]),
    // Otherwise the journal would report changes that no user has made.
    ...(id === SYSTEM
      ? [{ field: 'userId', description: `must not be ${SYSTEM}, which is reserved for the service itself` }]
      : []),
  ];
}
