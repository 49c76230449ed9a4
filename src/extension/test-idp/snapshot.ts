import type { ChangeChannel, ChangeTopic } from '../../foundation/database/change-channel.js';
import { EVERYTHING } from '../../foundation/database/change-channel.js';
import type { Database } from '../../foundation/database/database.js';

/** A schema beside that of the product, in a database that is made for one run. */
const SCHEMA = 'test_idp';
/** What says how the tables are. */
const NOT_KEPT = ['schema_change'];
/** Rows that were removed take room until somebody tidies up. */
const TIDY_EVERY = 100;
const DEADLOCK = '40P01';
const MOST_TRIES = 5;

/** What is cached of the rows. */
const CACHED: Readonly<
  Record<Exclude<ChangeTopic, 'outbox' | 'logout-notice' | 'webhook-delivery' | 'migration-job' | 'probe'>, true>
> = {
  instance: true,
  org: true,
  client: true,
  project: true,
  'service-user': true,
  key: true,
  policy: true,
  'org-domain': true,
  'login-text': true,
  idp: true,
  'mail-server': true,
  webhook: true,
  'password-mix': true,
};

interface Table {
  readonly name: string;
  /** The tables that it refers to. */
  readonly parents: readonly string[];
  /** Whether it had no row ever. */
  readonly isEmpty: boolean;
}

/** All rows as they are at a moment, to which the database can return. */
export class Snapshot {
  private returns = 0;

  private constructor(
    private readonly database: Database,
    private readonly changes: ChangeChannel,
  ) {}

  static async take(database: Database, changes: ChangeChannel): Promise<Snapshot> {
    const tables = inOrder(
      await database.source.query<Table[]>(
        `SELECT
           c.relname AS name,
           ARRAY(
             SELECT p.relname::text FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
             WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
           ) AS parents,
           pg_relation_size(c.oid) = 0 AS "isEmpty"
         FROM pg_class c
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL($1)
         ORDER BY c.relname`,
        [NOT_KEPT],
      ),
    );
    const full = tables.filter(({ isEmpty }) => !isEmpty);
    const copies = full.map(({ name }) => `CREATE TABLE ${SCHEMA}.${name} AS TABLE public.${name};`);
    const removed = tables.toReversed().map(({ name }) => `DELETE FROM public.${name};`);
    const inserted = full.map(
      ({ name }) => `INSERT INTO public.${name} OVERRIDING SYSTEM VALUE SELECT * FROM ${SCHEMA}.${name};`,
    );
    // At once, since each by itself would take a while. The function keeps its plans. A token of before the return
    // names a lower epoch of its user.
    await database.source.query(
      `CREATE SCHEMA ${SCHEMA};
       ${copies.join('\n')}
       CREATE FUNCTION ${SCHEMA}.return(returns int) RETURNS void LANGUAGE plpgsql AS $$
       BEGIN
         ${[...removed, ...inserted].join('\n')}
         UPDATE public.user_account SET token_epoch = token_epoch + returns;
       END
       $$`,
    );
    return new Snapshot(database, changes);
  }

  /** Only while nobody else changes anything. */
  async restore(): Promise<void> {
    this.returns += 1;
    await this.returnRows();
    await this.database.transaction(async (tx) => {
      // Nobody else has this database.
      for (const topic of Object.keys(CACHED) as (keyof typeof CACHED)[])
        this.changes.announceHere(tx, topic, EVERYTHING);
    });
    if (this.returns % TIDY_EVERY === 0) await this.database.source.query('VACUUM');
  }

  private async returnRows(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.database.source.query(`SELECT ${SCHEMA}.return(${this.returns})`);
        return;
      } catch (error) {
        // What runs in the background may hold a row that this waits for, and wait for one of this.
        if ((error as { code?: string }).code !== DEADLOCK || tries === MOST_TRIES) throw error;
      }
    }
  }
}

/** Each after those that it refers to. */
function inOrder(tables: readonly Table[]): readonly Table[] {
  const ordered: Table[] = [];
  const names = new Set(tables.map(({ name }) => name));
  let left = tables;
  while (left.length > 0) {
    const done = new Set(ordered.map(({ name }) => name));
    const next = left.filter(({ parents }) => parents.every((parent) => done.has(parent) || !names.has(parent)));
    if (next.length === 0) throw new Error(`Tables refer to each other: ${left.map(({ name }) => name).join(', ')}`);
    ordered.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}
