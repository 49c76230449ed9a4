import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { declaredStatements } from '../../src/foundation/database/statement.js';
import { workerDatabase } from '../support/database.js';
import '../../src/app.module.js'; // imports every module, and with them every statement of the service
import '../../src/cli/doctor/connection-findings.js'; // those of commands, which other tests may have imported before
import '../../src/cli/doctor/database-findings.js';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
}

/** One row each, so that reading all of it is reading one. */
const SMALL = new Set(['instance']);
/** What housekeeping and key rotation ask once a minute, of tables that hold a client for each application. */
const RARE = new Set(['key.longest_lifetime', 'session.longest_lifetimes']);

/**
 * Of a table without statistics these read a whole index, the partial one of the rows in the same state; PostgreSQL
 * analyzes a table that grows within a minute, and plans anew. They run in the background, for metrics and the page of
 * administrators, in a command, or when a user sets up a factor or signs out.
 */
const IN_A_SMALL_STATE =
  /^(?:outbox\.withdraw|password_mix\.count|mailbox\.prune|session\.end|figures\.active_key|doctor\.active_key|overview\.(?:certified_clients|concerns|dead_mails)|key\.has_strict_client|purge\..*|factor\.(?:confirm_totp|confirm_recovery|pending_recovery|drop_pending))$/;

/**
 * Those that are about all users of an organization or of the instance, or that run when an organization is removed
 * with all its users.
 */
const ABOUT_ALL_USERS =
  /^(?:name_scope\.(?:page_of_org|namesakes_of_\w+)|session\.end_of_org|logout_notice\.add_of_org|member\.of_users_of_org|org\.instance_owners|org_domain\.addressee|org_removal\..*|affected\.\w+)$/;

const BY_INDEX = new Set(['Index Scan', 'Index Only Scan', 'Bitmap Index Scan']);

function scansIn(plan: Plan): string[] {
  const own =
    plan['Node Type'] === 'Seq Scan' && !SMALL.has(plan['Relation Name'] ?? '') ? [plan['Relation Name'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansIn)];
}

/** The indexes of which a plan reads every entry, because it looks for no value in them. */
function wholeIndexesIn(plan: Plan, above = ''): string[] {
  const { 'Node Type': type, 'Relation Name': table = above, 'Index Name': index = '', 'Index Cond': looksFor } = plan;
  const own = BY_INDEX.has(type) && looksFor === undefined && !SMALL.has(table) ? [index] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((below) => wholeIndexesIn(below, table))];
}

/**
 * The indexes of which a plan may read many entries to find the one row whose id it knows: those that are not unique. A
 * user has few factors.
 */
function detoursIn(plan: Plan): string[] {
  const { 'Index Name': index = '', 'Relation Name': table, Filter: filter = '' } = plan;
  const isDetour = index.endsWith('_idx') && table !== 'auth_factor' && /\bid = /.test(filter);
  return [...(isDetour ? [`${index}, then ${filter}`] : []), ...(plan.Plans ?? []).flatMap(detoursIn)];
}

function indexesIn(plan: Plan): string[] {
  const own = plan['Index Name'] === undefined ? [] : [plan['Index Name']];
  return [...own, ...(plan.Plans ?? []).flatMap(indexesIn)];
}

describe('Prepared statements', () => {
  let client: Client;
  let database: Awaited<ReturnType<typeof workerDatabase>>;

  beforeAll(async () => {
    database = await workerDatabase({ isNew: true });
    client = new Client(database.connection);
    await client.connect();
    // On empty tables a scan is the cheapest plan; forbidden, it is left only where no index helps.
    await client.query('SET enable_seqscan = off');
  });

  afterAll(async () => {
    await client.end();
    await database.release();
  });

  // Tests that ran in this process before have declared statements of their own.
  const declared = declaredStatements().filter(
    ({ name, text }) => !name.startsWith('test.') && /^\s*(SELECT|WITH|UPDATE|DELETE|INSERT)/i.test(text),
  );
  const statements = declared.filter(({ name }) => !RARE.has(name));

  async function planOf(text: string): Promise<Plan> {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
    );
    return rows[0]!['QUERY PLAN'][0].Plan;
  }

  it.each(statements.filter(({ name }) => !ABOUT_ALL_USERS.test(name)).map((each) => [each.name, each.text] as const))(
    '%s looks for users by no index of lists, which would read all users of an organization while there are no statistics',
    async (_, text) =>
      expect(indexesIn(await planOf(text)).filter((index) => index.startsWith('user_account_list_'))).toEqual([]),
  );

  it('are known to this test', () => {
    expect(statements.length).toBeGreaterThan(40);
  });

  it('can be prepared: their tables, columns and types exist', async () => {
    const faults: string[] = [];
    for (const { name, text } of declared) {
      await client.query(`PREPARE declared AS ${text}`).then(
        () => client.query('DEALLOCATE declared'),
        (error: Error) => faults.push(`${name}: ${error.message}`),
      );
    }
    expect(faults).toEqual([]);
  });

  it.each(statements.map((each) => [each.name, each.text] as const))('%s finds its rows by an index', async (_, text) =>
    expect(scansIn(await planOf(text))).toEqual([]),
  );

  it.each(statements.map((each) => [each.name, each.text] as const))(
    '%s finds a row whose id it knows by that id, also while its tables have no statistics',
    async (_, text) => expect(detoursIn(await planOf(text))).toEqual([]),
  );

  it.each(statements.filter(({ name }) => !IN_A_SMALL_STATE.test(name)).map((each) => [each.name, each.text] as const))(
    '%s reads no index as a whole, also while its tables have no statistics',
    async (_, text) => expect(wholeIndexesIn(await planOf(text))).toEqual([]),
  );
});
