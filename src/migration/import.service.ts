import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { IssuerConfig, PasskeyConfig } from '../foundation/config/config.js';
import { Database } from '../foundation/database/database.js';
import { HashBudget } from '../foundation/password/hash-budget.js';
import { PasswordHash } from '../foundation/password/password-hash.js';
import { Clock } from '../foundation/time/clock.js';
import { ExtKinds } from '../idp/ext-kinds.js';
import { ExtGrants } from '../project/client/ext-grants.js';
import { RoleBook } from '../user/permission/role-book.js';
import { DocumentReader } from './document/document-reader.js';
import { documentEmpty, documentInvalid, sourceAmbiguous } from './document/migration.errors.js';
import { inPieces } from './document/pieces.js';
import { Utf8Check } from './document/utf8-check.js';
import { DocumentStager } from './document-stager.js';
import { leftOut, writeAnswer } from './import-answer.js';
import { type ImportSettings, readSettings } from './import-settings.js';
import { ImportWriter, type StagedImport } from './import-writer.js';
import { InitMails } from './init-mails.js';
import type { JobOutcome, JobUnderWay } from './job/job-under-way.js';
import type { MigrationJob } from './job/migration-job.entity.js';
import { MigrationJobs } from './job/migration-jobs.js';
import { type Progress, UNWATCHED } from './job/progress.js';
import { MigrationSeals } from './migration-seals.js';
import type { MovedPart } from './moved/moved.part.js';
import { MovedTables } from './moved/moved-tables.js';
import { type BulkConnection, BulkConnections } from './part/bulk-connection.js';
import { ClearSecretHasher } from './part/clear-secret.js';
import { analyzeSql, createSql, dropSql, indexSql, type Stage } from './part/stage.js';
import { STAGES } from './parts.js';
import { ObjectStores } from './storage/object-stores.js';
import { nameOf, type Place } from './storage/place.js';
import { DEFAULT_TIMEOUT_MS, parseTimeout } from './timeout.js';

/** For fewer rows, making the indexes takes longer than everything that they save. */
const INDEXED_ROWS = 100;

/** The result of a request to import. */
export type ImportOutcome =
  /** The import continues in the background. */
  | { readonly kind: 'job'; readonly job: MigrationJob }
  /**
   * Taking the first piece writes the import. The caller must exhaust the iterator or call `return`, which ends the
   * work.
   */
  | { readonly kind: 'answer'; readonly pieces: AsyncGenerator<string>; leftMs(): number };

export interface ImportOptions {
  /** Do not wait until the document is written. */
  readonly inBackground: boolean;
  /** How many of the entries that were left out are listed; the others are only counted. */
  readonly maxErrors: number;
}

/** Imports the organizations of a document: all of it or nothing. */
@Injectable()
export class ImportService {
  constructor(
    private readonly connections: BulkConnections,
    private readonly writer: ImportWriter,
    private readonly jobs: MigrationJobs,
    private readonly stores: ObjectStores,
    private readonly mails: InitMails,
    private readonly passwords: PasswordHash,
    private readonly hashBudget: HashBudget,
    private readonly seals: MigrationSeals,
    private readonly book: RoleBook,
    private readonly kinds: ExtKinds,
    private readonly grants: ExtGrants,
    private readonly issuer: IssuerConfig,
    private readonly passkeys: PasskeyConfig,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly moved: MovedTables,
  ) {}

  /**
   * Reads a request, stages the document that it embeds, and finds every fault that an entry has on its own. A document
   * that is stored elsewhere is fetched in the background.
   * @throws DomainError InvalidArgument with every fault of the document; DeadlineExceeded; ResourceExhausted
   */
  async start(
    editorId: string,
    source: AsyncIterable<Uint8Array>,
    { inBackground, maxErrors }: ImportOptions,
  ): Promise<ImportOutcome> {
    const startedAt = this.clock.elapsedMs();
    // Ends the connection, unless the work that follows takes it over.
    await using scope = new AsyncDisposableStack();
    const moved = await this.moved.parts(this.database);
    const connection = scope.use(await this.open(moved));
    const { settings, stages } = await this.readRequest(connection, source, startedAt, moved);
    if (settings.place !== undefined) {
      // The job needs a connection of its own, and there are few.
      await scope.disposeAsync();
      return { kind: 'job', job: await this.fetch(editorId, settings, settings.place) };
    }
    const leftMs = (): number => settings.timeoutMs - (this.clock.elapsedMs() - startedAt);
    const staged = { editorId, settings, stages };
    if (inBackground) return { kind: 'job', job: await this.startWriting(staged, leftMs(), scope, connection) };
    return { kind: 'answer', pieces: this.answer(staged, maxErrors, scope.move(), connection), leftMs };
  }

  private async readRequest(
    connection: BulkConnection,
    source: AsyncIterable<Uint8Array>,
    startedAt: number,
    moved: readonly MovedPart[],
  ): Promise<Pick<StagedImport, 'settings' | 'stages'>> {
    try {
      const { stager, documents } = await this.stage(connection, source, 'request', UNWATCHED, startedAt, moved);
      const settings = readSettings(stager.settings, stager.unknownSettings);
      if (documents + (settings.place === undefined ? 0 : 1) !== 1) throw sourceAmbiguous();
      if (settings.place !== undefined) {
        this.stores.check(settings.place);
        return { settings, stages: [] };
      }
      connection.allow(settings.timeoutMs, startedAt);
      await this.finishStaging(connection, stager, moved);
      return { settings, stages: stager.stages };
    } catch (error) {
      throw connection.toFailure(error);
    }
  }

  /**
   * Writes what is staged, then yields the answer piece by piece.
   * @throws DomainError AlreadyExists with every conflict; InvalidArgument; DeadlineExceeded; Aborted
   */
  private async *answer(
    staged: StagedImport,
    maxErrors: number,
    scope: AsyncDisposableStack,
    connection: BulkConnection,
  ): AsyncGenerator<string> {
    await using _scope = scope;
    try {
      await this.writer.write(connection, staged, UNWATCHED, () => Promise.resolve());
      await this.sendMails(connection, staged.settings);
      // The answer of a dry run is read before it is rolled back.
      if (!staged.settings.dryRun) await connection.begin('READ ONLY');
      yield* writeAnswer(connection, staged.stages, maxErrors);
    } catch (error) {
      throw connection.toFailure(error);
    }
  }

  /** Starts a background job that writes what is staged, and returns the job. */
  private async startWriting(
    staged: StagedImport,
    timeoutMs: number,
    scope: AsyncDisposableStack,
    connection: BulkConnection,
  ): Promise<MigrationJob> {
    const about = {
      kind: 'import',
      editorId: staged.editorId,
      phase: 'checking',
      file: '',
      isDryRun: staged.settings.dryRun,
      timeoutMs,
    } as const;
    return this.jobs.start(about, async (job) => {
      // The job takes the staged rows over only once it has started.
      await using _scope = scope.move();
      return await this.writeAsJob(staged, job, connection);
    });
  }

  /** Starts a background job that fetches a document and writes it, and returns the job. */
  private async fetch(editorId: string, settings: ImportSettings, place: Place): Promise<MigrationJob> {
    const { timeoutMs, dryRun } = settings;
    const about = {
      kind: 'import',
      editorId,
      phase: 'reading',
      file: nameOf(place),
      isDryRun: dryRun,
      timeoutMs,
    } as const;
    return this.jobs.start(about, async (job) => {
      const startedAt = this.clock.elapsedMs();
      const moved = await this.moved.parts(this.database);
      await using connection = await this.open(moved);
      let stages: readonly Stage[];
      try {
        connection.cancelOn(job.signal);
        connection.allow(timeoutMs, startedAt);
        const document = await this.stores.read(place, job.signal);
        const { stager } = await this.stage(connection, document, 'data', job, startedAt, moved);
        await this.finishStaging(connection, stager, moved);
        ({ stages } = stager);
      } catch (error) {
        throw connection.toFailure(error);
      }
      return await this.writeAsJob({ editorId, settings, stages }, job, connection);
    });
  }

  /** Writes what is staged, as a job. */
  private async writeAsJob(staged: StagedImport, job: JobUnderWay, connection: BulkConnection): Promise<JobOutcome> {
    try {
      connection.cancelOn(job.signal);
      let outcome: JobOutcome | undefined;
      await this.writer.write(connection, staged, job, async (objects) => {
        outcome = { objects, ...(await leftOut(connection, staged.stages)), bytes: 0n };
        if (!staged.settings.dryRun) await job.succeed(connection.tx, outcome);
      });
      await this.sendMails(connection, staged.settings);
      return outcome!;
    } catch (error) {
      throw connection.toFailure(error);
    }
  }

  /** Mails are sent after everything is committed. */
  private async sendMails(connection: BulkConnection, { sendInitMails, dryRun }: ImportSettings): Promise<void> {
    if (sendInitMails && !dryRun) await this.mails.send(connection);
  }

  /** A connection with empty staging tables, which it drops when it ends. */
  private async open(moved: readonly MovedPart[]): Promise<BulkConnection> {
    const stages = stagesWith(moved);
    const connection = await this.connections.begin(DEFAULT_TIMEOUT_MS, stages.map(dropSql));
    await using scope = new AsyncDisposableStack();
    scope.use(connection);
    try {
      await connection.runTogether(stages.flatMap((stage) => [dropSql(stage), createSql(stage)]));
    } catch (error) {
      throw connection.toFailure(error);
    }
    scope.move();
    return connection;
  }

  private async stage(
    connection: BulkConnection,
    source: AsyncIterable<Uint8Array>,
    root: 'request' | 'data',
    progress: Progress,
    startedAt: number,
    moved: readonly MovedPart[],
  ): Promise<{ readonly stager: DocumentStager; readonly documents: number }> {
    const limits = await this.hashBudget.limits();
    const stager = new DocumentStager(
      this.seals,
      limits,
      this.book,
      this.kinds,
      this.grants,
      this.issuer,
      this.passkeys.rpId,
      this.clock.now(),
      this.moved.extensions,
      moved,
    );
    const reader = new DocumentReader(stager, root);
    const text = new Utf8Check();
    const hasher = new ClearSecretHasher(this.passwords, connection);
    for await (const chunk of inPieces(source)) {
      const badByte = text.firstBadByte(chunk);
      if (badByte !== undefined) {
        reader.write(chunk.subarray(0, Math.max(badByte, 0)));
        throw reader.brokenAt(Math.min(badByte, 0), chunk.subarray(Math.max(badByte, 0)));
      }
      reader.write(chunk);
      // The time counts as soon as the request has named it, since reading the rest may take long.
      const timeoutMs = timeoutIn(stager.settings);
      if (timeoutMs !== undefined) connection.allow(timeoutMs, startedAt);
      await stager.flush(connection, hasher, false);
      while (reader.readOn()) {
        await stager.flush(connection, hasher, false);
        await setImmediate();
        connection.checkTime();
      }
      for (const [type, count] of stager.takeCounts()) progress.count(type, count);
      connection.checkTime();
    }
    reader.end();
    return { stager, documents: reader.count };
  }

  private async finishStaging(
    connection: BulkConnection,
    stager: DocumentStager,
    moved: readonly MovedPart[],
  ): Promise<void> {
    if (stager.faults.total > 0) throw documentInvalid(stager.faults);
    if (stager.isEmpty) throw documentEmpty();
    await stager.flush(connection, new ClearSecretHasher(this.passwords, connection), true);
    await connection.limit();
    const indexes = stager.rowTotal >= INDEXED_ROWS ? stagesWith(moved).flatMap(indexSql) : [];
    await connection.runTogether([...indexes, ...stagesWith(moved).map(analyzeSql)]);
  }
}

/** All tables of a document, those of extensions last: they refer to the others. */
function stagesWith(moved: readonly MovedPart[]): readonly Stage[] {
  return [...STAGES, ...moved.flatMap(({ stages }) => stages)];
}

function timeoutIn({ timeout }: DocumentStager['settings']): number | undefined {
  return typeof timeout === 'string' ? parseTimeout(timeout) : undefined;
}
