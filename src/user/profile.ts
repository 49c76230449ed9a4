import type { FieldViolation } from '../foundation/error/domain-error.js';
import { isLanguageTag } from '../foundation/language/language-tag.js';
import type { Address, User } from './user.entity.js';

export const MAX_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 2_000;
const MAX_FORMATTED_CHARACTERS = 1_000;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]|\p{Cs}/u;
/** OIDC Core §5.1.1: an address may have several lines. */
const CONTROL_BUT_LINES = /[^\P{Cc}\r\n]|[\p{Zl}\p{Zp}]|\p{Cs}/u;

/** The members of a user's profile that can be set. */
export type Profile = Pick<
  User,
  | 'firstName'
  | 'lastName'
  | 'middleName'
  | 'nickName'
  | 'displayName'
  | 'preferredLanguage'
  | 'gender'
  | 'profileUrl'
  | 'pictureUrl'
  | 'website'
  | 'birthdate'
  | 'zoneinfo'
  | 'address'
>;

/** The optional members of a profile, of a user with an empty profile. */
export const EMPTY_PROFILE: Omit<Profile, 'firstName' | 'lastName' | 'displayName'> = {
  middleName: '',
  nickName: '',
  preferredLanguage: '',
  gender: '',
  profileUrl: '',
  pictureUrl: '',
  website: '',
  birthdate: '',
  zoneinfo: '',
  address: {},
};

/**
 * Everything that is wrong with the given members of a profile; `at` is the path of the profile in the request, with a
 * trailing dot.
 */
export function profileViolations(profile: Partial<Profile>, at: string): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const check = (field: string, fits: boolean, description: string): void => {
    if (!fits) violations.push({ field: at + field, description });
  };
  for (const field of ['firstName', 'lastName'] as const) check(field, isText(profile[field] ?? 'x', 1), textRule(1));
  for (const field of ['middleName', 'nickName', 'displayName'] as const)
    check(field, isText(profile[field] ?? '', 0), textRule(0));
  check(
    'preferredLanguage',
    isEmptyOr(profile.preferredLanguage, isLanguageTag),
    'must be a language tag such as de or pt-BR',
  );
  for (const field of ['profileUrl', 'pictureUrl', 'website'] as const) {
    check(
      field,
      isEmptyOr(profile[field], isWebUrl),
      `must be an http or https URL of at most ${MAX_URL_CHARACTERS} characters`,
    );
  }
  check(
    'birthdate',
    isEmptyOr(profile.birthdate, isBirthdate),
    'must be YYYY-MM-DD, with 0000 for an unknown year, or YYYY',
  );
  check('zoneinfo', isEmptyOr(profile.zoneinfo, isTimeZone), 'must be a time zone such as Europe/Paris');
  for (const [member, text] of Object.entries(profile.address ?? {}) as Array<[keyof Address, string]>) {
    const limit = member === 'formatted' ? MAX_FORMATTED_CHARACTERS : MAX_CHARACTERS;
    check(
      `address.${member}`,
      [...text].length <= limit && !CONTROL_BUT_LINES.test(text),
      `must have at most ${limit} characters and no control characters`,
    );
  }
  return violations;
}

/** Lengths count Unicode code points. */
export function isText(text: string, minCharacters: number, maxCharacters = MAX_CHARACTERS): boolean {
  const length = [...text].length;
  return length >= minCharacters && length <= maxCharacters && !CONTROL.test(text);
}

export function textRule(minCharacters: number, maxCharacters = MAX_CHARACTERS): string {
  return `must have ${minCharacters} to ${maxCharacters} characters and no control characters`;
}

function isEmptyOr(text: string | undefined, fits: (text: string) => boolean): boolean {
  return text === undefined || text === '' || fits(text);
}

function isWebUrl(text: string): boolean {
  if (text.length > MAX_URL_CHARACTERS || !/^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(text)) return false;
  return URL.canParse(text);
}

/** OIDC Core §5.1: ISO 8601-1 `YYYY-MM-DD`, the year alone, or the day alone with the year 0000. */
function isBirthdate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)-(\d\d))?$/.exec(text) ?? [];
  if (year === undefined) return false;
  if (month === undefined) return year !== '0000';
  const leapYear = year === '0000' ? '2000' : year;
  const date = new Date(`${leapYear}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${leapYear}-${month}-${day}`);
}

function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
