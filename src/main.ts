/*
 * Signals come first, before anything else is even loaded: that takes a second, and a process with the number 1, as in a container,
 * never learns of a signal that it has no handler for.
 */
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());

const { runService } = await import('./service.js');
await runService(stop.signal);
