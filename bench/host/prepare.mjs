import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const BENCH = new URL('../', import.meta.url).pathname;

/** Installs the benchmark's own dependency where it is missing. */
export function ensureInstalled() {
  if (existsSync(`${BENCH}node_modules/oidc-provider`)) return;
  process.stderr.write('Installing the peer …\n');
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : [npm ?? 'npm', []];
  const { status } = spawnSync(command, [...args, 'ci'], { cwd: BENCH, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the dependencies of bench/ could not be installed');
}
