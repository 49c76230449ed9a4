import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { writeClient } from './build/client.mjs';

checkNodeVersion();

const program = fileURLToPath(import.meta.url);
const root = dirname(dirname(program));
const dist = join(root, 'dist');
const lib = join(root, 'lib');
const stamp = join(dist, '.built');
const lock = join(dist, '.building');
/** Packages of extensions (docs/adr/0089); one without sources is passed over. */
// Of the whole module: an import by this name would end an older Node before it is told what is needed.
const packages = fs.globSync('packages/*/src', { cwd: root }).map((sources) => dirname(join(root, sources)));
/** As an argument: what is built already stays. */
const IF_NEEDED = '--if-needed';
/**
 * As an argument: no bundle. With `dist` alone openapi.json is made, and of that the client, which the bundle contains: else a new operation and a command
 * that calls it could not come together.
 */
const ONLY_DIST = '--only-dist';
const TOOLS = ['@swc/core', 'esbuild'];
/** In dist/, but not compiled from a source. */
const OTHERS = ['release', '.built', '.building', '.outputs'];

/**
 * Builds `dist`, `lib`, and the `dist` of each package, unless they are newer than everything that they are made of.
 * @throws Error when the build fails
 */
export async function ensureBuilt() {
  if (isFresh()) return;
  await build(isFresh);
}

/**
 * The same in a process of its own, for a program that then runs for long: compilers leave 130 MB behind.
 * @param {AbortSignal} stop ends the build
 * @throws Error when the build fails, which has said why, or is stopped
 */
export async function ensureBuiltApart(stop) {
  stop.throwIfAborted(); // a signal that came before would not be heard below
  if (isFresh()) return;
  const child = spawn(process.execPath, [program, IF_NEEDED], { stdio: ['ignore', 'inherit', 'inherit'] });
  stop.addEventListener('abort', () => child.kill());
  const [status] = await once(child, 'exit');
  stop.throwIfAborted();
  if (status !== 0) throw new Error('The build failed.');
}

/**
 * @param isDone asked once more when the lock is ours: another process may have built what we waited for
 * @param {AbortSignal} [stop] ends the build
 * @param {boolean} [isWhole] whether it ends with the bundle
 */
async function build(isDone, stop, isWhole = true) {
  mkdirSync(dist, { recursive: true });
  while (!takeLock()) await sleep(100, undefined, { signal: stop });
  try {
    if (isDone()) return;
    if (!TOOLS.every((name) => existsSync(join(root, 'node_modules', name))))
      throw new Error(
        'dist is missing or older than src, and the compiler is not installed: run "npm ci" (without --omit=dev).',
      );
    writeClient();
    const started = new Date();
    await compileAll(stop);
    if (!isWhole) return;
    await step('Bundling', async () => (await import('./build/bundle.mjs')).bundle(root));
    stop?.throwIfAborted();
    // What was saved while the compiler ran may not be in it, so the stamp wears the time of the beginning.
    writeFileSync(stamp, started.toISOString());
  } finally {
    rmSync(lock, { force: true });
  }
}

async function compileAll(signal) {
  const { compile } = await import('./build/compile.mjs');
  const files = await step('Compiling', (progress) =>
    compile(join(root, 'src'), dist, { keep: OTHERS, progress, signal }),
  );
  for (const folder of packages)
    await step(`Compiling ${relative(root, folder)}`, (progress) =>
      compile(join(folder, 'src'), join(folder, 'dist'), { keep: [], progress, signal }),
    );
  writeFileSync(join(dist, '.outputs'), digest(files));
  signal?.throwIfAborted();
}

/** Says what is done, on a terminal also how far it is, and how long it took. */
async function step(name, work) {
  const began = performance.now();
  const { isTTY } = process.stderr;
  process.stderr.write(isTTY ? `${name} …` : `${name} …\n`);
  let shown = 0;
  const result = await work((done, all) => {
    const percent = Math.floor((done * 100) / all);
    if (isTTY && percent !== shown) process.stderr.write(`\r${name} … ${(shown = percent)} % of ${all} files`);
  });
  const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  process.stderr.write(isTTY ? `\r\x1b[K${name} … done in ${seconds}\n` : `${name} … done in ${seconds}\n`);
  return result;
}

/** Of all that was compiled: it changes with any of it, and with nothing else. */
function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

function isFresh() {
  if (![stamp, lib, ...packages.map((folder) => join(folder, 'dist'))].every((path) => existsSync(path))) return false;
  const built = Date.parse(readFileSync(stamp, 'utf8'));
  const sources = [
    'src',
    'openapi.json',
    'package.json',
    'package-lock.json',
    '.swcrc',
    'scripts/build',
    'scripts/build.mjs',
  ].map((name) => join(root, name));
  return [...sources, ...packages.map((folder) => join(folder, 'src'))].every((path) => newest(path) <= built);
}

/** Folders count too: their time tells of files that were removed. A missing path is as old as can be (an image without sources). */
function newest(path) {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHolderAlive()) rmSync(lock, { force: true });
    return false;
  }
}

function isHolderAlive() {
  try {
    // Empty for the moment between creating and writing it: then its owner is alive.
    const pid = Number(readFileSync(lock, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

if (process.argv[1] === program) {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop.abort());
  try {
    const [ifNeeded, onlyDist] = [IF_NEEDED, ONLY_DIST].map((word) => process.argv.includes(word));
    await build(ifNeeded ? isFresh : () => false, stop.signal, !onlyDist);
  } catch (error) {
    if (!stop.signal.aborted) console.error(error.message);
    process.exitCode = 1;
  }
}
