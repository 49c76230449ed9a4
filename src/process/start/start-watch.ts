import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';

/** Compilers write several files one after the other. */
const QUIET_MS = 200;

/**
 * Runs the same command in a process of its own, and starts another one whenever a file in the folders of the
 * extensions changes.
 */
export function watchExtensions(folders: readonly string[]): void {
  const args = process.argv.slice(1).filter((arg) => arg !== '--watch');
  let child: ChildProcess | undefined;
  let isEnding = false;
  let isWanted = false;
  let timer: NodeJS.Timeout | undefined;

  const start = (): void => {
    isWanted = false;
    child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: 'inherit' });
    child.once('exit', (code, signal) => {
      child = undefined;
      if (isEnding) process.exit(code ?? 0);
      if (isWanted) return start();
      if (signal === null && code !== 0) process.stderr.write('Waiting for a change …\n');
    });
  };
  const restart = (): void => {
    if (!child) return start();
    isWanted = true;
    child.kill('SIGTERM');
  };
  for (const folder of new Set(folders)) {
    watch(folder, { recursive: true }, (_, name) => {
      if (name?.includes('node_modules')) return;
      clearTimeout(timer);
      timer = setTimeout(restart, QUIET_MS);
    });
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      isEnding = true;
      if (child) child.kill(signal);
      else process.exit(0);
    });
  }
  start();
}
