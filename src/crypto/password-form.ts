import type { EncodedPassword } from './password-hash.js';

/** A form of password hashes that people bring from elsewhere, and that `PasswordHash` can verify. */
interface PasswordForm {
  readonly name: string;
  /** How such a hash begins. */
  readonly prefix: RegExp;
  /** What is wrong with one, or undefined. */
  readonly problemOf: (encoded: string) => string | undefined;
}

const MAX_CHARACTERS = 500;
/** Whoever chose such costs would pay for every sign-in with a second and more of ours, and so would everybody who waits. */
const MAX_MEMORY_KIB = 262_144;
const MAX_PASSES = 10;
const MAX_LANES = 16;

/** Every form that is accepted; another one is another entry. */
export const PASSWORD_FORMS: readonly PasswordForm[] = [
  { name: 'argon2id', prefix: /^\$argon2id\$/, problemOf: argon2Problem },
];

/** What is wrong with a hash that somebody brings, or undefined: then it is an `EncodedPassword`. */
export function importedHashProblem(encoded: string): string | undefined {
  const form = PASSWORD_FORMS.find(({ prefix }) => prefix.test(encoded));
  if (!form) return `must be a hash in the PHC or modular crypt form of ${PASSWORD_FORMS.map(({ name }) => name).join(', ')}`;
  return encoded.length > MAX_CHARACTERS ? `must have at most ${MAX_CHARACTERS} characters` : form.problemOf(encoded);
}

export function isImportedHash(encoded: string): encoded is EncodedPassword {
  return importedHashProblem(encoded) === undefined;
}

/** `$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`, both in base64 without padding. */
function argon2Problem(encoded: string): string | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/.exec(encoded);
  if (!match) return 'must be $argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>';
  const [memory, passes, lanes] = match.slice(1, 4).map(Number) as [number, number, number];
  if (memory > MAX_MEMORY_KIB || passes > MAX_PASSES || lanes > MAX_LANES) {
    return `must not cost more than m=${MAX_MEMORY_KIB},t=${MAX_PASSES},p=${MAX_LANES}`;
  }
  return passes >= 1 && lanes >= 1 && memory >= 8 * lanes ? undefined : 'must have t=1, p=1 and m=8p at least';
}
