import type { FieldViolation } from '../foundation/error/domain-error.js';
import { SYSTEM } from '../foundation/event/journal.js';
import type { EncodedPassword } from '../foundation/password/encoded-password.js';
import { emailProblem } from '../org/email-address.js';
import { USER_IN_PATH } from './in-path.js';
import { phoneRule, toPhoneNumber } from './phone-number.js';
import { isText, MAX_CHARACTERS, type Profile, profileViolations, textRule } from './profile.js';
import type { UserState } from './user.entity.js';
import { hasInvisibleCharacters } from './user-name.js';

export { MAX_CHARACTERS, type Profile } from './profile.js';

export interface NewHuman {
  readonly id?: string;
  readonly orgId: string;
  readonly userName: string;
  readonly profile: Partial<Profile> & Pick<Profile, 'firstName' | 'lastName'>;
  readonly email: string;
  readonly emailVerified?: boolean;
  /** The user cannot sign in before proving the address by a code, so that it may be the user name whoever has it. */
  readonly emailToBeProved?: boolean;
  readonly phone?: string;
  readonly phoneVerified?: boolean;
  /** Without a password the account is `initial` until its owner has set one. */
  readonly passwordHash?: EncodedPassword;
  readonly passwordChangeRequired?: boolean;
  /** By default it depends on the password alone: a user who registers on a page verifies the e-mail address later. */
  readonly state?: UserState;
}

/** Everything that is wrong with a new user, by field of the request. */
export function newHumanViolations(input: NewHuman): FieldViolation[] {
  const email = emailProblem(input.email);
  return [
    ...(input.id === undefined ? [] : idViolations(input.id)),
    ...(isUserName(input.userName) ? [] : [{ field: 'userName', description: userNameRule }]),
    ...profileViolations(input.profile, 'profile.'),
    ...(email === undefined ? [] : [{ field: 'email.email', description: email }]),
    ...(input.phone === undefined || input.phone === '' || toPhoneNumber(input.phone) !== undefined
      ? []
      : [{ field: 'phone.phone', description: phoneRule }]),
  ];
}

/** What is wrong with the id that a caller has chosen for a user of any kind. */
export function idViolations(id: string): FieldViolation[] {
  const problem = USER_IN_PATH.problem(id);
  return [
    ...(isText(id, 1) ? [] : [{ field: 'userId', description: textRule(1) }]),
    ...(problem === undefined ? [] : [{ field: 'userId', description: problem }]),
    // Otherwise the journal would report changes that no user has made.
    ...(id === SYSTEM
      ? [{ field: 'userId', description: `must not be ${SYSTEM}, which is reserved for the service itself` }]
      : []),
  ];
}

export function isUserName(text: string): boolean {
  return isText(text, 1) && !hasInvisibleCharacters(text);
}

/** A name from another service may contain single spaces: its owner types them. */
export function isForeignUserName(text: string): boolean {
  return !/^ | {2}| $/.test(text) && isUserName(text.replaceAll(' ', '_'));
}

export const userNameRule = `must have 1 to ${MAX_CHARACTERS} characters, without white space or invisible characters`;
