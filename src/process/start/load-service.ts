import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The service in a few files, as `npm run build` makes it from those beside this one (docs/adr/0041). */
const BUNDLE = new URL('../../bundle/service.js', import.meta.url);
/**
 * What V8 made of the code at an earlier start, by version of Node and by account. Without the right to write there,
 * nothing is kept.
 */
const COMPILED = new URL('../../compiled', import.meta.url);

type Service = typeof import('./service.js');

/** Loads the service: the bundle, or without one file by file. */
export async function loadService(): Promise<Service> {
  useCompiled();
  if (existsSync(BUNDLE)) return (await import(BUNDLE.href)) as Service;
  return import('./service.js');
}

/** Before the code is loaded that it is about. */
export function useCompiled(): void {
  enableCompileCache(fileURLToPath(COMPILED));
}
