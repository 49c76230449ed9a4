import { existsSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';

try {
  await ensureBuilt();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
// What the environment already says stands.
if (existsSync('.env')) process.loadEnvFile('.env');
stopWithShell();
// In this process: signals and the exit status are the service's own.
await import('../dist/main.js');

/**
 * npm hands a signal to the shell that stands between it and this process, and that shell may end without handing it on: the
 * service would run on, unseen. So the end of the shell counts as the signal.
 */
function stopWithShell() {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
