import { readFileSync } from 'node:fs';
import type { Config } from './config.js';
import { parseConfig } from './parse-config.js';

/** The settings of this process. @throws ConfigError with every mistake. */
export function loadConfig(): Config {
  return parseConfig(process.env, {
    readFile: (path) => readFileSync(path, 'utf8'),
    terminal: process.stdout.isTTY,
  });
}
