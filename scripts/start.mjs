import { existsSync } from 'node:fs';

// The C library of most Linux systems gives each thread of Node a heap of its own, and keeps what was in use once: after load that is a
// third of the memory. It reads this when a process begins, so this one begins anew, which takes 25 ms (docs/adr/0041). An older
// Node cannot, and is refused below.
if (process.platform === 'linux' && process.env.MALLOC_ARENA_MAX === undefined) {
  const { execPath, execArgv, argv, env } = process;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, MALLOC_ARENA_MAX: '1' });
}

// Before anything else, as src/main.ts does.
const stop = new AbortController();
let isLoading = false;
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    if (isLoading) process.exit(0); // nothing has begun
    stop.abort();
  });
}
stopWithShell();

const { ensureBuiltApart } = await import('./build.mjs');
try {
  await ensureBuiltApart(stop.signal);
} catch (error) {
  if (stop.signal.aborted) process.exit(0);
  console.error(error.message);
  process.exit(1);
}
// What the environment already says stands.
if (existsSync('.env')) process.loadEnvFile('.env');
// In this process: signals and the exit status are the service's own.
isLoading = true;
const { loadService } = await import('../lib/process/start/load-service.js');
const { runService } = await loadService();
isLoading = false;
await runService(stop.signal);

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
    stop.abort();
  }, 250);
  watch.unref();
}
