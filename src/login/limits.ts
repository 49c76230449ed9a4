import { isIP } from 'node:net';
import type { AttemptLimit } from '../attempt/attempt.service.js';
import { seconds } from '../time/duration.js';
import { toNameKey } from '../user/user-name.js';

const PASSWORD_WINDOW_SECONDS = 15 * seconds.perMinute;
const FAILURES_PER_ACCOUNT = 10;
/** An office behind one address has many people, who mistype now and then. */
const FAILURES_PER_ADDRESS = 100;
const REGISTRATIONS_PER_ADDRESS = 50;

/**
 * How often a password may be guessed: for one login name, whether or not anybody has it, and from one address. The
 * window ends by itself, so nobody is locked out for good by somebody else's guesses (LOG-034).
 */
export function passwordLimits(loginName: string, address: string): { account: AttemptLimit; address: AttemptLimit } {
  return {
    account: limit('password', toNameKey(loginName.trim()), FAILURES_PER_ACCOUNT, PASSWORD_WINDOW_SECONDS),
    address: limit('password-address', networkOf(address), FAILURES_PER_ADDRESS, PASSWORD_WINDOW_SECONDS),
  };
}

export function registrationLimit(address: string): AttemptLimit {
  return limit('registration', networkOf(address), REGISTRATIONS_PER_ADDRESS, seconds.perHour);
}

function limit(what: string, whom: string, failures: number, windowSeconds: number): AttemptLimit {
  return { what, whom, failures, windowSeconds };
}

/** Whoever has one IPv6 address has the 2^64 of its network: they count as one (RFC 6177 §2). */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
