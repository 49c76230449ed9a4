import { parseStoredSecret, storedSecretText } from '../../foundation/password/stored-secret.js';
import { type Field, text } from '../document/field.js';
import { type ExportOptions, hex, type Section, type Stored } from './part.js';

const RULE = 'must be the SHA-256 of a secret, 32 bytes in base64, or a slow hash such as $argon2id$…';

/** The stored form of the secret of an application or service user. */
export function storedSecret(number: number): Field<string> {
  return text(number, { problem: (written) => (parseStoredSecret(written) === undefined ? RULE : undefined) });
}

/** The value for the database; null for none. */
export function stageSecret(written: string, { path, faults, hashLimits }: Section): string | null {
  const stored = parseStoredSecret(written);
  if (stored === undefined) return null;
  if (written.startsWith('$')) faults.addProblem(`${path}.secretHash`, hashLimits.problemOf(written));
  return hex(stored);
}

export function toSecretHash(row: Stored, { withPasswords }: ExportOptions): string {
  const stored = row['secret_hash'] as Buffer | null;
  return withPasswords && stored ? storedSecretText(stored) : '';
}
