import type { AttemptLimit } from '../attempt/attempt.service.js';
import type { Turn } from '../crypto/hash-lane.js';
import { networkOf } from '../http/network.js';
import { seconds } from '../time/duration.js';
import { toNameKey } from '../user/user-name.js';

const PASSWORD_WINDOW_SECONDS = 15 * seconds.perMinute;
const FAILURES_PER_ACCOUNT = 10;
/** An office behind one address has many people, who mistype now and then. */
const FAILURES_PER_ADDRESS = 100;
const REGISTRATIONS_PER_ADDRESS = 50;
const MAILS_PER_ADDRESS = 50;

export interface PasswordLimits {
  readonly name: AttemptLimit;
  readonly account: AttemptLimit;
  readonly address: AttemptLimit;
}

/**
 * How often a password may be guessed: for one login name, for one account in whatever spelling (`alice`, `alice@domain`),
 * and from one address. The window ends by itself, so nobody is locked out for good by somebody else's guesses (LOG-034).
 *
 * The account is counted silently, and for a name that nobody has there is a counter as well: were two spellings seen to
 * share a limit, it would tell that there is an account behind them (LOG-028).
 */
export function passwordLimits(loginName: string, userId: string | undefined, address: string): PasswordLimits {
  const name = toNameKey(loginName.trim());
  const account = userId === undefined ? `nobody:${name}` : `user:${userId}`;
  return {
    name: limit('password', name, FAILURES_PER_ACCOUNT, PASSWORD_WINDOW_SECONDS),
    account: { ...limit('password-account', account, FAILURES_PER_ACCOUNT, PASSWORD_WINDOW_SECONDS), isSilent: true },
    address: limit('password-address', networkOf(address), FAILURES_PER_ADDRESS, PASSWORD_WINDOW_SECONDS),
  };
}

/** Codes of second factors: whoever gets here has proved the first one, so that the limit may be seen. */
export function codeLimits(
  userId: string,
  address: string,
): { readonly account: AttemptLimit; readonly address: AttemptLimit } {
  return {
    account: limit('code', userId, FAILURES_PER_ACCOUNT, PASSWORD_WINDOW_SECONDS),
    address: limit('code-address', networkOf(address), FAILURES_PER_ADDRESS, PASSWORD_WINDOW_SECONDS),
  };
}

/** Codes from mails, tried by whoever has got none; each code counts its own tries besides. */
export function mailedCodeLimit(address: string): AttemptLimit {
  return limit('mailed-code', networkOf(address), FAILURES_PER_ADDRESS, PASSWORD_WINDOW_SECONDS);
}

/** Mails that somebody asks for without having signed in; each person gets few of a kind besides. */
export function mailLimit(address: string): AttemptLimit {
  return limit('mail-request', networkOf(address), MAILS_PER_ADDRESS, seconds.perHour);
}

/** Names of nobody, where the login policy has the page say so. */
export function unknownNameLimit(address: string): AttemptLimit {
  return limit('unknown-name', networkOf(address), FAILURES_PER_ADDRESS, PASSWORD_WINDOW_SECONDS);
}

export function registrationLimit(address: string): AttemptLimit {
  return limit('registration', networkOf(address), REGISTRATIONS_PER_ADDRESS, seconds.perHour);
}

/** Whose turn it is to have a password hashed or checked: that of a network, and in it of a name. */
export function turnOf(address: string, name: string): Turn {
  return { from: networkOf(address), name };
}

function limit(what: string, whom: string, failures: number, windowSeconds: number): AttemptLimit {
  return { what, whom, failures, windowSeconds };
}
