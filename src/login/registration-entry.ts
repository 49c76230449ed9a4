import type { Form } from '../foundation/http/form.js';
import { isEmail } from '../org/email-address.js';
import type { FormError, FormErrorReason } from '../page/part/form-error.js';
import type { RegisterField } from '../page/register.page.js';
import { isRepeated, newPasswordProblem } from '../session/proof/new-password.js';
import { MAX_CHARACTERS, newHumanViolations } from '../user/new-human.js';
import type { PasswordPolicy } from '../user/password-policy.js';

type Errors = readonly FormError<RegisterField>[];

/** The entries of a user who registers: complete, and valid by every rule that needs no database. */
export interface RegistrationEntry {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The e-mail address if no name was chosen. */
  readonly userName: string;
  /** Empty for a user who creates a passkey instead. */
  readonly password: string;
}

/** The name contains a domain of another organization, whether or not such a user exists. */
export const nameUnavailable = {
  field: 'userName',
  reason: 'userNameTaken',
} as const satisfies FormError<RegisterField>;

/** Characters of user names: letters and digits of any script, and four signs. */
export const USER_NAME = /^[\p{L}\p{M}\p{N}._@+-]+$/u;

/**
 * The entry, or everything that is wrong with it; without a policy no password is chosen. Passwords are taken as typed;
 * other values are trimmed.
 */
export function parseRegistration(
  form: Form,
  policy: PasswordPolicy | undefined,
  { hasTerms, brand }: { hasTerms: boolean; brand: string },
): { entry?: RegistrationEntry; errors: Errors } {
  const text = (field: RegisterField): string => form.find(field)?.trim() ?? '';
  const email = text('email');
  const chosen = text('userName');
  const entry = {
    email,
    firstName: text('firstName'),
    lastName: text('lastName'),
    userName: chosen || email,
    password: form.find('password') ?? '',
  };
  const errors = [
    ...textErrors(entry, chosen),
    ...(policy ? passwordErrors(form, policy, [...ownWords(entry), brand]) : []),
    ...termsErrors(form, hasTerms),
  ];
  return errors.length > 0 ? { errors } : { entry, errors };
}

function textErrors(entry: RegistrationEntry, chosenName: string): Errors {
  const errors: FormError<RegisterField>[] = [];
  const refuse = (field: RegisterField, reason: FormErrorReason): void => {
    errors.push(
      [...valueOf(entry, field)].length > MAX_CHARACTERS
        ? { field, reason: 'valueTooLong', count: MAX_CHARACTERS }
        : { field, reason },
    );
  };
  const { email, firstName, lastName, userName } = entry;
  const broken = new Set(
    newHumanViolations({ orgId: '', userName, email, profile: { firstName, lastName } }).map(({ field }) => field),
  );
  if (email === '') refuse('email', 'emailMissing');
  else if (!isEmail(email)) refuse('email', 'emailInvalid');
  if (broken.has('profile.firstName')) refuse('firstName', firstName === '' ? 'firstNameMissing' : 'valueInvalid');
  if (broken.has('profile.lastName')) refuse('lastName', lastName === '' ? 'lastNameMissing' : 'valueInvalid');
  if (chosenName !== '' && (broken.has('userName') || !USER_NAME.test(chosenName)))
    refuse('userName', 'userNameInvalid');
  return errors;
}

function valueOf(entry: RegistrationEntry, field: RegisterField): string {
  if (field === 'terms') return '';
  return field === 'passwordRepeat' ? entry.password : entry[field];
}

function termsErrors(form: Form, hasTerms: boolean): Errors {
  return hasTerms && form.find('terms') !== 'accepted' ? [{ field: 'terms', reason: 'termsMissing' }] : [];
}

function ownWords({ email, firstName, lastName, userName }: RegistrationEntry): string[] {
  return [email, userName, firstName, lastName, `${firstName}${lastName}`, `${lastName}${firstName}`];
}

function passwordErrors(form: Form, policy: PasswordPolicy, own: readonly string[]): Errors {
  const password = form.find('password');
  const problem = newPasswordProblem(password, policy, own);
  if (problem) return [{ field: 'password', ...problem }];
  return isRepeated(form, 'passwordRepeat', password) ? [] : [{ field: 'passwordRepeat', reason: 'passwordsDiffer' }];
}
