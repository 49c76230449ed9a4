import { readFileSync } from 'node:fs';
import { ConfigError, type Environment, EnvironmentReader } from './environment.js';
import { EXTENSIONS } from './extension-words.js';
import { decode } from './file-encoding.js';
import type { Secret } from './secret.js';

/** Settings of the command line from the environment, for what its arguments do not say. */
export interface CallerSettings {
  /** GATEHOUSE_URL: where the service is. */
  readonly url: string | undefined;
  /**
   * GATEHOUSE_TOKEN or GATEHOUSE_TOKEN_FILE: a personal access token. Arguments of commands are seen by everybody on
   * the machine.
   */
  readonly token: Secret | undefined;
  /** AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, as every tool for such storages takes them. */
  readonly accessKey:
    | { readonly id: string; readonly secret: Secret; readonly sessionToken: Secret | undefined }
    | undefined;
  /** EXTENSIONS: what `--with` takes, comma-separated. */
  readonly extensions: readonly string[];
  /** The whole environment, for files that name variables. */
  readonly variables: Environment;
}

/** @throws ConfigError with every mistake */
function parseCaller(environment: Environment, readFile: (path: string) => string): CallerSettings {
  const env = new EnvironmentReader(environment, readFile);
  const [id, secret] = [env.text('AWS_ACCESS_KEY_ID'), env.secret('AWS_SECRET_ACCESS_KEY')];
  const accessKey =
    id === undefined || secret === undefined
      ? undefined
      : { id, secret, sessionToken: env.secret('AWS_SESSION_TOKEN') };
  const settings = {
    url: env.text('GATEHOUSE_URL'),
    token: env.secret('GATEHOUSE_TOKEN'),
    accessKey,
    extensions: env.list(EXTENSIONS),
    variables: environment,
  };
  if (env.mistakes.length > 0) throw new ConfigError(env.mistakes);
  return settings;
}

/** The settings of this process. @throws ConfigError with every mistake */
export function loadCaller(): CallerSettings {
  return parseCaller(process.env, (path) => decode(readFileSync(path)));
}
