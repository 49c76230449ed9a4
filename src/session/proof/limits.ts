import type { AttemptLimit } from '../../foundation/attempt/attempt.service.js';
import { networkOf } from '../../foundation/network/network.js';
import type { Turn } from '../../foundation/password/hash-lane.js';
import { seconds } from '../../foundation/time/duration.js';
import { toNameKey } from '../../user/user-name.js';

const PASSWORD_WINDOW_SECONDS = 15 * seconds.perMinute;
const FAILURES_PER_ACCOUNT = 10;
/** An office behind one address has many users, who mistype now and then. */
const FAILURES_PER_ADDRESS = 100;
const REGISTRATIONS_PER_ADDRESS = 50;
const MAILS_PER_ADDRESS = 50;
const USER_CODES = 10;
/** More keys than a user may have, and than anybody makes in a row. */
const NEW_KEYS = 30;
const NEW_SETS_OF_CODES = 10;

export interface PasswordLimits {
  readonly name: AttemptLimit;
  readonly account: AttemptLimit;
  readonly address: AttemptLimit;
}

/**
 * Limits guesses of a password: by login name, by account however it is spelled (`alice`, `alice@domain`), and by
 * address. The window ends by itself, so the guesses of others never lock a user out for good (LOG-034).
 * The account is counted silently, and unknown names have such a counter as well: if two spellings visibly shared a
 * limit, that would reveal the account behind them (LOG-028).
 */
export function passwordLimits(loginName: string, userId: string | undefined, address: string): PasswordLimits {
  const name = toNameKey(loginName.trim());
  const account = userId === undefined ? `nobody:${name}` : `user:${userId}`;
  return {
    name: limit('password', name, FAILURES_PER_ACCOUNT, PASSWORD_WINDOW_SECONDS),
    account: { ...limit('password-account', account, FAILURES_PER_ACCOUNT, PASSWORD_WINDOW_SECONDS), isSilent: true },
    address: addressLimit('password-address', address),
  };
}

export interface PasskeyLimits {
  readonly account: AttemptLimit;
  readonly address: AttemptLimit;
}

/**
 * Refused answers of passkeys, by account where the key is known, and by address. Nobody can guess one, so that they
 * never lock an account for good.
 */
export function passkeyLimits(userId: string | undefined, address: string): PasskeyLimits {
  const account = userId === undefined ? 'nobody' : `user:${userId}`;
  const failures = userId === undefined ? Number.MAX_SAFE_INTEGER : FAILURES_PER_ADDRESS;
  return {
    account: { ...limit('passkey-account', account, failures, PASSWORD_WINDOW_SECONDS), isSilent: true },
    address: addressLimit('passkey-address', address),
  };
}

/**
 * Guesses of a password that a directory knows: by the name within it, and by address together with those of our own
 * passwords. Directories take several spellings for one name (RFC 4518): what they pass over is not counted apart.
 */
export function directoryLimits(
  idpId: string,
  loginName: string,
  address: string,
): { readonly name: AttemptLimit; readonly address: AttemptLimit } {
  const name = toNameKey(loginName.normalize('NFKD').replace(/[\p{M}\p{C}\p{Z}]/gu, ''));
  return {
    name: limit('directory', `${idpId}:${name}`, FAILURES_PER_ACCOUNT, PASSWORD_WINDOW_SECONDS),
    address: addressLimit('password-address', address),
  };
}

/** Keys that a browser has made for a user, stored or refused: each check costs a signature, and each key a mail. */
export function newKeyLimit(userId: string): AttemptLimit {
  return limit('new-key', userId, NEW_KEYS, seconds.perHour);
}

/** Sets of recovery codes that a program asks for: each costs ten slow hashes and a mail. */
export function newCodesLimit(userId: string): AttemptLimit {
  return limit('new-codes', userId, NEW_SETS_OF_CODES, seconds.perHour);
}

/** Codes of second factors. The first factor has been proved, so this limit may be visible. */
export function codeLimits(
  userId: string,
  address: string,
): { readonly account: AttemptLimit; readonly address: AttemptLimit } {
  return {
    account: limit('code', userId, FAILURES_PER_ACCOUNT, PASSWORD_WINDOW_SECONDS),
    address: addressLimit('code-address', address),
  };
}

/** Codes from mails, tried by visitors who received none; besides, each code counts its own tries. */
export function mailedCodeLimit(address: string): AttemptLimit {
  return addressLimit('mailed-code', address);
}

/** Mails requested without having signed in; besides, each user receives only a few of a kind. */
export function mailLimit(address: string): AttemptLimit {
  return limit('mail-request', networkOf(address), MAILS_PER_ADDRESS, seconds.perHour);
}

/** Unknown names, if the login policy lets the page say so. */
export function unknownNameLimit(address: string): AttemptLimit {
  return addressLimit('unknown-name', address);
}

export function registrationLimit(address: string): AttemptLimit {
  return limit('registration', networkOf(address), REGISTRATIONS_PER_ADDRESS, seconds.perHour);
}

/** RFC 8628 §5.1: codes of devices, typed by visitors. */
export function userCodeLimits(address: string, browserId: string): readonly AttemptLimit[] {
  return [
    limit('user-code', networkOf(address), USER_CODES, seconds.perMinute),
    limit('user-code-browser', browserId, USER_CODES, seconds.perMinute),
  ];
}

/** Queue for hashing: fair between networks, and within a network between names. */
export function turnOf(address: string, name: string): Turn {
  return { from: networkOf(address), name };
}

function addressLimit(what: string, address: string): AttemptLimit {
  return { ...limit(what, networkOf(address), FAILURES_PER_ADDRESS, PASSWORD_WINDOW_SECONDS), isShared: true };
}

function limit(what: string, whom: string, failures: number, windowSeconds: number): AttemptLimit {
  return { what, whom, failures, windowSeconds };
}
