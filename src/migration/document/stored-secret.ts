import { importedHashProblem } from '../../crypto/password-form.js';
import type { Field } from './field.js';

const DIGEST_BYTES = 32;
const NOTHING = Buffer.alloc(0);

/**
 * What is stored of the secret of an application or a service user: a SHA-256 in base64, or the text of a slow hash
 * (`$argon2id$…`), which base64 can never be. See crypto/stored-secret.ts.
 */
export function storedSecret(number: number): Field<Buffer> {
  return {
    number,
    zero: NOTHING,
    read: (value, at, faults) => {
      if (value === '') return NOTHING;
      const [found, problem] = read(value);
      if (problem !== undefined) faults.add(at, problem);
      return found;
    },
    write: (value) => {
      if (value.length === 0) return undefined;
      return value.length === DIGEST_BYTES && importedHashProblem(value.toString('latin1')) !== undefined ? value.toString('base64') : value.toString('latin1');
    },
  };
}

function read(value: unknown): [stored: Buffer, problem: string | undefined] {
  if (typeof value === 'string' && value.startsWith('$')) {
    const problem = importedHashProblem(value);
    return [problem === undefined ? Buffer.from(value, 'latin1') : NOTHING, problem];
  }
  const digest = typeof value === 'string' && /^[A-Za-z0-9+/_-]*={0,2}$/.test(value) ? Buffer.from(value, 'base64') : NOTHING;
  return digest.length === DIGEST_BYTES ? [digest, undefined] : [NOTHING, 'must be the SHA-256 of a secret, 32 bytes in base64, or a slow hash such as $argon2id$…'];
}
