import { HOTP, Secret as Seed, TOTP } from 'otpauth';
import { smallRandomBytes } from '../crypto/random.js';
import { Secret } from '../crypto/secret.js';
import { toUnixSeconds } from '../time/duration.js';

// What authenticator apps know without being told (RFC 6238 §4, and its defaults).
const ALGORITHM = 'SHA1';
const DIGITS = 6;
const STEP_SECONDS = 30;

/** RFC 4226 §4 R6: the length of the hash. */
const SEED_BYTES = 20;
/** RFC 4226 §4 R6 demands 128 bits; half of the recommended length is what some services still issue, so it is borne. */
const SEED = /^[A-Z2-7]{16,128}$/;

/** RFC 6238 §5.2: one step for clocks that differ and people who type slowly. */
const TOLERATED_STEPS = 1;

/** In base32. */
export function newSeed(): Secret {
  return new Secret(new Seed({ buffer: new Uint8Array(smallRandomBytes(SEED_BYTES)).buffer }).base32);
}

/** As other services write it, in groups and with padding; undefined for what is no seed. */
export function parseSeed(text: string): Secret | undefined {
  const base32 = text.replaceAll(/[\s=-]/g, '').toUpperCase();
  return SEED.test(base32) ? new Secret(base32) : undefined;
}

/** The time step whose code this is, now or within the tolerance; undefined for any other code. */
export function stepOfCode(seed: Secret, typed: string, now: Date): number | undefined {
  const code = typed.replaceAll(/\s/g, '');
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

/** What an app is told, by a QR code or a link: the seed, and under which names to keep it. */
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
