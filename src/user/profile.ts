import type { FieldViolation } from '../foundation/error/domain-error.js';
import { isLanguageTag } from '../foundation/language/language-tag.js';
import type { Address, User } from './user.entity.js';

export const MAX_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 2_000;
const MAX_FORMATTED_CHARACTERS = 1_000;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]|\p{Cs}/u;
/** OIDC Core §5.1.1: an address may have several lines. */
const CONTROL_BUT_LINES = /[^\P{Cc}\r\n]|[\p{Zl}\p{Zp}]|\p{Cs}/u;

/** A member of the profile: its value where nothing was said, and what is wrong with another one. */
interface Member<Value> {
  readonly empty: Value;
  readonly violations: (value: Value, field: string) => FieldViolation[];
}

const WEB_URL = emptyOr(isWebUrl, `must be an http or https URL of at most ${MAX_URL_CHARACTERS} characters`);

/**
 * The members of a user's profile that can be set: each is a column of `User`, and what is read, listed, copied,
 * exported and imported of a profile follows from here.
 */
const MEMBERS = ofColumns({
  firstName: text(1),
  lastName: text(1),
  middleName: text(0),
  nickName: text(0),
  displayName: text(0),
  preferredLanguage: emptyOr(isLanguageTag, 'must be a language tag such as de or pt-BR'),
  gender: { empty: '', violations: () => [] },
  profileUrl: WEB_URL,
  pictureUrl: WEB_URL,
  website: WEB_URL,
  birthdate: emptyOr(isBirthdate, 'must be YYYY-MM-DD, with 0000 for an unknown year, or YYYY'),
  zoneinfo: emptyOr(isTimeZone, 'must be a time zone such as Europe/Paris'),
  address: { empty: {}, violations: addressViolations },
});

export type ProfileMember = keyof typeof MEMBERS;
export type Profile = Pick<User, ProfileMember>;

/** The members in the order in which they are checked, and stand in answers to SQL. */
export const PROFILE_MEMBERS = Object.keys(MEMBERS) as readonly ProfileMember[];

/** The profile of a user of whom nothing is known, as that of a service user. */
export const EMPTY_PROFILE: Readonly<Profile> = madeOf((name) => MEMBERS[name].empty);

/** The profile of a user, without what else a row has. */
export function profileOf(user: Readonly<Profile>): Profile {
  return madeOf((name) => user[name]);
}

function madeOf(valueOf: (name: ProfileMember) => Profile[ProfileMember]): Profile {
  return Object.fromEntries(PROFILE_MEMBERS.map((name) => [name, valueOf(name)])) as Profile;
}

/**
 * Everything that is wrong with the given members of a profile; `at` is the path of the profile in the request, with a
 * trailing dot.
 */
export function profileViolations(profile: Partial<Profile>, at: string): FieldViolation[] {
  return PROFILE_MEMBERS.flatMap((name) => violationsOf(name, profile[name], at + name));
}

function violationsOf<Name extends ProfileMember>(
  name: Name,
  value: User[Name] | undefined,
  field: string,
): FieldViolation[] {
  return value === undefined ? [] : MEMBERS[name].violations(value, field);
}

function ofColumns<Name extends keyof User>(members: { readonly [Each in Name]: Member<User[Each]> }): typeof members {
  return members;
}

function text(minCharacters: number): Member<string> {
  return checked((value) => isText(value, minCharacters), textRule(minCharacters));
}

function emptyOr(fits: (value: string) => boolean, rule: string): Member<string> {
  return checked((value) => value === '' || fits(value), rule);
}

function checked(fits: (value: string) => boolean, description: string): Member<string> {
  return { empty: '', violations: (value, field) => (fits(value) ? [] : [{ field, description }]) };
}

function addressViolations(address: Address, field: string): FieldViolation[] {
  return Object.entries(address).flatMap(([member, value]: [string, string]) => {
    const limit = member === 'formatted' ? MAX_FORMATTED_CHARACTERS : MAX_CHARACTERS;
    if ([...value].length <= limit && !CONTROL_BUT_LINES.test(value)) return [];
    const description = `must have at most ${limit} characters and no control characters`;
    return [{ field: `${field}.${member}`, description }];
  });
}

/** Lengths count Unicode code points. */
export function isText(text: string, minCharacters: number, maxCharacters = MAX_CHARACTERS): boolean {
  const length = [...text].length;
  return length >= minCharacters && length <= maxCharacters && !CONTROL.test(text);
}

export function textRule(minCharacters: number, maxCharacters = MAX_CHARACTERS): string {
  return `must have ${minCharacters} to ${maxCharacters} characters and no control characters`;
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
