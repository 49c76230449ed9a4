import { readFileSync } from 'node:fs';
import type { Secret } from '../crypto/secret.js';
import { ConfigError, EnvironmentReader, type Environment } from './environment.js';

/** What the command line takes from the environment when its arguments do not say it. */
export interface CallerSettings {
  /** GATEHOUSE_URL: where the service is. */
  readonly url: string | undefined;
  /** GATEHOUSE_TOKEN or GATEHOUSE_TOKEN_FILE: a personal access token. Arguments of commands are seen by everybody on the machine. */
  readonly token: Secret | undefined;
}

/** @throws ConfigError with every mistake */
export function parseCaller(environment: Environment, readFile: (path: string) => string): CallerSettings {
  const env = new EnvironmentReader(environment, readFile);
  const settings = { url: env.text('GATEHOUSE_URL'), token: env.secret('GATEHOUSE_TOKEN') };
  if (env.mistakes.length > 0) throw new ConfigError(env.mistakes);
  return settings;
}

/** The settings of this process. @throws ConfigError with every mistake */
export function loadCaller(): CallerSettings {
  return parseCaller(process.env, (path) => readFileSync(path, 'utf8'));
}
