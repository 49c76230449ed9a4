import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from '../config/secret.js';
import { DomainError } from '../error/domain-error.js';
import { randomToken } from './random.js';

/** Whether the file has been created. */
export function hasMasterKeyFile(dataDir: string): boolean {
  return existsSync(pathIn(dataDir));
}

/**
 * In development: the master key in `DATA_DIR/master.key`, created at the first start and readable by its owner only.
 * @throws DomainError FailedPrecondition `master_key.file` where it can be neither made nor read
 */
export async function loadMasterKey(dataDir: string): Promise<Secret> {
  try {
    return await readOrMake(dataDir);
  } catch (error) {
    throw new DomainError(
      'FailedPrecondition',
      'master_key.file',
      `DATA_DIR cannot keep the master key: ${(error as Error).message}. Let DATA_DIR name a folder that the service may write, or set MASTER_KEY.`,
      { cause: error },
    );
  }
}

async function readOrMake(dataDir: string): Promise<Secret> {
  const path = pathIn(dataDir);
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(path, `${randomToken(32)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return new Secret((await readFile(path, 'utf8')).trim());
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'master.key');
}
