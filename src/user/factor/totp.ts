import { HOTP, Secret as Seed, TOTP } from 'otpauth';
import { Secret } from '../../foundation/config/secret.js';
import { smallRandomBytes } from '../../foundation/crypto/random.js';
import { plainCode } from '../../foundation/crypto/typed-code.js';
import { toUnixSeconds } from '../../foundation/time/duration.js';

// The defaults of authenticator apps (RFC 6238 §4).
const ALGORITHM = 'SHA1';
const DIGITS = 6;
const STEP_SECONDS = 30;

/** RFC 4226 §4 R6: the length of the hash. */
const SEED_BYTES = 20;
/** RFC 4226 §4 R6 requires 128 bits; some services still issue half of the recommended length, so it is accepted. */
const SEED = /^[A-Z2-7]{16,128}$/;

/** RFC 6238 §5.2: one step, for clock skew and slow typing. */
const TOLERATED_STEPS = 1;

/** In base32. */
export function newSeed(): Secret {
  return new Secret(new Seed({ buffer: new Uint8Array(smallRandomBytes(SEED_BYTES)).buffer }).base32);
}

/** Reads a seed as other services write it, in groups and with padding; undefined if it is none. */
export function parseSeed(text: string): Secret | undefined {
  const base32 = text.replaceAll(/[\s=-]/g, '').toUpperCase();
  return SEED.test(base32) ? new Secret(base32) : undefined;
}

/** The time step of this code, now or within the tolerance; undefined for any other code. */
export function stepOfCode(seed: Secret, typed: string, now: Date): number | undefined {
  const code = plainCode(typed);
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const current = Math.floor(toUnixSeconds(now) / STEP_SECONDS);
  const delta = HOTP.validate({
    token: code,
    secret: Seed.fromBase32(seed.reveal()),
    algorithm: ALGORITHM,
    digits: DIGITS,
    counter: current,
    window: TOLERATED_STEPS,
  });
  return delta === null ? undefined : current + delta;
}

/** The content of the QR code or link: the seed and its label. */
export function toKeyUri(seed: Secret, names: { readonly issuer: string; readonly account: string }): string {
  return new TOTP({
    issuer: names.issuer,
    label: names.account,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: STEP_SECONDS,
    secret: Seed.fromBase32(seed.reveal()),
  }).toString();
}
