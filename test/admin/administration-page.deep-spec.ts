import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { startWorld, type World } from '../support/world.js';

const MARK = '--- next block ---';

let world: World;
let folder: string;

beforeAll(async () => {
  // A provider that is not there is given up soon, also by a machine whose name servers do not answer.
  world = await startWorld({ realTime: true, timeouts: new Timeouts(2_000) });
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-page-'));
  mkdirSync(join(folder, '.data'));
  writeFileSync(join(folder, '.data', 'admin.pat'), world.firstStart.personalAccessToken!.reveal());
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

interface Block {
  readonly commands: string;
  /** What the page shows of the answer; `…` stands for anything. */
  readonly shown: string | undefined;
}

function blocks(): Block[] {
  const text = readFileSync(new URL('../../docs/administration.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^```sh\n([^]*?)^```\n(?:```json\n([^]*?)^```)?/gm)].map(([, commands, shown]) => ({
    commands: commands!,
    shown: shown?.trim(),
  }));
}

function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
}

describe('docs/administration.md', () => {
  it('has commands that answer what it shows, one block after the other, with nothing changed but the address', async () => {
    const all = blocks();
    const script = all
      .map(({ commands }) => `${commands}\necho '${MARK}'`)
      .join('\n')
      .replaceAll('http://localhost:3000', world.origin);
    const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder });
    const outputs = stdout.split(MARK).map((output) => output.trim());
    expect(stderr).toBe('');
    expect(all.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(3);
    for (const [index, { shown }] of all.entries())
      expect(outputs[index]).toMatch(shown === undefined ? /^$/ : patternOf(shown));
  });
});
