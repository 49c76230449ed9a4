import { isColor } from '../../foundation/color/contrast.js';
import type { FieldViolation } from '../../foundation/error/domain-error.js';
import { isEmail } from '../email-address.js';
import type { Label } from './label-policy.entity.js';
import type { LockoutPolicy } from './lockout-policy.entity.js';
import type { LoginPolicy } from './login-policy.entity.js';
import type { PasswordAgePolicy } from './password-age-policy.entity.js';
import type { PasswordComplexityPolicy } from './password-complexity-policy.entity.js';
import type { PrivacyPolicy } from './privacy-policy.entity.js';
import type { SelfServicePolicy } from './self-service-policy.entity.js';

/** The limits of numbers and lengths; violations name fields as in requests. */
export const LIMITS = {
  attempts: 1_000,
  /** A minimum beyond what every hash supports would shut users out (bcrypt reads 72 bytes). */
  passwordLength: 72,
  days: 36_500,
  graceDays: 365,
  /** Ten years. */
  lifetimeSeconds: 315_360_000,
  colorCharacters: 50,
  linkCharacters: 2_000,
  linkTextCharacters: 200,
  emailCharacters: 320,
} as const;

/** 0 is allowed: what was checked for a request counts for that request, so no user is asked endlessly. */
export const CHECK_LIFETIMES = [
  'passwordCheckLifetime',
  'externalLoginCheckLifetime',
  'mfaInitSkipLifetime',
  'secondFactorCheckLifetime',
  'multiFactorCheckLifetime',
] as const;
/** The placeholder for the reader's language in links. */
const LANGUAGE_PLACEHOLDER = '{{.Lang}}';

/** An e-mail address at which users can ask for help; it is shown and linked, and no mail is sent to it. */
export function isSupportEmail(text: string): boolean {
  return isEmail(text, LIMITS.emailCharacters);
}

/** An address to which a browser may be sent: never a script or a file, and without a password. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^/\\]/i.test(text) || /[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** The requirement of `toWebAddress`. */
export const WEB_ADDRESS_RULE =
  'must be an http or https address, or one without a scheme such as app.example.com/start';

/** A host with an optional port and path, as people write it: `localhost:8080`, `app.example.com/start`. */
const BARE_ADDRESS = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#]|$)/i;
const THIS_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?#]|$)/i;

/**
 * Completes an address that may lack its scheme: https, or http for this machine. Another scheme, such as `javascript:`
 * or `myapp:`, is not accepted, and must never be read as a host and a port.
 */
export function toWebAddress(text: string): string | undefined {
  if (isWebAddress(text)) return text;
  const completed = `${THIS_MACHINE.test(text) ? 'http' : 'https'}://${text}`;
  return BARE_ADDRESS.test(text) && isWebAddress(completed) ? completed : undefined;
}

/** Whether it is the address of a page, which may contain the reader's language. */
export function isLink(text: string): boolean {
  return isWebAddress(text.replaceAll(LANGUAGE_PLACEHOLDER, 'en'));
}

export function loginViolations(policy: Partial<LoginPolicy>): FieldViolation[] {
  return [
    ...checkText(
      'defaultRedirectUri',
      policy.defaultRedirectUri,
      LIMITS.linkCharacters,
      (text) => toWebAddress(text) !== undefined,
      WEB_ADDRESS_RULE,
    ),
    ...CHECK_LIFETIMES.flatMap((field) =>
      checkNumber(field, policy[`${field}Seconds`], 0, LIMITS.lifetimeSeconds, 's'),
    ),
    ...checkDistinct('secondFactors', policy.secondFactors),
    ...checkDistinct('multiFactors', policy.multiFactors),
  ];
}

export function lockoutViolations(policy: Partial<LockoutPolicy>): FieldViolation[] {
  return [
    ...checkNumber('maxPasswordAttempts', policy.maxPasswordAttempts, 0, LIMITS.attempts),
    ...checkNumber('maxOtpAttempts', policy.maxOtpAttempts, 0, LIMITS.attempts),
  ];
}

export function passwordComplexityViolations(policy: Partial<PasswordComplexityPolicy>): FieldViolation[] {
  return [
    ...checkNumber('minLength', policy.minLength, 1, LIMITS.passwordLength),
    ...checkNumber('minLengthWithoutSecondFactor', policy.minLengthWithoutSecondFactor, 0, LIMITS.passwordLength),
  ];
}

export function passwordAgeViolations(policy: Partial<PasswordAgePolicy>): FieldViolation[] {
  return [
    ...checkNumber('maxAgeDays', policy.maxAgeDays, 0, LIMITS.days),
    ...checkNumber('expireWarnDays', policy.expireWarnDays, 0, LIMITS.days),
  ];
}

export function selfServiceViolations(policy: Partial<SelfServicePolicy>): FieldViolation[] {
  return checkNumber('accountDeletionGraceDays', policy.accountDeletionGraceDays, 0, LIMITS.graceDays);
}

export function privacyViolations(policy: Partial<PrivacyPolicy>): FieldViolation[] {
  const links = ['tosLink', 'privacyLink', 'helpLink', 'docsLink', 'customLink'] as const;
  return [
    ...links.flatMap((field) =>
      checkText(field, policy[field], LIMITS.linkCharacters, isLink, 'must be an http or https address'),
    ),
    ...checkText(
      'supportEmail',
      policy.supportEmail,
      LIMITS.emailCharacters,
      isSupportEmail,
      'must be an e-mail address',
    ),
    ...checkText('customLinkText', policy.customLinkText, LIMITS.linkTextCharacters),
  ];
}

export function labelViolations(label: Partial<Label>): FieldViolation[] {
  const colors = [
    'primaryColor',
    'warnColor',
    'backgroundColor',
    'fontColor',
    'primaryColorDark',
    'warnColorDark',
    'backgroundColorDark',
    'fontColorDark',
  ] as const;
  return colors.flatMap((field) =>
    checkText(field, label[field], LIMITS.colorCharacters, isColor, 'must be a color like #1d4a94'),
  );
}

/** Empty is always allowed: it means none. */
function checkText(
  field: string,
  text: string | undefined,
  max: number,
  fits?: (text: string) => boolean,
  rule = '',
): FieldViolation[] {
  if (text === undefined || text === '') return [];
  if ([...text].length > max) return [{ field, description: `must have at most ${max} characters` }];
  return fits && !fits(text) ? [{ field, description: rule }] : [];
}

function checkNumber(field: string, value: number | undefined, min: number, max: number, unit = ''): FieldViolation[] {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return [];
  return [{ field, description: `must be a whole number of ${min}${unit} to ${max}${unit}` }];
}

function checkDistinct(field: string, values: readonly string[] | undefined): FieldViolation[] {
  return values && new Set(values).size < values.length ? [{ field, description: 'must not contain duplicates' }] : [];
}
