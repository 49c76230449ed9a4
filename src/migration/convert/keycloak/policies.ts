import type { Report } from '../report.js';
import type { Realm } from './realm.js';

const MAX_ATTEMPTS = 1_000;
const MAX_PASSWORD_LENGTH = 72;
/** Every rule without a counterpart is named. */
const ALL = 1_000;

/** The policies of the organization that a realm becomes. */
export function policiesOf(
  { settings }: Realm,
  namesAtDomain: boolean,
  report: Report,
): Record<string, object | undefined> {
  const complexity = complexityOf(settings.text('passwordPolicy'), report);
  const attempts = Math.min(settings.number('failureFactor') ?? 0, MAX_ATTEMPTS);
  const isProtected = settings.flag('bruteForceProtected');
  const locks = isProtected && settings.flag('permanentLockout') && attempts > 0;
  if (isProtected && !locks) {
    report.note(
      'Accounts that are locked for a while after wrong passwords: guessing is limited here without a setting',
      'bruteForceProtected',
    );
  }
  return {
    domainPolicy: namesAtDomain ? { userLoginMustBeDomain: true } : undefined,
    passwordComplexityPolicy: complexity,
    lockoutPolicy: locks ? { maxPasswordAttempts: Math.floor(attempts) } : undefined,
    loginPolicy: {
      allowUsernamePassword: true,
      allowRegister: settings.flag('registrationAllowed') || undefined,
      allowExternalIdp: settings.objects('identityProviders').length > 0 || undefined,
      hidePasswordReset: !settings.flag('resetPasswordAllowed') || undefined,
      disableLoginWithEmail: !settings.flag('loginWithEmailAllowed', true) || undefined,
      disableLoginWithPhone: true,
      secondFactors: ['SECOND_FACTOR_TYPE_OTP'],
    },
  };
}

/** `length(8) and digits(1) and notUsername` */
function complexityOf(policy: string, report: Report): object | undefined {
  if (policy === '') return undefined;
  const rules = { minLength: '', hasNumber: false, hasUppercase: false, hasLowercase: false, hasSymbol: false };
  for (const [, name, argument] of policy.matchAll(/(\w+)(?:\(([^)]*)\))?(?:\s+and\s+|$)/g)) {
    if (name === 'length') rules.minLength = String(Math.min(Number(argument) || 8, MAX_PASSWORD_LENGTH));
    else if (name === 'digits') rules.hasNumber = true;
    else if (name === 'upperCase') rules.hasUppercase = true;
    else if (name === 'lowerCase') rules.hasLowercase = true;
    else if (name === 'specialChars') rules.hasSymbol = true;
    else report.note('Rules of passwords', name!, ALL);
  }
  return { ...rules, minLength: rules.minLength || '8' };
}
