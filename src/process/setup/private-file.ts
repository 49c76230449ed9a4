import { rename, rm, writeFile } from 'node:fs/promises';
import { randomToken } from '../../foundation/crypto/random.js';

/**
 * Writes a secret whole or not at all, and never readable by others, not even for a moment: the draft is a new file
 * under a name that cannot be known before, so that another user of the folder cannot put a file or a link in its
 * place.
 */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomToken()}.tmp`;
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
