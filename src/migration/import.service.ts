import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../config/config.js';
import { takeLock, takeLockOn, shareLock } from '../database/advisory-lock.js';
import { ChangeChannel, EVERYTHING, type ChangeTopic } from '../database/change-channel.js';
import { sqlState, toFailure } from '../database/database-failure.js';
import { Database } from '../database/database.js';
import { invalidFields, type FieldViolation } from '../error/domain-error.js';
import { Journal } from '../event/journal.js';
import { InstanceService } from '../instance/instance.service.js';
import { Logger } from '../log/logger.js';
import { Clock } from '../time/clock.js';
import { DocumentReader, Utf8Check } from './document/document-reader.js';
import { Faults } from './document/faults.js';
import { DocumentStager } from './document-stager.js';
import { DEFAULT_TIMEOUT_MS, parseTimeout, TIMEOUT_RULE } from './duration.js';
import { STAGES } from './export-parts.js';
import { COUNTS, writeAnswer } from './import-answer.js';
import { documentInvalid, importConflicts, importDisturbed, sourceAmbiguous, storeMissing } from './migration.errors.js';
import { MigrationSeals } from './seals.service.js';
import { BulkSession } from './session.js';
import { alignSealed, createSql, dropSql, indexSql, staging, verdictSql, writeSql, type Verdict } from './stage.js';

/** What others did meanwhile: judged again, the document may fit, or its conflicts are told. */
const DISTURBED = new Set(['23505', '23503', '40001', '40P01']);
const MAX_ATTEMPTS = 3;
const LISTED = 1_000;
/** Everything that processes remember of what an import writes. */
const TOPICS: readonly ChangeTopic[] = ['org', 'client', 'project', 'service-user', 'policy', 'idp'];
const STORES = /^(dataOrgs|data_orgs)(v1|V1)?_?(Objstore|objstore|Local|local|S3|s3|Gcs|gcs)$/;

interface Settings {
  readonly timeoutMs: number;
  readonly skip: boolean;
  readonly dryRun: boolean;
}

/** Brings the organizations of a document here: all of it, or nothing. */
@Injectable()
export class ImportService {
  constructor(
    private readonly database: Database,
    private readonly seals: MigrationSeals,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /**
   * Reads a request that embeds a document, and answers once everything is written: the text of the answer, piece by piece.
   * Whoever takes it must take it to its end or give it up (`return`), which ends the connection's work.
   * @throws DomainError InvalidArgument with every fault of the document; AlreadyExists with every conflict; DeadlineExceeded; Aborted
   */
  async *import(editorId: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
    const startedAt = this.clock.elapsedMs();
    const session = await BulkSession.open(this.database, this.clock, DEFAULT_TIMEOUT_MS);
    try {
      for (const stage of STAGES) {
        await session.query(dropSql(stage));
        await session.query(createSql(stage));
      }
      const settings = await this.read(session, source, startedAt);
      await this.write(session, editorId, settings);
      // What was only tried is told before it is undone.
      if (!settings.dryRun) await session.begin('READ ONLY');
      yield* writeAnswer(session);
    } catch (error) {
      throw toFailure(error);
    } finally {
      await session.close(STAGES.map(dropSql));
    }
  }

  private async read(session: BulkSession, source: AsyncIterable<Uint8Array>, startedAt: number): Promise<Settings> {
    const stager = new DocumentStager(this.seals, this.issuer.publicUrl, this.clock.now());
    const reader = new DocumentReader(stager, 'request');
    const text = new Utf8Check();
    for await (const chunk of source) {
      text.look(chunk);
      reader.write(chunk);
      await stager.flush(session, false);
      session.checkTime();
    }
    reader.end();
    const settings = readSettings(stager.settings);
    if (reader.count !== 1) throw sourceAmbiguous();
    session.allow(settings.timeoutMs, startedAt);
    if (stager.faults.total > 0) throw documentInvalid(stager.faults);
    await stager.flush(session, true);
    await session.limit();
    for (const stage of STAGES) for (const statement of indexSql(stage)) await session.query(statement);
    return settings;
  }

  /** Judges what is staged and writes it, in one transaction; again when somebody else changed something meanwhile. */
  private async write(session: BulkSession, editorId: string, settings: Settings): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await session.begin();
      try {
        await this.judge(session, settings.skip);
        for (const stage of STAGES) await session.query(writeSql(stage));
        await this.tell(session, editorId);
        if (!settings.dryRun) await session.commit();
        return;
      } catch (error) {
        await session.rollback();
        if (!DISTURBED.has(sqlState(error).code ?? '')) throw error;
        if (attempt === MAX_ATTEMPTS) throw importDisturbed(error);
      }
    }
  }

  /** One import at a time: two of one document are not each other's conflict. */
  private async judge(session: BulkSession, skip: boolean): Promise<void> {
    await takeLockOn(session.tx, 'import');
    const [{ found: hasDomainPolicy } = { found: false }] = await session.query<{ found: boolean }>(`SELECT EXISTS (SELECT 1 FROM ${staging('domain_policy')}) AS found`);
    await (hasDomainPolicy ? takeLock(session.tx, 'nameScope') : shareLock(session.tx, 'nameScope'));
    for (const stage of STAGES) for (const statement of stage.prepare ?? []) await session.query(statement);
    for (const stage of STAGES) {
      await alignSealed(session.tx, stage, (mine, theirs, place) => this.seals.isEqual(mine, theirs, place));
      for (const statement of verdictSql(stage, skip)) await session.query(statement);
    }
    if (skip) return;
    for (const [verdict, refusal] of [['invalid', documentInvalid], ['conflict', importConflicts]] as const) {
      const faults = await faultsOf(session, verdict);
      if (faults.total > 0) throw refusal(faults);
    }
  }

  private async tell(session: BulkSession, editorId: string): Promise<void> {
    const counted = await session.query<{ type: string; count: number }>(COUNTS);
    const counts = Object.fromEntries(counted.map(({ type, count }) => [type, count]));
    if (counted.length === 0) return;
    const { id } = await this.instances.get();
    const orgs = await session.query<{ org: string }>(`SELECT DISTINCT id AS org FROM ${staging('org')} ORDER BY 1 LIMIT 100`);
    const payload = { counts, orgIds: orgs.map(({ org }) => org) };
    await this.journal.append(session.tx, { aggregateType: 'instance', aggregateId: id, type: 'iam.data.imported', orgId: id, editorId, payload });
    for (const topic of TOPICS) await this.changes.announce(session.tx, topic, EVERYTHING);
    this.log.info({ userId: editorId, counts }, 'imported a document');
  }
}

async function faultsOf(session: BulkSession, verdict: Verdict): Promise<Faults> {
  const faults = new Faults();
  const found: Array<{ path: string; reason: string; n: string }> = [];
  let total = 0;
  for (const { table } of STAGES) {
    const [{ count } = { count: 0 }] = await session.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${staging(table)} WHERE _verdict = $1`, [verdict]);
    if (count === 0) continue;
    total += count;
    found.push(...(await session.query<{ path: string; reason: string; n: string }>(
      `SELECT _path AS path, _reason AS reason, _n AS n FROM ${staging(table)} WHERE _verdict = $1 ORDER BY _n LIMIT ${LISTED}`, [verdict])));
  }
  found.sort((one, other) => Number(one.n) - Number(other.n));
  // An entry may become several rows, such as a person and a second factor: it is one fault.
  const byEntry = new Map(found.map((fault) => [fault.path, fault] as const).reverse());
  const entries = [...byEntry.values()].sort((one, other) => Number(one.n) - Number(other.n));
  for (const { path, reason } of entries.slice(0, LISTED)) faults.add(path, reason);
  faults.total = total - (found.length - entries.length);
  return faults;
}

function readSettings(sent: Readonly<Record<string, unknown>>): Settings {
  const value = (camel: string, snake: string): unknown => sent[camel] ?? sent[snake] ?? undefined;
  const violations: FieldViolation[] = [];
  const timeout = value('timeout', 'timeout') ?? '';
  const timeoutMs = typeof timeout === 'string' ? parseTimeout(timeout) : undefined;
  if (timeoutMs === undefined) violations.push({ field: 'timeout', description: TIMEOUT_RULE });
  const onConflict = value('onConflict', 'on_conflict') ?? '';
  if (onConflict !== '' && onConflict !== 'skip') violations.push({ field: 'onConflict', description: 'must be "skip", or absent' });
  const dryRun = value('dryRun', 'dry_run') ?? false;
  if (typeof dryRun !== 'boolean') violations.push({ field: 'dryRun', description: 'must be true or false' });
  const mails = value('sendInitMails', 'send_init_mails') ?? false;
  if (mails !== false) violations.push({ field: 'sendInitMails', description: 'is not offered yet: send it as false, or leave it out' });
  for (const [name, data] of Object.entries(sent)) {
    if (data !== null && /^data_?orgs(v1)?$/i.test(name)) violations.push({ field: name, description: 'must be a document: an object, or a string of JSON' });
    else if (data !== null && STORES.test(name)) throw storeMissing();
  }
  if (violations.length > 0) throw invalidFields(violations);
  return { timeoutMs: timeoutMs!, skip: onConflict === 'skip', dryRun: dryRun === true };
}
