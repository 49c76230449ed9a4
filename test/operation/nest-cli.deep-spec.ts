import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILES = [
  'src',
  'nest-cli.json',
  '.swcrc',
  'tsconfig.json',
  'tsconfig.src.json',
  'tsconfig.build.json',
  'package.json',
];
/** In dist, but not compiled from a source. */
const OTHERS = /^\.(built|outputs|building)$|^release(?:\/|$)/;

let folder: string;
/** As npx sets it: Node 24 is one of the packages. */
const PATH = [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter);

beforeAll(() => {
  // Beside node_modules, as the sources are.
  folder = mkdtempSync(join(ROOT, 'node_modules/.cache/nest-cli-'));
  for (const name of FILES) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function contentsOf(dist: string): Map<string, string> {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
    .filter((file) => !OTHERS.test(file));
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(dist, file), 'utf8')]));
}

describe('The command nest', () => {
  it('builds, byte for byte, what npm run build compiles', () => {
    const { status, stderr } = spawnSync('nest', ['build'], {
      cwd: folder,
      env: { ...process.env, PATH },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('Successfully compiled')]);
    const [ours, theirs] = [contentsOf(join(ROOT, 'dist')), contentsOf(join(folder, 'dist'))];
    expect([...theirs.keys()]).toEqual([...ours.keys()]);
    expect([...theirs].filter(([file, text]) => text !== ours.get(file)).map(([file]) => file)).toEqual([]);
  });

  it('starts the service, and again after a change', async () => {
    const port = await freePort();
    const env = {
      ...process.env,
      PATH,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(port),
      DEMO_PORT: 'off',
      DATA_DIR: join(folder, 'data'),
    };
    const service = spawn('nest', ['start', '--watch'], { cwd: folder, env, detached: true });
    let said = '';
    service.stdout.on('data', (text: Buffer) => (said += text.toString()));
    service.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const starts = (): number => said.split('Ready in').length - 1;
    try {
      while (starts() < 1) await sleep(100);
      cpSync(join(ROOT, 'src/main.ts'), join(folder, 'src/main.ts'));
      while (starts() < 2) await sleep(100);
    } finally {
      process.kill(-service.pid!, 'SIGTERM');
      await once(service, 'exit');
    }
  }, 180_000);
});
