/** The primitives of hashes. The cost of each is counted in its own unit: passes over a KiB, rounds, iterations. */
export type Primitive =
  | 'argon2'
  | 'bcrypt'
  | 'scrypt'
  | 'pbkdf2-sha1'
  | 'pbkdf2-sha256'
  | 'pbkdf2-sha512'
  | 'sha-crypt'
  | 'md5';

/** The cost of a check, in the unit of its primitive. */
export interface HashUnits {
  readonly primitive: Primitive;
  readonly units: number;
}

/** Absolute limits of argon2 and scrypt, however fast the machine is: each check must fit into memory. */
export const MAX_MEMORY_KIB = 262_144;
export const MAX_LANES = 16;

/** The more memory, the more each KiB of it costs: caches do not help, and pages are touched for the first time. */
const MEMORY_FACTORS = {
  argon2: [
    [4_096, 1],
    [32_768, 1.7],
    [MAX_MEMORY_KIB, 2.4],
  ],
  scrypt: [
    [32_768, 1.1],
    [MAX_MEMORY_KIB, 1.6],
  ],
} as const;

export function memoryFactor(primitive: keyof typeof MEMORY_FACTORS, kib: number): number {
  return MEMORY_FACTORS[primitive].find(([most]) => kib <= most)?.[1] ?? 1;
}
