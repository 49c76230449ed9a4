import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { extensionWords } from '../../foundation/config/extension-words.js';
import { usePackagesInFewFiles } from './shared-packages.js';

/**
 * The place of the code that V8 has compiled at an earlier start, by version of Node and by account. Without the right
 * to write there, nothing is kept.
 */
const COMPILED = new URL('../../compiled', import.meta.url);

type Service = typeof import('./service.js');

/** Loads the service, as V8 compiled it at an earlier start. */
export async function loadService(): Promise<Service> {
  useCompiled();
  if (extensionWords().length === 0) usePackagesInFewFiles();
  await import('reflect-metadata'); // before the first decorator, in whichever file that is
  return import('./service.js');
}

/** Uses the compiled code; must be called before that code is loaded. */
export function useCompiled(): void {
  enableCompileCache(fileURLToPath(COMPILED));
}
