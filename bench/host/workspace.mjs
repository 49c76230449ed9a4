import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/build.mjs';
import { stopAll } from './child.mjs';
import { openDatabase } from './database.mjs';

/**
 * What a measurement needs: the build (unless SKIP_BUILD=1), a temporary folder and a database.
 * @param {Record<string, string>} [settings] further ones of an embedded PostgreSQL
 * @returns {Promise<{ folder: string, database: import('./database.mjs').BenchDatabase, close: () => Promise<void> }>}
 */
export async function openWorkspace(settings = {}) {
  if (process.env.SKIP_BUILD !== '1') await ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const database = await openDatabase(folder, { settings });
  const close = async () => {
    await stopAll();
    await database.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { folder, database, close };
}
