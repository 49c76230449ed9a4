import { adviceOn } from '../../foundation/password/foreign-hash.js';
import { USUAL_SPEEDS } from '../../foundation/password/hash-cost.js';
import { HashLimits } from '../../foundation/password/hash-limits.js';
import { isImportedHash, PASSWORD_FORMS } from '../../foundation/password/password-form.js';
import { MAX_PASSWORD_CHARACTERS } from '../../foundation/password/password-hash.js';
import { isEmail } from '../../org/email-address.js';
import { parseSeed } from '../../user/factor/totp.js';
import { isUserName, newHumanViolations } from '../../user/new-human.js';
import { toPhoneNumber } from '../../user/phone-number.js';
import { isText, MAX_CHARACTERS, type Profile } from '../../user/profile.js';
import type { DraftOf } from '../document/field.js';
import type { DocumentPasskey } from '../part/passkey.message.js';
import type { Entry } from './document.js';
import type { PeopleSettings } from './people-settings.js';
import type { Report } from './report.js';

/** A user as another service exports it. Values that do not fit are left out and reported. */
export interface Person {
  readonly userId: string;
  readonly userName: string;
  readonly profile: Partial<Profile>;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Whether the other service required a verified address to sign in. */
  readonly hadToProveEmail: boolean;
  readonly phone: string;
  readonly phoneVerified: boolean;
  readonly isActive: boolean;
  /** In one of the `PASSWORD_FORMS`. */
  readonly passwordHash: string;
  /** The password in clear, as in files written by hand. */
  readonly password: string;
  readonly passwordChangeRequired: boolean;
  /** In base32. */
  readonly totpSeed: string;
  readonly hasEmailCodes: boolean;
  readonly links: readonly Link[];
  readonly passkeys: ReadonlyArray<DraftOf<DocumentPasskey>>;
}

/** The user's account at an identity provider. */
export interface Link {
  readonly configId: string;
  readonly externalUserId: string;
  readonly displayName: string;
}

/** Used where a name is required and none is known. */
const NO_NAME = '-';

/** The user's entry of `humanUsers`. */
export function toHumanEntry(
  person: Person,
  { mustProveEmail, importedHashMs }: Pick<PeopleSettings, 'mustProveEmail' | 'importedHashMs'>,
  report: Report,
): Entry<'humanUsers'> {
  const name = person.userName || person.userId;
  const userName = userNameOf(person, report);
  const email = person.email === '' || isEmail(person.email) ? person.email : '';
  if (email !== person.email) report.note('E-mail addresses that are not valid: left out', name);
  const phone = toPhoneNumber(person.phone) ?? '';
  if (phone === '' && person.phone !== '') report.note('Phone numbers without a country code: left out', name);
  const profile = profileOf(person, userName, report);
  const passwordHash = hashOf(person, importedHashMs, name, report);
  const password = passwordHash === '' ? passwordIn(person, name, report) : '';
  const seed = person.totpSeed === '' ? undefined : parseSeed(person.totpSeed);
  if (person.totpSeed !== '' && !seed)
    report.lose('Seeds of one-time codes that are too short or not valid: the app must be set up again', name);
  const opens = passwordHash !== '' || password !== '' || person.links.length > 0;
  const canSignIn = opens || person.passkeys.some(({ isSecondFactor }) => isSecondFactor !== true);
  const isUnproven = canSignIn && email !== '' && !person.emailVerified;
  if (isUnproven) noteUnproven(person, mustProveEmail, name, report);
  return {
    userId: person.userId,
    // Users without any credential must set their account up first. Whether a passkey is one, the import knows.
    state: !person.isActive ? 'inactive' : opens ? 'active' : 'unspecified',
    awaitsSetUp: !person.isActive && !canSignIn,
    user: {
      userName,
      profile,
      email:
        email === ''
          ? undefined
          : {
              email,
              isEmailVerified: person.emailVerified,
              mayStayUnverified: isUnproven && !mustProveEmail && !person.hadToProveEmail,
            },
      phone: phone === '' ? undefined : { phone, isPhoneVerified: person.phoneVerified },
      hashedPassword: passwordHash === '' ? undefined : { value: passwordHash },
      password: password === '' ? undefined : password,
      passwordChangeRequired: person.passwordChangeRequired,
      otpCode: seed?.reveal(),
      otpEmail: person.hasEmailCodes && email !== '',
      idps: person.links,
      passkeys: person.passkeys,
    },
  };
}

function noteUnproven({ hadToProveEmail }: Person, mustProveEmail: boolean, name: string, report: Report): void {
  if (hadToProveEmail || mustProveEmail) {
    report.note('Users whose e-mail address was never verified: must enter a mailed code when they sign in', name);
  } else {
    report.note(
      'Users whose e-mail address was never verified: sign in without verifying it, as before, and with the user name alone. ' +
        'Until they verify it, no mail to reset a password is sent to it',
      name,
    );
  }
}

function userNameOf({ userName, userId, email }: Person, report: Report): string {
  if (isUserName(userName)) return userName;
  report.lose(
    'User names that are empty or contain white space: replaced by the e-mail address or the id',
    userName || userId,
  );
  return isUserName(email) ? email : userId;
}

function profileOf(person: Person, userName: string, report: Report): Partial<Profile> {
  const given = { ...person.profile };
  for (const member of ['firstName', 'lastName'] as const) {
    if (isText(given[member] ?? '', 1) && given[member]!.trim() !== '') continue;
    report.note('Users without a first or last name: replaced by the user name or a hyphen', userName);
    const isFirst = member === 'firstName' && isText(userName, 1);
    given[member] = isFirst ? [...userName].slice(0, MAX_CHARACTERS).join('') : NO_NAME;
  }
  const profile = { ...given, firstName: given.firstName!, lastName: given.lastName! };
  const wrong = newHumanViolations({ orgId: '', userName: 'x', email: 'x@example.com', profile });
  const members = new Set(wrong.map(({ field }) => field.split('.')[1]!));
  for (const member of members) report.note(`Profile: ${member} that is not valid: left out`, userName);
  return Object.fromEntries(Object.entries(given).filter(([member, value]) => !members.has(member) && value !== ''));
}

/** The password in clear: never the text of a hash, nor what stands for a password that is not shown. */
function passwordIn({ password }: Person, name: string, report: Report): string {
  const problem = /^\*+$/.test(password)
    ? 'that are masked'
    : [...password].length > MAX_PASSWORD_CHARACTERS
      ? `of more than ${MAX_PASSWORD_CHARACTERS} characters`
      : isImportedHash(password) || adviceOn(password) !== undefined
        ? 'that look like hashes'
        : undefined;
  if (problem === undefined) return password;
  report.lose(`Passwords in clear ${problem}: left out; the user must choose a new one`, name);
  return '';
}

/**
 * The cost of a hash is estimated for an ordinary server, so an export converts to the same document everywhere; the
 * import measures its own machine.
 */
function hashOf({ passwordHash }: Person, importedHashMs: number, name: string, report: Report): string {
  const problem =
    passwordHash === '' ? undefined : new HashLimits(USUAL_SPEEDS, importedHashMs).problemOf(passwordHash);
  if (problem === undefined) return passwordHash;
  const form = PASSWORD_FORMS.find(({ prefix }) => prefix.test(passwordHash))?.name ?? 'an unknown form';
  report.lose(`Password hashes of ${form}: a hash ${problem}; the user must choose a new password`, name);
  return '';
}
