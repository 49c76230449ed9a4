import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Config } from './config.js';
import { type Environment, EnvironmentReader } from './environment.js';
import { decode } from './file-encoding.js';
import { parseConfig } from './parse-config.js';

/**
 * The settings of this process.
 * @param environment by default that of the process
 * @param readMore reads further settings: their mistakes are reported together with all others
 * @throws ConfigError with every mistake
 */
export function loadConfig(
  environment: Environment = process.env,
  readMore?: (env: EnvironmentReader, config: Pick<Config, 'deprecations'>) => void,
): Config {
  return parseConfig(environment, {
    readFile: (path) => decode(readFileSync(path)),
    terminal: process.stdout.isTTY,
    ...(readMore && { readMore }),
    processors: availableParallelism(),
  });
}

/** Reads the environment of this process, setting by setting. */
export function readerOfProcess(): EnvironmentReader {
  return new EnvironmentReader(process.env, (path) => decode(readFileSync(path)));
}
