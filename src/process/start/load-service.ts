import { existsSync } from 'node:fs';
import { useCompiled } from './compile-cache.js';

/** The service in a few files, as `npm run build` makes it from those beside this one (docs/adr/0041). */
const BUNDLE = new URL('../../bundle/service.js', import.meta.url);

type Service = typeof import('./service.js');

/** Loads the service: the bundle, or without one file by file. */
export async function loadService(): Promise<Service> {
  useCompiled();
  if (existsSync(BUNDLE)) return (await import(BUNDLE.href)) as Service;
  return import('./service.js');
}
