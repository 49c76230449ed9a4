import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../foundation/config/environment.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { Extension } from '../../../foundation/extension/extension.js';
import type { TestPerson } from '../builders.js';
import { statementsDuring } from '../statement-counter.js';
import { startWorld, type World } from '../world.js';
import type { AnyExtension } from '../world-options.js';
import {
  asked,
  broken,
  type ContractCase,
  type GivenWorld,
  leftOpenBy,
  require,
  requirement,
  requireSame,
  shown,
  worldOf,
} from './contract.js';

/** @public */
export interface ExtensionContractInput {
  /**
   * Uses the extension for a user in all its ways, so that it asks the database what it asks in production, and stores
   * what it stores.
   */
  readonly use?: (user: TestPerson) => Promise<unknown>;
  /** The version before, which must keep running on the new tables. */
  readonly before?: AnyExtension;
  /** Settings that are wrong, each of them: the start must name all. */
  readonly wrongEnv?: Readonly<Record<string, string>>;
}

const STOP_MS = 5_000;
/** Resources that the running test keeps open, and those that close by themselves. */
const OF_OTHERS = /Immediate|FSReq|TTY|Pipe|GetAddrInfo/;

/**
 * What every extension keeps: it starts, twice on one database and as two processes at once; the version before runs on
 * its tables, and an older or edited history is refused; everything that it stores is in its schema; its foreign keys
 * have an index and cascade; its statements find their rows by an index; a user who is removed leaves no row; what it
 * `moves` of a user is the same after an export and an import elsewhere; wrong settings are reported together; it stops
 * within 5 s and leaves nothing open; the documentation of its operations is served.
 *
 * It cannot prove that a schema change is quick on the tables that you have, nor that data elsewhere is removed with a
 * user.
 * @param given a world with the extension; others like it are started
 * @public
 */
export function extensionContract(
  given: GivenWorld,
  extension: AnyExtension,
  input: ExtensionContractInput = {},
): readonly ContractCase[] {
  const on = (check: (stage: ExtensionStage) => Promise<void>) => async (): Promise<void> => {
    const own =
      extension instanceof Extension ? extension : broken(`${shown(extension.id)} was not made by defineExtension.`);
    await check({ world: worldOf(given), extension: own, schema: `ext_${own.id}`, input });
  };
  return [
    requirement('extension: it starts again on its database, and as two processes at once', on(startsAgain)),
    requirement('extension: the version before keeps running on its tables', on(beforeKeepsRunning)),
    requirement('extension: an older or edited history of its tables is refused', on(history)),
    requirement('extension: what it makes in the database is in its schema', on(extSchema)),
    requirement('extension: its foreign keys cascade, and have an index', on(foreignKeys)),
    requirement('extension: its statements find their rows by an index', on(byIndex)),
    requirement('extension: a user who is removed leaves no row', on(erased)),
    requirement('extension: what moves with an organization is the same at its target', on(moved)),
    requirement('extension: wrong settings are reported together', on(wrongSettings)),
    requirement('extension: it stops within 5 s, and leaves nothing open', on(stops)),
    requirement('extension: the documentation of the service contains its operations', on(documented)),
  ];
}

interface ExtensionStage {
  readonly world: World;
  readonly extension: Extension;
  readonly schema: string;
  readonly input: ExtensionContractInput;
}

async function startsAgain({ world, extension }: ExtensionStage): Promise<void> {
  const replicas = await Promise.all(
    [1, 2].map(() => asked(`The start of ${extension.id}`, () => world.replica(), 60_000)),
  );
  for (const replica of replicas) {
    requireSame(
      (await replica.send({ path: '/health/ready' })).status,
      200,
      `The readiness of a second process with ${extension.id}`,
    );
    await replica.close();
  }
}

async function beforeKeepsRunning({ world, extension, input: { before } }: ExtensionStage): Promise<void> {
  if (!before) return;
  // A process of the version before, and then the first one of the new version: replicas are replaced one by one.
  const { extensions = [] } = world.options;
  const old = await startWorld({
    ...world.options,
    extensions: extensions.map((one) => (one.id === extension.id ? before : one)),
  });
  try {
    const replica = await asked(
      `The start of ${extension.version} on the tables of ${before.version}`,
      () => old.replica(world.options),
      60_000,
    );
    const user = await old.add.user();
    const party = old.party(await old.add.application());
    const signIn = `A sign-in by ${before.version} on the tables of ${extension.version}`;
    const { page } = await asked(signIn, () => party.authorize().then((arrival) => party.enter(arrival, user)), 30_000);
    require((page?.status ?? 200) === 200, `${signIn} ends with ${page?.status}: ${page?.text.slice(0, 200)}`);
    await replica.close();
  } finally {
    await old.close();
  }
}

async function history({ world, extension }: ExtensionStage): Promise<void> {
  const last = extension.schemaChanges.at(-1);
  if (!last) return;
  const refusalOf = async (schemaChanges: Extension['schemaChanges']): Promise<string> => {
    const changed = new Extension({ ...extension, schemaChanges });
    const { extensions = [] } = world.options;
    const replica = world.replica({ extensions: extensions.map((one) => (one.id === extension.id ? changed : one)) });
    return replica.then(
      async (started) => (await started.close(), 'none: it starts'),
      (error: unknown) => (error instanceof DomainError ? error.reason : String(error)),
    );
  };
  const without = extension.schemaChanges.slice(0, -1);
  requireSame(
    await refusalOf(without),
    'extension.database_newer',
    `The refusal of ${extension.id} without ${last.name}`,
  );
  requireSame(
    await refusalOf([...without, { ...last, up: `${last.up} ` }]),
    'extension.schema_edited',
    `The refusal of ${extension.id} with ${last.name} edited`,
  );
}

async function extSchema({ world, extension, schema }: ExtensionStage): Promise<void> {
  const known = ['public', 'information_schema', ...(world.options.extensions ?? []).map(({ id }) => `ext_${id}`)];
  const strange = await world.rows<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> ALL ($1)`,
    [known],
  );
  requireSame(strange, [], `Of schemas besides ${schema}, what ${extension.id} has made`);
  const reaching = await world.rows<{ name: string }>(
    `SELECT tgrelid::regclass || ' ' || tgname AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE NOT tgisinternal AND p.pronamespace = $1::regnamespace AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace <> $1::regnamespace)`,
    [schemaOrPublic(schema, extension)],
  );
  requireSame(reaching, [], `Of triggers on tables of Gatehouse, what ${extension.id} has made`);
}

function schemaOrPublic(schema: string, { schemaChanges }: Extension): string {
  return schemaChanges.length > 0 ? schema : 'public';
}

async function foreignKeys({ world, extension, schema }: ExtensionStage): Promise<void> {
  if (extension.schemaChanges.length === 0) return;
  const faults = await world.rows<{ name: string; cascades: boolean; hasIndex: boolean }>(
    `SELECT * FROM (
       SELECT
         c.conname AS name,
         c.confdeltype = 'c' OR r.relnamespace = c.connamespace AS cascades,
         EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indpred IS NULL
           AND (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey) AS "hasIndex"
       FROM pg_constraint c JOIN pg_class r ON r.oid = c.confrelid
       WHERE c.contype = 'f' AND c.connamespace = $1::regnamespace
     ) AS found WHERE NOT cascades OR NOT "hasIndex"`,
    [schema],
  );
  for (const { name, cascades } of faults)
    broken(
      cascades
        ? `The foreign key ${name} of ${extension.id} has no index: each removal of what it refers to reads the whole table.`
        : `The foreign key ${name} of ${extension.id} does not cascade: what it refers to cannot be removed.`,
    );
}

/** Exports an organization with a user for whom it was used, imports it elsewhere, and exports it there again. */
async function moved({ world, extension, input: { use } }: ExtensionStage): Promise<void> {
  if (!use || extension.moves.length === 0) return;
  const org = await world.add.organization();
  await use(await world.add.user({ org }));
  const there = await startWorld(world.options);
  try {
    const [from, to] = [await world.manager(['IAM_OWNER']), await there.manager(['IAM_OWNER'])];
    const what = { orgIds: [org.id], withPasswords: true, withOtp: true, withKeys: true };
    const first = await from.call<{ orgs: object[] }>('POST', '/admin/v1/export', what);
    const { errors } = await to.call<{ errors: unknown[] }>('POST', '/admin/v1/import', { dataOrgs: first });
    requireSame(errors, [], `Of a document with rows of ${extension.id}, what an import left out`);
    const again = await to.call<{ orgs: object[] }>('POST', '/admin/v1/export', what);
    requireSame(again.orgs, first.orgs, `An export of what was imported with rows of ${extension.id}`);
  } finally {
    await there.close();
  }
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Schema?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

async function byIndex({ world, extension, schema, input: { use } }: ExtensionStage): Promise<void> {
  if (!use) return;
  const user = await world.add.user();
  const texts = await statementsDuring(() => use(user));
  const own = [
    ...new Set(
      texts
        .filter((text) => text.startsWith('ext.') && text.includes(`${schema}.`))
        .map((text) => text.replace(/^ext\.\S+: /, '')),
    ),
  ];
  for (const sql of own.filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text))) {
    const [row] = await world.rows<{ 'QUERY PLAN': ReadonlyArray<{ readonly Plan: Plan }> }>(
      `EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${sql}`,
    );
    const scanned = scansIn(row!['QUERY PLAN'][0]!.Plan).filter((table) => table.startsWith(`${schema}.`));
    require(scanned.length ===
      0, `A statement of ${extension.id} reads all of ${scanned.join(', ')}: it needs an index. ${sql}`);
  }
}

/** The tables that are read as a whole: as they lie, or in the order of an index that finds nothing. */
function scansIn(plan: Plan, isLimited = false): string[] {
  const type = plan['Node Type'];
  const isOrdered = /^Index (?:Only )?Scan$/.test(type) && plan['Index Cond'] === undefined;
  const endsEarly = isLimited && plan.Filter === undefined;
  const isWhole = type === 'Seq Scan' || (isOrdered && !endsEarly);
  const own = isWhole ? [`${plan.Schema ?? ''}.${plan['Relation Name'] ?? ''}`] : [];
  // Sorting or adding up needs all rows before the first one is given on.
  const isLimitedBelow = type === 'Limit' || (isLimited && !/Sort|Aggregate|Hash|Join/.test(type));
  return [...own, ...(plan.Plans ?? []).flatMap((below) => scansIn(below, isLimitedBelow))];
}

async function erased({ world, extension, schema, input: { use } }: ExtensionStage): Promise<void> {
  if (!use) return;
  const user = await world.add.user();
  await use(user);
  const api = await world.manager(['IAM_OWNER']);
  await api.about(user.orgId).call('DELETE', `/management/v1/users/${user.id}`);
  const tables = await world.rows<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = $1`,
    [schema],
  );
  for (const { name } of tables) {
    const left = await world.rows(
      `SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 LIMIT 1`,
      [user.id, user.email],
    );
    require(left.length ===
      0, `A user who is removed leaves a row in ${name} of ${extension.id}. Refer to user_account (id) with ON DELETE CASCADE.`);
  }
}

async function wrongSettings({ world, extension, input: { wrongEnv } }: ExtensionStage): Promise<void> {
  if (!wrongEnv) return;
  const error = await world.replica({ env: { ...world.options.env, ...wrongEnv } }).then(
    async (started) => (await started.close(), undefined),
    (failure: Error) => failure,
  );
  if (error === undefined) return broken(`${extension.id} starts with settings that are wrong.`);
  if (!(error instanceof ConfigError))
    return broken(`With wrong settings, the start of ${extension.id} has no list of mistakes, but: ${String(error)}`);
  const text = error.message;
  for (const [name, value] of Object.entries(wrongEnv)) {
    require(text.includes(name), `The start with wrong settings of ${extension.id} does not name ${name}: ${text}`);
    require(!/SECRET|KEY|PASSWORD|TOKEN/.test(name) ||
      value === '' ||
      !text.includes(value), `The start shows the value of ${name}, which seems to be a secret.`);
  }
}

async function stops({ world, extension }: ExtensionStage): Promise<void> {
  const run = async (): Promise<void> => {
    const replica = await world.replica();
    await replica.send({ path: '/health/ready' });
    const over = new AbortController();
    const isClosed = await Promise.race([
      replica.close().then(() => true),
      sleep(STOP_MS, false, { signal: over.signal }).catch(() => false),
    ]);
    over.abort();
    require(isClosed, `A process with ${extension.id} has not stopped within ${STOP_MS / 1000} s.`);
  };
  const left = await leftOpenBy(run, OF_OTHERS, STOP_MS);
  require(left.length ===
    0, `${STOP_MS / 1000} s after its stop, ${extension.id} keeps the process from ending: ${left.join(', ')}.`);
}

async function documented({ world, extension }: ExtensionStage): Promise<void> {
  const document = (await world.send({ path: '/docs-json' })).json<{ paths: Record<string, unknown> }>();
  const own = Object.keys(document.paths).filter((path) => path.includes(`/ext/${extension.id}/`));
  if (extension.permissions.length > 0)
    require(own.length > 0, `${extension.id} declares permissions, and no operation of it is documented.`);
}
