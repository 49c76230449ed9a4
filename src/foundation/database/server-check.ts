import type { DataSource } from 'typeorm';
import { DomainError } from '../error/domain-error.js';
import { TAKES_NO_CHANGES } from './write-check.js';

interface Facts {
  readonly encoding: string;
  readonly readsOnly: boolean;
}

/**
 * Checks what would otherwise fail a start later, half done and without a word to the operator.
 * @throws DomainError FailedPrecondition `database.encoding` if not every text can be stored and compared; Unavailable
 * `database.reads_only` while the server takes no changes
 */
export async function checkServer(
  source: DataSource,
  { mayOnlyRead }: { readonly mayOnlyRead: boolean },
): Promise<void> {
  const [facts] = await source.query<Facts[]>(
    `SELECT current_setting('server_encoding') AS encoding, ${TAKES_NO_CHANGES} AS "readsOnly"`,
  );
  // Names are compared in a normal form of Unicode, which PostgreSQL makes in UTF8 alone.
  if (facts && facts.encoding !== 'UTF8') {
    throw new DomainError(
      'FailedPrecondition',
      'database.encoding',
      `The database has the encoding ${facts.encoding}, and must have UTF8. Create one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (facts?.readsOnly && !mayOnlyRead) {
    throw new DomainError(
      'Unavailable',
      'database.reads_only',
      'The database takes no changes: it is a standby, or default_transaction_read_only is on. DATABASE_URL must lead to the primary.',
    );
  }
}
