import { appendFileSync, cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './team.js';

/** An example as it was compiled against an earlier version: see the page beside it. */
const KEPT = join(ROOT, 'test', 'extension', 'kept', 'hr');

/** @returns a folder without packages, with a copy that leaks a handle */
export function copyKeptExample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-apart-'));
  cpSync(KEPT, folder, { recursive: true });
  // A handle that nobody closes.
  appendFileSync(join(folder, 'hr.extension.js'), '\nsetInterval(() => undefined, 60_000);\n');
  return folder;
}
