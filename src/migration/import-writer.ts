import { Injectable } from '@nestjs/common';
import { shareLock, takeLock, takeLockOn } from '../foundation/database/advisory-lock.js';
import { ChangeChannel, type ChangeTopic, EVERYTHING } from '../foundation/database/change-channel.js';
import { type SqlState, sqlState } from '../foundation/database/database-failure.js';
import { Statistics } from '../foundation/database/statistics.js';
import { Journal } from '../foundation/event/journal.js';
import { Logger } from '../foundation/log/logger.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { scopeLockOf } from '../org/name-scope.js';
import { PasswordMixes } from '../user/password-mixes.js';
import { Faults, MAX_FAULTS } from './document/faults.js';
import { documentInvalid, importConflicts, importDisturbed } from './document/migration.errors.js';
import type { ImportSettings } from './import-settings.js';
import type { Progress } from './job/progress.js';
import { MigrationSeals } from './migration-seals.js';
import type { BulkConnection } from './part/bulk-connection.js';
import { alignSealed } from './part/sealed-columns.js';
import { type Batch, batchesSql, type Judgement, type Stage, staging, verdictSql, writeSql } from './part/stage.js';

/** Concurrent changes: judged again, the document may fit, or its conflicts are reported. */
const DISTURBED = new Set(['23505', '23503', '40001', '40P01']);
const MAX_ATTEMPTS = 3;
/** Everything that processes cache of what an import writes. */
const TOPICS: readonly ChangeTopic[] = [
  'org',
  'org-domain',
  'client',
  'project',
  'service-user',
  'policy',
  'login-text',
  'idp',
];

/** A client that had the id before was removed; its refresh tokens must stay invalid. */
const END_EARLIER = `UPDATE token_family f
  SET revoked_at = clock_timestamp()
  FROM ${staging('client')} s
  WHERE s._verdict IS NULL AND f.client_id = s.client_id AND f.revoked_at IS NULL`;

const INDEXES = `SELECT t.name, count(*)::int AS indexes
  FROM unnest(:tables::text[]) AS t(name)
  JOIN pg_index i ON i.indrelid = t.name::regclass
  GROUP BY t.name`;

/** An import that was read and is to be written. */
export interface StagedImport {
  readonly editorId: string;
  readonly settings: ImportSettings;
  /** The tables of which the document has rows, referenced ones first: about the others there is nothing to decide. */
  readonly stages: readonly Stage[];
}

/** The number of new rows of each kind. */
type Counts = Readonly<Record<string, number>>;

/** Checks the staged rows and writes them. */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly seals: MigrationSeals,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly statistics: Statistics,
    private readonly mixes: PasswordMixes,
    private readonly log: Logger,
  ) {}

  /**
   * Writes everything in one transaction, and retries after concurrent changes. `last` runs at its end, with the number
   * of new rows of each kind. A dry run leaves the transaction open so that the answer can be read; the end of the
   * connection rolls it back.
   */
  async write(
    connection: BulkConnection,
    { editorId, settings, stages }: StagedImport,
    progress: Progress,
    last: (counts: Counts) => Promise<void>,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await connection.begin();
      try {
        progress.enter('checking');
        await this.judge(connection, stages, settings.skip);
        const { counts, byTable } = await this.insert(connection, stages, progress);
        await this.recordEvents(connection, editorId, counts);
        await last(counts);
        if (!settings.dryRun) {
          await connection.commit();
          this.statistics.renew(byTable);
          if ((byTable.get('user_account') ?? 0) > 0) this.mixes.countSoon();
        }
        this.log.info({ userId: editorId, counts, dryRun: settings.dryRun }, 'imported a document');
        return;
      } catch (error) {
        await connection.rollback();
        const state = sqlState(error);
        const isDisturbed = DISTURBED.has(state.code ?? '');
        if (isDisturbed && attempt < MAX_ATTEMPTS) continue;
        throw brokenRule(state, stages) ?? (isDisturbed ? importDisturbed(error) : error);
      }
    }
  }

  /** Judges the staged rows, one import at a time: two imports of one document must not conflict with each other. */
  private async judge(connection: BulkConnection, stages: readonly Stage[], skip: boolean): Promise<void> {
    await takeLockOn(connection.tx, 'import');
    await takeLock(connection.tx, 'domainNames');
    await shareLock(connection.tx, 'nameScope');
    // While an organization that exists gets a policy, no user may be added to it; a new one has no users yet.
    const changed = await connection.query<{ id: string }>(
      `SELECT DISTINCT o.id
       FROM ${staging('domain_policy')} p
       JOIN org o ON o.id = p.owner_id
       WHERE NOT EXISTS (SELECT 1 FROM domain_policy d WHERE d.owner_id = o.id)
       ORDER BY 1`,
    );
    for (const { id } of changed) await takeLockOn(connection.tx, scopeLockOf(id));
    for (const stage of stages) for (const statement of stage.prepare ?? []) await connection.query(statement);
    for (const stage of stages) {
      for (const statement of stage.resolve?.(skip) ?? []) await connection.query(statement);
      await alignSealed(connection.tx, stage, (mine, theirs, place) => this.seals.isEqual(mine, theirs, place));
      for (const statement of verdictSql(stage, skip)) await connection.query(statement);
    }
    if (skip) return;
    for (const [verdict, refusal] of [
      ['invalid', documentInvalid],
      ['conflict', importConflicts],
    ] as const) {
      const faults = await faultsOf(connection, stages, verdict);
      if (faults.total > 0) throw refusal(faults);
    }
  }

  private async insert(
    connection: BulkConnection,
    stages: readonly Stage[],
    progress: Progress,
  ): Promise<{ counts: Counts; byTable: ReadonlyMap<string, number> }> {
    const batches = new Map<Stage, Batch[]>();
    for (const stage of stages) batches.set(stage, await connection.query<Batch>(batchesSql(stage)));
    const byTable = new Map<string, number>();
    for (const [{ table }, found] of batches) byTable.set(table, (byTable.get(table) ?? 0) + sum(found.map(rowsOf)));
    const costs = await costsOf(connection, stages);
    progress.enter(
      'writing',
      sum([...byTable.values()]),
      sum([...byTable].map(([table, rows]) => rows * costs(table))),
    );
    for (const [{ besides }, found] of batches) if (besides) byTable.set(besides.table, sum(found.map(rowsOf)));
    const counts: Record<string, number> = {};
    for (const [stage, found] of batches) {
      let written = '0';
      for (const { last, counts: ofTypes } of found) {
        await connection.query(writeSql(stage), { after: written, last });
        written = last;
        for (const [type, count] of Object.entries(ofTypes)) {
          counts[type] = (counts[type] ?? 0) + count;
          progress.count(type, count, count * costs(stage.table));
        }
      }
    }
    if (counts['oidc_app'] !== undefined) await connection.query(END_EARLIER);
    return { counts, byTable };
  }

  private async recordEvents(connection: BulkConnection, editorId: string, counts: Counts): Promise<void> {
    if (Object.keys(counts).length === 0) return;
    const { id } = await this.instances.get();
    const orgs = await connection.query<{ org: string }>(
      `SELECT DISTINCT id AS org FROM ${staging('org')} ORDER BY 1 LIMIT 100`,
    );
    const payload = { counts, orgIds: orgs.map(({ org }) => org) };
    await this.journal.append(connection.tx, {
      aggregateType: 'instance',
      aggregateId: id,
      type: 'iam.data.imported',
      orgId: id,
      editorId,
      payload,
    });
    for (const topic of TOPICS) await this.changes.announce(connection.tx, topic, EVERYTHING);
  }
}

/** A rule of an extension's table that only the database can judge, such as one over an expression. */
function brokenRule({ code, schema, table, constraint }: SqlState, stages: readonly Stage[]): Error | undefined {
  const isOwn = stages.some((stage) => stage.table === `"${schema}"."${table}"`);
  if (!isOwn || code?.startsWith('23') !== true) return undefined;
  const faults = new Faults();
  const rule = constraint === undefined ? 'a rule' : `the rule ${constraint}`;
  faults.add(`extensions.${schema!.replace(/^ext_/, '')}.${table}`, `has a row that breaks ${rule} of the table`);
  return documentInvalid(faults);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const rowsOf = ({ counts }: Batch): number => sum(Object.values(counts));

/** Relative cost of a row of each table, by its number of indexes. */
async function costsOf(connection: BulkConnection, stages: readonly Stage[]): Promise<(table: string) => number> {
  const found = await connection.query<{ name: string; indexes: number }>(INDEXES, {
    tables: [...new Set(stages.map(({ table }) => table))],
  });
  const indexes = new Map(found.map(({ name, indexes: count }) => [name, count]));
  return (table) => 1 + (indexes.get(table) ?? 0);
}

async function faultsOf(connection: BulkConnection, stages: readonly Stage[], verdict: Judgement): Promise<Faults> {
  const faults = new Faults();
  const found: Array<{ path: string; reason: string; n: string }> = [];
  let total = 0;
  for (const stage of stages) {
    const [{ count } = { count: 0 }] = await connection.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${staging(stage)} WHERE _verdict = :verdict`,
      { verdict },
    );
    if (count === 0) continue;
    total += count;
    found.push(
      ...(await connection.query<{ path: string; reason: string; n: string }>(
        `SELECT _path AS path, _reason AS reason, _position AS n
         FROM ${staging(stage)}
         WHERE _verdict = :verdict
         ORDER BY _position
         LIMIT ${MAX_FAULTS}`,
        { verdict },
      )),
    );
  }
  found.sort((one, other) => Number(one.n) - Number(other.n));
  // An entry may become several rows, such as a user and a second factor, but is one fault.
  const byEntry = new Map(found.map((fault) => [fault.path, fault] as const).reverse());
  const entries = [...byEntry.values()].sort((one, other) => Number(one.n) - Number(other.n));
  for (const { path, reason } of entries) faults.add(path, reason);
  faults.total = total - (found.length - entries.length);
  return faults;
}
