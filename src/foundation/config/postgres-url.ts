import type { PostgresUrl } from './config.js';
import type { EnvironmentReader } from './environment.js';
import { urlMistake } from './url-credentials.js';

const EXAMPLE = 'postgres://user:password@host:5432/database';

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && urlMistake(text) === undefined;
}

export function readPostgresUrl(env: EnvironmentReader, name: string): PostgresUrl | undefined {
  const url = env.secret(name);
  if (!url) return undefined;
  const text = url.reveal();
  if (!/^postgres(ql)?:\/\//.test(text)) env.mistake(`${name} is not a PostgreSQL URL. Give ${EXAMPLE}.`);
  else {
    const mistake = urlMistake(text);
    if (mistake !== undefined) env.mistake(`${name} ${mistake}`);
  }
  return { url, file: env.fileOf(name) };
}
