import { readFileSync } from 'node:fs';
import { type Environment, EnvironmentReader } from './environment.js';
import { decode } from './file-encoding.js';

/** The setting that names extensions, in the words that `--with` takes. */
export const EXTENSIONS = 'EXTENSIONS';

/**
 * The extensions that the settings name. Which code a process loads depends on them, so they are read before all other
 * settings; those report a file that cannot be read.
 * @param environment by default that of the process
 */
export function extensionWords(environment: Environment = process.env): readonly string[] {
  return new EnvironmentReader(environment, (path) => decode(readFileSync(path))).list(EXTENSIONS);
}
