import { DirectoryRefused, type Secret } from 'gatehouse';
import { type Client, PasswordPolicyControl, PasswordPolicyError, ResultCodeError } from 'ldapts';
import { refusalOfActiveDirectory } from './active-directory-codes.js';

/** RFC 4511 Appendix A, and what servers say to a password instead of `invalidCredentials`. */
const INVALID_CREDENTIALS = 49;
const NOT_ACCEPTED: readonly number[] = [
  INVALID_CREDENTIALS,
  19, // constraintViolation: locked, at 389 Directory Server
  32, // noSuchObject
  48, // inappropriateAuthentication: the entry has no password
  53, // unwillingToPerform: inactivated, at 389 Directory Server
];

/**
 * Whether this is the password of the entry. The connection is of no use afterwards.
 * @throws DirectoryRefused if it is, but nobody may sign in with it; what the client throws if there is no answer
 */
export async function isPasswordOf(client: Client, name: string, password: Secret): Promise<boolean> {
  const text = password.reveal();
  // RFC 4513 §5.1.2: a bind without a password succeeds without a check. The client would take a name without = for
  // that of a SASL mechanism.
  if (text === '' || text.includes('\0') || !name.includes('=')) return false;
  const policy = new PasswordPolicyControl();
  try {
    await client.bind(name, text, policy);
  } catch (error) {
    if (!(error instanceof ResultCodeError) || !NOT_ACCEPTED.includes(error.code)) throw error;
    const word = refusalOfActiveDirectory(error.message) ?? expired(policy);
    if (word !== undefined) throw new DirectoryRefused(word);
    return false;
  }
  if (policy.value?.error === PasswordPolicyError.ChangeAfterReset) throw new DirectoryRefused('password_must_change');
  return true;
}

/** draft-behera-ldap-password-policy §8.1.2: said after the right password alone. A lock is said after any. */
function expired({ value }: PasswordPolicyControl): string | undefined {
  return value?.error === PasswordPolicyError.PasswordExpired ? 'password_expired' : undefined;
}
