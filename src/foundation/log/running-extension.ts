import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<string>();

/** Runs code of an extension: log lines that are written meanwhile, also by what it has begun, name the extension. */
export function asExtension<T>(extension: string, work: () => T): T {
  return running.run(extension, work);
}

/** The extension whose code runs; undefined for the product itself. */
export function runningExtension(): string | undefined {
  return running.getStore();
}
