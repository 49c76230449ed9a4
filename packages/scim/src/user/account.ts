import type { ManagedUser } from 'gatehouse';
import { invalidValue } from '../error/scim-error.js';
import { type Complex, type Document, isPrimary, textOf } from '../resource/document.js';
import { toInternational } from '../resource/phone-number.js';
import type { Attribute } from '../schema/attribute.js';
import {
  DISPLAY_NAME,
  EMAILS,
  NAME,
  NICK_NAME,
  PHONE_NUMBERS,
  PREFERRED_LANGUAGE,
  PROFILE_URL,
  TIMEZONE,
  USER_NAME,
} from '../schema/user.schema.js';

/** What Gatehouse keeps of a user, and a directory may say. Empty texts where nothing is known. */
export type Account = Pick<
  ManagedUser,
  | 'userName'
  | 'firstName'
  | 'middleName'
  | 'lastName'
  | 'nickName'
  | 'displayName'
  | 'preferredLanguage'
  | 'timeZone'
  | 'profileUrl'
  | 'email'
  | 'phone'
>;

export const ACCOUNT_MEMBERS = [
  'userName',
  'firstName',
  'middleName',
  'lastName',
  'nickName',
  'displayName',
  'preferredLanguage',
  'timeZone',
  'profileUrl',
  'email',
  'phone',
] as const satisfies readonly (keyof Account)[];

const MAX_NAME = 200;
const ADDRESS = /^[^\s@]+@[^\s@]+$/u;
/** RFC 5646 §2.1. */
const LANGUAGE_TAG = /^[a-zA-Z]{2,8}(-[a-zA-Z\d]{1,8})*$/u;
const LONGEST_TAG = 35;
const TIME_ZONE = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/u;
const WEB_URL = /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/iu;
/** Numbers at which nobody answers. */
const NO_PHONES = ['fax', 'pager'];

export function accountOf(user: ManagedUser): Account {
  return Object.fromEntries(ACCOUNT_MEMBERS.map((member) => [member, user[member]])) as unknown as Account;
}

/**
 * The account that a resource describes. What Gatehouse demands and SCIM does not, names and an address, is taken from
 * what else there is. What Gatehouse could not use, such as a phone number without its country code, stays with the
 * resource alone.
 * @throws ScimError `invalidValue`
 */
export function toAccount(document: Document): Account {
  const userName = document.text(USER_NAME);
  if (userName === undefined) throw invalidValue('userName', 'is missing');
  const name = document.complex(NAME);
  const part = (sub: string): string | undefined => textOf(name, NAME, sub);
  const whole = part('formatted') ?? document.text(DISPLAY_NAME) ?? userName.split('@', 1)[0] ?? userName;
  const words = whole.split(/\s+/u).filter((word) => word !== '');
  const firstName = part('givenName') ?? shortened(words.slice(0, Math.max(1, words.length - 1)).join(' ')) ?? userName;
  const lastName = part('familyName') ?? shortened(words.at(-1) ?? '') ?? userName;
  return {
    userName,
    firstName,
    middleName: part('middleName') ?? '',
    lastName,
    nickName: document.text(NICK_NAME) ?? '',
    displayName: document.text(DISPLAY_NAME) ?? shortened(`${firstName} ${lastName}`) ?? '',
    preferredLanguage: usable(document.text(PREFERRED_LANGUAGE), isLanguageTag),
    timeZone: usable(document.text(TIMEZONE), isTimeZone),
    profileUrl: usable(document.text(PROFILE_URL), (url) => WEB_URL.test(url) && URL.canParse(url)),
    email: emailOf(document, userName),
    phone: phoneOf(document),
  };
}

/** The address of the account among those of the resource: the primary one, otherwise the first. */
export function mainEmail(document: Document): Complex | undefined {
  const emails = document.list(EMAILS);
  return emails.find((email) => isPrimary(email, EMAILS)) ?? emails[0];
}

/** The phone number of the account: the primary one, otherwise a mobile one, otherwise the first that can be called. */
export function mainPhone(document: Document): Complex | undefined {
  const usable = document.list(PHONE_NUMBERS).filter((phone) => {
    const isNone = NO_PHONES.includes(textOf(phone, PHONE_NUMBERS, 'type')?.toLowerCase() ?? '');
    return !isNone && toInternational(valueOf(phone, PHONE_NUMBERS)) !== undefined;
  });
  const isMobile = (phone: Complex): boolean => textOf(phone, PHONE_NUMBERS, 'type')?.toLowerCase() === 'mobile';
  return usable.find((phone) => isPrimary(phone, PHONE_NUMBERS)) ?? usable.find(isMobile) ?? usable[0];
}

function valueOf(value: Complex, attribute: Attribute): string {
  return textOf(value, attribute, 'value') ?? '';
}

function emailOf(document: Document, userName: string): string {
  const main = mainEmail(document);
  if (main) return valueOf(main, EMAILS);
  if (ADDRESS.test(userName)) return userName;
  throw invalidValue('emails', 'are missing, and the user name is no address that could stand for one');
}

function phoneOf(document: Document): string {
  const main = mainPhone(document);
  return (main && toInternational(valueOf(main, PHONE_NUMBERS))) ?? '';
}

/** The first characters of a name that was put together; undefined if there are none. */
function shortened(text: string): string | undefined {
  return text === '' ? undefined : [...text].slice(0, MAX_NAME).join('');
}

function usable(text: string | undefined, fits: (text: string) => boolean): string {
  return text !== undefined && fits(text) ? text : '';
}

function isLanguageTag(text: string): boolean {
  return text.length <= LONGEST_TAG && LANGUAGE_TAG.test(text);
}

function isTimeZone(text: string): boolean {
  if (!TIME_ZONE.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
