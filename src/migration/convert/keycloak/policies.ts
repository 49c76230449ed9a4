import { flagIn, numberIn, objectsIn, textIn } from '../json.js';
import type { Report } from '../report.js';
import type { Realm } from './realm.js';

const READ = new Set([
  'id', 'realm', 'displayName', 'enabled', 'registrationAllowed', 'resetPasswordAllowed', 'loginWithEmailAllowed', 'passwordPolicy', 'bruteForceProtected', 'permanentLockout', 'failureFactor', 'roles', 'groups', 'users',
  'federatedUsers', 'clients', 'identityProviders', 'defaultRole', 'keycloakVersion', 'accessTokenLifespan',
]);
const MAX_ATTEMPTS = 1_000;
const MAX_PASSWORD_LENGTH = 72;
/** Every setting without a counterpart is named: an operator goes through them. */
const ALL = 1_000;

/** Policies of the organization that a realm becomes. */
export function policiesOf({ settings }: Realm, report: Report): Record<string, object | undefined> {
  report.rest('Realm setting', textIn(settings, 'realm'), settings, READ);
  const complexity = complexityOf(textIn(settings, 'passwordPolicy'), report);
  const attempts = Math.min(numberIn(settings, 'failureFactor') ?? 0, MAX_ATTEMPTS);
  const locks = flagIn(settings, 'bruteForceProtected') && flagIn(settings, 'permanentLockout') && attempts > 0;
  if (flagIn(settings, 'bruteForceProtected') && !locks) report.note('Accounts that are locked for a while after wrong passwords: guessing is limited here without a setting', 'bruteForceProtected');
  return {
    passwordComplexityPolicy: complexity,
    lockoutPolicy: locks ? { maxPasswordAttempts: Math.floor(attempts) } : undefined,
    loginPolicy: {
      allowUsernamePassword: true, allowRegister: flagIn(settings, 'registrationAllowed') || undefined, allowExternalIdp: objectsIn(settings, 'identityProviders').length > 0 || undefined,
      hidePasswordReset: !flagIn(settings, 'resetPasswordAllowed') || undefined, disableLoginWithEmail: settings['loginWithEmailAllowed'] === false || undefined,
      disableLoginWithPhone: true, secondFactors: ['SECOND_FACTOR_TYPE_OTP'],
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
