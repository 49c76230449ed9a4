import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import type { PostgresUrl } from '../config/config.js';
import { isPostgresUrl } from '../config/postgres-url.js';

/** Where a server is, and who connects to it. */
export interface ServerAddress extends Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'connectionString'> {
  /** Looks whether the address has changed, after a connection has failed. */
  readonly lookAgain?: () => void;
}

/**
 * The URL that a setting gives. One in a file is read again when no connection can be made with it, as when the server
 * refuses the login: whoever changes the password exchanges the file before or afterwards, and need not start the
 * service anew.
 */
export function addressOf({ url, file }: PostgresUrl): ServerAddress {
  if (file === undefined) return { connectionString: url.reveal() };
  const address = {
    connectionString: url.reveal(),
    lookAgain: () => {
      address.connectionString = readUrl(file) ?? address.connectionString;
    },
  };
  return address;
}

/** Undefined while there is none: a file may be exchanged at this very moment. */
function readUrl(file: string): string | undefined {
  try {
    const url = readFileSync(file, 'utf8').trim();
    return isPostgresUrl(url) ? url : undefined;
  } catch {
    return undefined;
  }
}
