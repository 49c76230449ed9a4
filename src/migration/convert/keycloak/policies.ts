import type { ConvertedPolicies } from '../document.js';
import type { Report } from '../report.js';
import type { Realm } from './realm.js';

const MAX_ATTEMPTS = 1_000;
/** The limits where the policy of the realm names none. */
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 72;
/** A high limit, so that every rule without a counterpart is named. */
const ALL = 1_000;

/** The policies of the organization that a realm becomes. */
export function policiesOf({ settings, keyTypes }: Realm, namesAtDomain: boolean, report: Report): ConvertedPolicies {
  const complexity = complexityOf(settings.text('passwordPolicy'), report);
  const attempts = Math.min(settings.number('failureFactor') ?? 0, MAX_ATTEMPTS);
  const isProtected = settings.flag('bruteForceProtected');
  const locks = isProtected && settings.flag('permanentLockout') && attempts > 0;
  if (isProtected && !locks) {
    report.note(
      'Accounts that are locked temporarily after wrong passwords: guessing is always limited here, without a setting',
      'bruteForceProtected',
    );
  }
  return {
    domainPolicy: namesAtDomain ? { userLoginMustBeDomain: true } : undefined,
    passwordComplexityPolicy: complexity,
    lockoutPolicy: locks ? { maxPasswordAttempts: Math.floor(attempts) } : undefined,
    loginPolicy: {
      allowUsernamePassword: true,
      allowRegister: settings.flag('registrationAllowed'),
      allowExternalIdp: settings.objects('identityProviders').length > 0,
      hidePasswordReset: !settings.flag('resetPasswordAllowed'),
      disableLoginWithEmail: !settings.flag('loginWithEmailAllowed', true),
      disableLoginWithPhone: true,
      // A passkey in place of a password was enough there.
      ...(keyTypes.has('webauthn-passwordless')
        ? { passwordlessType: 'allowed', multiFactors: ['u2f_with_verification'] }
        : {}),
      secondFactors: keyTypes.size > 0 ? ['otp', 'u2f'] : ['otp'],
    },
  };
}

/** `length(8) and digits(1) and notUsername` */
function complexityOf(policy: string, report: Report): ConvertedPolicies['passwordComplexityPolicy'] {
  if (policy === '') return undefined;
  const rules = {
    minLength: MIN_PASSWORD_LENGTH,
    hasNumber: false,
    hasUppercase: false,
    hasLowercase: false,
    hasSymbol: false,
  };
  for (const [, name, argument] of policy.matchAll(/(\w+)(?:\(([^)]*)\))?(?:\s+and\s+|$)/g)) {
    if (name === 'length') rules.minLength = Math.min(Number(argument) || MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH);
    else if (name === 'digits') rules.hasNumber = true;
    else if (name === 'upperCase') rules.hasUppercase = true;
    else if (name === 'lowerCase') rules.hasLowercase = true;
    else if (name === 'specialChars') rules.hasSymbol = true;
    else report.note('Password rules', name!, ALL);
  }
  return rules;
}
