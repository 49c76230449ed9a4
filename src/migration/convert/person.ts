import { importedHashProblem, PASSWORD_FORMS } from '../../crypto/password-form.js';
import { parseSeed } from '../../factor/totp.js';
import { isEmail, isUserName, newHumanViolations } from '../../user/new-human.js';
import { MAX_CHARACTERS, isText, type Profile } from '../../user/profile.js';
import { toPhoneNumber } from '../../user/phone-number.js';
import type { Report } from './report.js';

/** A person as another service has them; whatever does not fit is left out, and told. */
export interface Person {
  readonly userId: string;
  readonly userName: string;
  readonly profile: Partial<Profile>;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phone: string;
  readonly phoneVerified: boolean;
  readonly isActive: boolean;
  /** In a form of `PASSWORD_FORMS`. */
  readonly passwordHash: string;
  /** In clear, as files hold it that were written by hand. */
  readonly password: string;
  readonly passwordChangeRequired: boolean;
  /** In base32. */
  readonly totpSeed: string;
  readonly hasEmailCodes: boolean;
  readonly links: ReadonlyArray<{ readonly configId: string; readonly externalUserId: string; readonly displayName: string }>;
}

/** What stands where a name is required and none was kept. */
const NO_NAME = '-';
const GENDER = { '': undefined, female: 'GENDER_FEMALE', male: 'GENDER_MALE', diverse: 'GENDER_DIVERSE' } as const;

/** Their entry in `humanUsers`. */
export function toHumanEntry(person: Person, report: Report): object {
  const name = person.userName || person.userId;
  const userName = userNameOf(person, report);
  const email = person.email === '' || isEmail(person.email) ? person.email : '';
  if (email !== person.email) report.note('E-mail addresses that are none: left out', name);
  const phone = toPhoneNumber(person.phone) ?? '';
  if (phone === '' && person.phone !== '') report.note('Phone numbers without a country code: left out', name);
  const profile = profileOf(person, userName, report);
  const passwordHash = hashOf(person, name, report);
  const seed = person.totpSeed === '' ? undefined : parseSeed(person.totpSeed);
  if (person.totpSeed !== '' && !seed) report.note('Seeds of one-time codes that are too short, or none: the app is set up anew', name);
  const canSignIn = passwordHash !== '' || person.password !== '' || person.links.length > 0;
  return {
    userId: person.userId,
    // Whoever has nothing to sign in with sets their account up first.
    state: !person.isActive ? 'USER_STATE_INACTIVE' : canSignIn ? 'USER_STATE_ACTIVE' : undefined,
    user: {
      userName, profile: { ...profile, gender: GENDER[profile.gender ?? ''] },
      email: email === '' ? undefined : { email, isEmailVerified: person.emailVerified || undefined },
      phone: phone === '' ? undefined : { phone, isPhoneVerified: person.phoneVerified || undefined },
      hashedPassword: passwordHash === '' ? undefined : { value: passwordHash },
      password: passwordHash === '' && person.password !== '' ? person.password : undefined,
      passwordChangeRequired: person.passwordChangeRequired || undefined,
      otpCode: seed?.reveal(), otpEmail: (person.hasEmailCodes && email !== '') || undefined,
      idps: person.links.length === 0 ? undefined : person.links,
    },
  };
}

function userNameOf({ userName, userId, email }: Person, report: Report): string {
  if (isUserName(userName)) return userName;
  report.note('User names that are empty or hold white space: the e-mail address or the id stands for them', userName || userId);
  return isUserName(email) ? email : userId;
}

function profileOf(person: Person, userName: string, report: Report): Partial<Profile> {
  const given = { ...person.profile };
  for (const member of ['firstName', 'lastName'] as const) {
    if (isText(given[member] ?? '', 1) && given[member]!.trim() !== '') continue;
    report.note('People without a first or last name: the user name, or a hyphen, stands for it', userName);
    given[member] = member === 'firstName' && isText(userName, 1) ? [...userName].slice(0, MAX_CHARACTERS).join('') : NO_NAME;
  }
  const wrong = newHumanViolations({ orgId: '', userName: 'x', email: 'x@example.com', profile: { ...given, firstName: given.firstName!, lastName: given.lastName! } });
  const members = new Set(wrong.map(({ field }) => field.split('.')[1]!));
  for (const member of members) report.note(`Profile: ${member} that does not fit, left out`, userName);
  return Object.fromEntries(Object.entries(given).filter(([member, value]) => !members.has(member) && value !== ''));
}

function hashOf({ passwordHash }: Person, name: string, report: Report): string {
  const problem = passwordHash === '' ? undefined : importedHashProblem(passwordHash);
  if (problem === undefined) return passwordHash;
  const form = PASSWORD_FORMS.find(({ prefix }) => prefix.test(passwordHash))?.name ?? 'an unknown form';
  report.note(`Password hashes of ${form}: a hash ${problem}; the person chooses another password`, name);
  return '';
}
