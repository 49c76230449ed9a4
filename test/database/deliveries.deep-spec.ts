import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { equals } from '../../src/foundation/database/condition.js';
import { listSettings } from '../../src/foundation/database/listing.js';
import { declaredStatements } from '../../src/foundation/database/statement.js';
import { LISTING as NOTICES } from '../../src/session/logout-notices.js';
import { LISTING as DELIVERIES } from '../../src/webhook/webhook-deliveries.js';
import { workerDatabase } from '../support/database.js';
import '../../src/app.module.js'; // imports every module, and with them every statement

interface Plan {
  readonly 'Index Name'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** What a statement did: pages that it read or changed, rows that it read in vain, and the indexes that it used. */
interface Cost {
  readonly pages: number;
  readonly inVain: number;
  readonly indexes: readonly string[];
  readonly rows: number;
}

function partsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(partsOf)];
}

/** How long the longest are kept. */
const MOMENTS = { done: '1 day', dead: '30 days' } as const;
/** A whole batch. */
const BATCH = 1_000;

/** In the order of their keys: random ones take half as long again to insert. */
const TABLES = {
  logout_notice: `INSERT INTO logout_notice
      (session_id, user_id, client_id, client_epoch, state, created_at, due_at, settled_at)
    SELECT 's' || lpad(nextval('test_position')::text, 12, '0'), 'u', 'r' || n % 10, 1, $1, now(), now(), now() - make_interval(hours => $3::int, secs => n)
    FROM generate_series(1, $2::int) n`,
  webhook_delivery: `INSERT INTO webhook_delivery (webhook_id, position, state, created_at, due_at, settled_at)
    SELECT 'r' || n % 10, nextval('test_position'), $1, now(), now(), now() - make_interval(hours => $3::int, secs => n)
    FROM generate_series(1, $2::int) n`,
} as const;

describe.each(['logout_notice', 'webhook_delivery'] as const)('Of a hundred thousand rows in %s', (table) => {
  let client: Client;
  let database: Awaited<ReturnType<typeof workerDatabase>>;

  const purges = declaredStatements().filter(({ name }) => name.startsWith(`purge.${table}.`));
  const textOf = (words: string): string => purges.find(({ text }) => text.includes(words))!.text;

  async function costOf(text: string, values: readonly unknown[], settings = ''): Promise<Cost> {
    await client.query('BEGIN');
    // As the service runs its statements.
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await client.query('SET LOCAL enable_seqscan = off');
    if (settings !== '') await client.query(settings);
    // The first execution also reads the catalogue, if somebody has changed it.
    await client.query('SAVEPOINT unmeasured');
    await client.query(`EXPLAIN (ANALYZE) ${text}`, [...values]);
    await client.query('ROLLBACK TO SAVEPOINT unmeasured');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      [...values],
    );
    await client.query('ROLLBACK');
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
    const parts = partsOf(plan);
    return {
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      inVain: parts.reduce((sum, part) => sum + (part['Rows Removed by Filter'] ?? 0), 0),
      indexes: parts.flatMap((part) => part['Index Name'] ?? []),
      rows: plan['Actual Rows'],
    };
  }

  async function purgeOf(kind: keyof typeof MOMENTS): Promise<Cost> {
    const { rows } = await client.query<{ moment: Date }>(`SELECT now() - interval '${MOMENTS[kind]}' AS moment`);
    return costOf(textOf(kind === 'done' ? "'delivered'" : "'dead'"), [rows[0]!.moment]);
  }

  const add = async (state: string, count: number, hours: number) => client.query(TABLES[table], [state, count, hours]);

  /** Replaces all rows by the first ones: in one transaction, since PostgreSQL then writes no log of them. */
  async function start(state: string, count: number, hours: number): Promise<void> {
    await client.query('BEGIN');
    await client.query(`TRUNCATE ${table}`);
    await add(state, count, hours);
    await client.query('COMMIT');
  }

  beforeAll(async () => {
    database = await workerDatabase();
    client = new Client(database.connection);
    await client.connect();
    // Rows of their own: neither webhooks nor events are needed for the plans.
    await client.query(`SET session_replication_role = replica`);
    await client.query('CREATE TEMP SEQUENCE test_position');
  });

  afterAll(async () => {
    await client.query(`TRUNCATE ${table}`);
    await client.end();
    await database.release();
  });

  const figures: Record<number, { none: number; some: number }> = {};

  it.each([10_000, 100_000])('%i are dead, and a purge of those that are done reads none of them', async (dead) => {
    await start('dead', dead, 48);
    await add('delivered', 20_000, 0);
    await client.query(`ANALYZE ${table}`);
    const none = await purgeOf('done');
    await add('delivered', 3_000, 25);
    await add('withdrawn', 500, 25);
    await client.query(`ANALYZE ${table}`);
    const some = await purgeOf('done');
    expect([none.inVain, some.inVain, some.rows]).toEqual([0, 0, BATCH]);
    for (const { indexes } of [none, some]) expect(indexes).toContain(`${table}_done_idx`);
    figures[dead] = { none: none.pages, some: some.pages };
    expect(none.pages).toBeLessThan(100);
  });

  it('costs no more for ten times as many dead ones', () => {
    const [few, many] = [figures[10_000]!, figures[100_000]!];
    expect(many.none).toBeLessThanOrEqual(few.none + 10);
    // Of a batch: each row, and its entries in the indexes.
    expect(many.some).toBeLessThan(8 * BATCH);
  });

  it('a purge of dead ones reads none that are done', async () => {
    await start('delivered', 100_000, 31 * 24);
    await add('dead', 2_000, 24);
    await client.query(`ANALYZE ${table}`);
    const none = await purgeOf('dead');
    await add('dead', 2_000, 31 * 24);
    await client.query(`ANALYZE ${table}`);
    const some = await purgeOf('dead');
    expect([none.inVain, none.rows, some.inVain, some.rows]).toEqual([0, 0, 0, BATCH]);
    expect(some.indexes).toContain(`${table}_dead_idx`);
    expect(none.pages).toBeLessThan(100);
  });

  it('a list of the dead ones of one receiver reads no others', async () => {
    await start('delivered', 50_000, 0);
    await add('dead', 50, 0);
    await add('delivered', 50_000, 0);
    await client.query(`ANALYZE ${table}`);
    const range = { offset: 0n, limit: 100, ascending: false, sortBy: 'createdAt' } as const;
    const { statement, values } =
      table === 'logout_notice'
        ? NOTICES.pageStatement({ ...range, where: [equals('n.state', 'dead'), equals('n.client_id', 'r1')] })
        : DELIVERIES.pageStatement({ ...range, where: [equals('d.webhook_id', 'r1'), equals('d.state', 'dead')] });
    const cost = await costOf(statement, values, listSettings(5_000));
    expect(cost.inVain).toBe(0);
    expect(cost.pages).toBeLessThan(100);
  });
});
