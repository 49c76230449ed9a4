import { checkNodeVersion } from './foundation/config/node-version.mjs';

checkNodeVersion();

/*
 * Signals come first, before anything else is even loaded: that takes a while, and a process with the number 1, as in a container,
 * never learns of a signal that it has no handler for.
 */
const stop = new AbortController();
let isLoaded = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (!isLoaded) process.exit(0); // nothing has begun
    stop.abort();
  });
}

const { loadService } = await import('./load-service.js');
const { runService } = await loadService();
isLoaded = true;
await runService(stop.signal);
