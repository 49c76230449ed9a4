import type { EncodedPassword } from '../crypto/password-hash.js';
import type { FieldViolation } from '../error/domain-error.js';
import type { User } from './user.entity.js';
import { hasInvisibleCharacters } from './user-name.js';

export const MAX_CHARACTERS = 200;
const MAX_EMAIL_CHARACTERS = 200;
/** One address, as a person writes it: no white space, no second @, a domain behind it. */
const EMAIL = /^[^\s@<>()[\],;:"\\\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\],;:"\\\p{Cc}\p{Cf}]{1,190}$/u;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]|\p{Cs}/u;

/** The members of a person's profile that anyone may set. */
export type Profile = Pick<
  User,
  | 'firstName' | 'lastName' | 'middleName' | 'nickName' | 'displayName' | 'preferredLanguage' | 'gender' | 'profileUrl'
  | 'pictureUrl' | 'website' | 'birthdate' | 'zoneinfo' | 'address'
>;

export interface NewHuman {
  readonly id?: string;
  readonly orgId: string;
  readonly userName: string;
  readonly profile: Partial<Profile> & Pick<Profile, 'firstName' | 'lastName'>;
  readonly email: string;
  readonly emailVerified?: boolean;
  readonly phone?: string;
  readonly phoneVerified?: boolean;
  /** Without a password the account is `initial` until its owner has set one. */
  readonly passwordHash?: EncodedPassword;
  readonly passwordChangeRequired?: boolean;
}

/** Everything that is wrong with a new person, by field. */
export function newHumanViolations(input: NewHuman): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const check = (field: string, fits: boolean, description: string): void => {
    if (!fits) violations.push({ field, description });
  };
  check('userName', isText(input.userName, 1) && !hasInvisibleCharacters(input.userName), nameRule);
  check('profile.firstName', isText(input.profile.firstName, 1), textRule);
  check('profile.lastName', isText(input.profile.lastName, 1), textRule);
  for (const field of ['middleName', 'nickName', 'displayName'] as const) {
    check(`profile.${field}`, isText(input.profile[field] ?? '', 0), textRule);
  }
  check('email', isEmail(input.email), 'must be an e-mail address');
  return violations;
}

export function isEmail(text: string): boolean {
  return [...text].length <= MAX_EMAIL_CHARACTERS && EMAIL.test(text);
}

const textRule = `must have 1 to ${MAX_CHARACTERS} characters, none of them control characters`;
const nameRule = `must have 1 to ${MAX_CHARACTERS} characters, without white space or invisible characters`;

/** Lengths count Unicode code points. */
function isText(text: string, minCharacters: number): boolean {
  const length = [...text].length;
  return length >= minCharacters && length <= MAX_CHARACTERS && !CONTROL.test(text);
}
