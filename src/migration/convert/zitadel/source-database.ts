import { Client } from 'pg';
import { unprepared } from '../../../foundation/database/statement.js';
import type { Stored } from '../../part/part.js';
import type { Values } from '../../part/unprepared-query.js';
import { Layout } from './layout.js';

/** Few enough to fit into memory with the events of each, and many enough that round trips do not count. */
const FETCH_ROWS = 500;
const CONNECT_MS = 30_000;
const DENIED = '42501';

/** Whoever reads the document slowly must not end the transaction. */
const BEGIN = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
].join('; ');

/** The database that is converted, as it was at one moment. Nothing is written to it. */
export class SourceDatabase {
  private cursors = 0;

  private constructor(
    private readonly client: Client,
    readonly layout: Layout,
  ) {}

  /** @throws Error, without the address, if it cannot be reached or has no tables to read */
  static async open(url: string): Promise<SourceDatabase> {
    const client = connectionTo(url);
    try {
      await client.connect();
      await client.query(BEGIN);
      const { rows } = await client.query<Record<'table_schema' | 'table_name' | 'column_name', string>>(
        `SELECT table_schema, table_name, column_name
         FROM information_schema.columns
         WHERE table_schema IN ('projections', 'eventstore', 'system')`,
      );
      return new SourceDatabase(client, new Layout(rows));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw toMessage(error);
    }
  }

  /** All rows of a query that has few. */
  async all(sql: string, values: Values = {}): Promise<readonly Stored[]> {
    const statement = unprepared<Values>(sql);
    try {
      return (await this.client.query<Record<string, unknown>>(statement.text, statement.bind(values))).rows;
    } catch (error) {
      throw toMessage(error);
    }
  }

  /** The rows of a query in batches. */
  async *batches(sql: string, values: Values, atOnce = FETCH_ROWS): AsyncGenerator<readonly Stored[]> {
    this.cursors += 1;
    const cursor = `converted_${this.cursors}`;
    await this.all(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, values);
    for (;;) {
      const rows = await this.all(`FETCH ${atOnce} FROM ${cursor}`);
      if (rows.length > 0) yield rows;
      if (rows.length < atOnce) break;
    }
    await this.all(`CLOSE ${cursor}`);
  }

  async *rows(sql: string, values: Values, atOnce = FETCH_ROWS): AsyncGenerator<Stored> {
    for await (const rows of this.batches(sql, values, atOnce)) yield* rows;
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

function connectionTo(url: string): Client {
  try {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    // A lost connection fails the statement that is under way; without a listener it would end the process.
    client.on('error', () => undefined);
    return client;
  } catch {
    // Neither the error nor the message may contain the address, which may contain a password.
    throw new Error('The address of the database is not valid: give postgres://USER@HOST:PORT/DATABASE.');
  }
}

/** The messages of the server and of the connection name hosts, users and tables, and never passwords. */
function toMessage(error: unknown): Error {
  if (!(error instanceof Error) || error instanceof TypeError) return error as Error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined && !/connection|timeout/i.test(error.message)) return error;
  const hint = code === DENIED ? ' The role needs USAGE on the schemas and SELECT on their tables.' : '';
  return new Error(`The database cannot be read: ${error.message || code}.${hint}`);
}
