import type { GatehouseOptions } from './gatehouse-options.js';

type Service = typeof import('./service.js');

/**
 * Runs the service until a signal ends the process. Signals come first, before the service is even loaded: that takes a
 * while, and a process with the number 1, as in a container, never learns of a signal that it has no handler for.
 */
export async function runProcess(load: () => Promise<Service>, options: GatehouseOptions = {}): Promise<never> {
  const stop = new AbortController();
  let isLoaded = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!isLoaded) process.exit(0); // nothing has begun
      stop.abort();
    });
  }
  const { runService } = await load();
  isLoaded = true;
  return runService(stop.signal, options);
}
