import type { EncodedPassword } from './encoded-password.js';
import type { Primitive } from './hash-units.js';
import { decoyOf, unitsOf } from './password-form.js';

/** Nanoseconds of processor time per unit. */
export type HashSpeeds = Readonly<Record<Primitive, number>>;

/** Measured on one core of an ordinary server of 2025, for estimates that must be the same everywhere. */
export const USUAL_SPEEDS: HashSpeeds = {
  argon2: 350,
  bcrypt: 50_000,
  scrypt: 290,
  'pbkdf2-sha1': 190,
  'pbkdf2-sha256': 180,
  'pbkdf2-sha512': 420,
  'sha-crypt': 2_500,
  md5: 1_000,
};

export const PRIMITIVES = Object.keys(USUAL_SPEEDS) as readonly Primitive[];

/** The sample of each: so short that it usually ends within one time slice. */
const SAMPLE_SETTINGS: Readonly<Record<Primitive, string>> = {
  argon2: '$argon2id$v=19$m=2048,t=1,p=1',
  bcrypt: '$2b$04',
  scrypt: '$scrypt$ln=8,r=8,p=1',
  'pbkdf2-sha1': '$pbkdf2-sha1$2000',
  'pbkdf2-sha256': '$pbkdf2-sha256$2000',
  'pbkdf2-sha512': '$pbkdf2-sha512$1000',
  'sha-crypt': '$6$rounds=1000',
  md5: '$P$7',
};

/** A hash whose computation shows how fast the machine is. */
export function sampleOf(primitive: Primitive): EncodedPassword {
  return decoyOf(SAMPLE_SETTINGS[primitive])!;
}

/** Approximate time of a check on one core. */
export function millisecondsOf(encoded: EncodedPassword, speeds: HashSpeeds): number {
  const { primitive, units } = unitsOf(encoded);
  return (units * speeds[primitive]) / 1_000_000;
}
