import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import './check-node-version.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const lock = join(dist, '.building');
const NEST = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

/**
 * Builds `dist` unless it is newer than everything that it is made of.
 * @param {AbortSignal} [stop] ends the compiler
 * @throws Error when the build fails or is stopped
 */
export async function ensureBuilt(stop) {
  if (isFresh()) return;
  await build(isFresh, stop);
}

/** @param isDone asked once more when the lock is ours: another process may have built what we waited for. */
async function build(isDone, stop) {
  mkdirSync(dist, { recursive: true });
  while (!takeLock()) await sleep(100, undefined, { signal: stop });
  try {
    if (isDone()) return;
    if (!existsSync(NEST))
      throw new Error(
        'dist is missing or older than src, and the compiler is not installed: run "npm ci" (without --omit=dev).',
      );
    const started = new Date();
    process.stderr.write('Building …\n');
    if ((await compile(stop)) !== 0) throw new Error('The build failed; the messages above say where.');
    // What was saved while the compiler ran may not be in it, so the stamp wears the time of the beginning.
    writeFileSync(stamp, started.toISOString());
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Returns the exit status. Meanwhile this process continues to handle signals. */
function compile(signal) {
  const compiler = spawn(process.execPath, [NEST, 'build'], { cwd: root, stdio: ['ignore', 2, 2], signal });
  return new Promise((resolve, reject) => compiler.once('error', reject).once('exit', resolve));
}

function isFresh() {
  if (!existsSync(stamp)) return false;
  const built = Date.parse(readFileSync(stamp, 'utf8'));
  const sources = ['src', 'package-lock.json', 'tsconfig.json', 'nest-cli.json'].map((name) => join(root, name));
  return sources.every((path) => newest(path) <= built);
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build(() => false).catch(fail);
}

function fail(error) {
  console.error(error.message);
  process.exitCode = 1;
}
