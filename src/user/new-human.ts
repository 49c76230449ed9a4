import type { FieldViolation } from '../foundation/error/domain-error.js';
import type { EncodedPassword } from '../foundation/password/encoded-password.js';
import { emailProblem } from '../org/email-address.js';
import { phoneRule, toPhoneNumber } from './phone-number.js';
import { isText, MAX_CHARACTERS, type Profile, profileViolations } from './profile.js';
import type { UserState } from './user.entity.js';
import { chosenIdViolations } from './user-id.js';
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
    ...(input.id === undefined ? [] : chosenIdViolations(input.id)),
    ...(isUserName(input.userName) ? [] : [{ field: 'userName', description: userNameRule }]),
    ...profileViolations(input.profile, 'profile.'),
    ...(email === undefined ? [] : [{ field: 'email.email', description: email }]),
    ...(input.phone === undefined || input.phone === '' || toPhoneNumber(input.phone) !== undefined
      ? []
      : [{ field: 'phone.phone', description: phoneRule }]),
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
