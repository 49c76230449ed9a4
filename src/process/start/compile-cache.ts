import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * What V8 made of the code at an earlier start, by version of Node and by account. Without the right to write there,
 * nothing is kept.
 */
const COMPILED = new URL('../../compiled', import.meta.url);

/** Before the code is loaded that it is about. */
export function useCompiled(): void {
  enableCompileCache(fileURLToPath(COMPILED));
}

/** For the next start, and before the end of the process, which may be a sudden one. */
export function keepCompiled(): void {
  flushCompileCache();
}
