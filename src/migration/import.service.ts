import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { HashBudget } from '../foundation/crypto/hash-budget.js';
import { PasswordHash } from '../foundation/crypto/password-hash.js';
import { Clock } from '../foundation/time/clock.js';
import { type BulkSession, BulkSessions } from './bulk-connection.js';
import { ClearSecretHasher } from './clear-secret.js';
import { DocumentReader } from './document/document-reader.js';
import { Utf8Check } from './document/utf8-check.js';
import { DocumentStager } from './document-stager.js';
import { LEFT_OUT_TOTAL, leftOut, writeAnswer } from './import-answer.js';
import { type ImportSettings, readSettings } from './import-settings.js';
import { ImportWriter } from './import-writer.js';
import { InitMails } from './init-mails.js';
import type { JobOutcome, JobUnderWay } from './job/job-under-way.js';
import type { MigrationJob } from './job/migration-job.entity.js';
import { MigrationJobs } from './job/migration-jobs.js';
import { type Progress, UNWATCHED } from './job/progress.js';
import { documentEmpty, documentInvalid, sourceAmbiguous } from './migration.errors.js';
import { MigrationSeals } from './migration-seals.js';
import { STAGES } from './parts.js';
import { createSql, dropSql, indexSql } from './stage.js';
import { ObjectStores } from './storage/object-stores.js';
import { nameOf, type Place } from './storage/place.js';
import { DEFAULT_TIMEOUT_MS, parseTimeout } from './timeout.js';

/** A document in the staging tables of its connection, ready to be written. The owner must end it. */
export interface StagedImport {
  readonly editorId: string;
  readonly settings: ImportSettings;
  /** What remains of the time allowed by the request. */
  leftMs(): number;
  readonly session: BulkSession;
}

/** A document stored elsewhere. */
export interface DistantImport {
  readonly editorId: string;
  readonly settings: ImportSettings & { readonly place: Place };
}

/** Imports the organizations of a document: all of it or nothing. */
@Injectable()
export class ImportService {
  constructor(
    private readonly sessions: BulkSessions,
    private readonly writer: ImportWriter,
    private readonly jobs: MigrationJobs,
    private readonly stores: ObjectStores,
    private readonly mails: InitMails,
    private readonly passwords: PasswordHash,
    private readonly hashBudget: HashBudget,
    private readonly seals: MigrationSeals,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads a request, stages the document that it embeds, and finds every fault that an entry has on its own.
   * @throws DomainError InvalidArgument with every fault of the document; DeadlineExceeded; ResourceExhausted
   */
  async receive(editorId: string, source: AsyncIterable<Uint8Array>): Promise<StagedImport | DistantImport> {
    const startedAt = this.clock.elapsedMs();
    const session = await this.open();
    try {
      const { stager, documents } = await this.stage(session, source, 'request', UNWATCHED, (sent) => {
        // Starts when the setting is read, since reading the rest may take long.
        const timeoutMs = typeof sent['timeout'] === 'string' ? parseTimeout(sent['timeout']) : undefined;
        if (timeoutMs !== undefined) session.allow(timeoutMs, startedAt);
      });
      const settings = readSettings(stager.settings, stager.unknownSettings);
      if (documents + (settings.place === undefined ? 0 : 1) !== 1) throw sourceAmbiguous();
      if (settings.place !== undefined) {
        this.stores.check(settings.place);
        await this.close(session);
        return { editorId, settings: { ...settings, place: settings.place } };
      }
      session.allow(settings.timeoutMs, startedAt);
      await this.finishStaging(session, stager);
      return { editorId, settings, session, leftMs: () => settings.timeoutMs - (this.clock.elapsedMs() - startedAt) };
    } catch (error) {
      await this.close(session);
      throw session.toFailure(error);
    }
  }

  /**
   * Writes what is staged, then yields the answer piece by piece. The caller must exhaust the iterator or call
   * `return`, which ends the work.
   * @param maxErrors how many of the entries that were left out are listed, and how many there are beyond
   * @throws DomainError AlreadyExists with every conflict; InvalidArgument; DeadlineExceeded; Aborted
   */
  async *answer({ editorId, settings, session }: StagedImport, maxErrors = Infinity): AsyncGenerator<string> {
    try {
      await this.writer.write(session, editorId, settings, UNWATCHED, () => Promise.resolve());
      await this.sendMails(session, settings);
      // The answer of a dry run is read before it is rolled back.
      if (!settings.dryRun) await session.begin('READ ONLY');
      yield* writeAnswer(session, maxErrors);
    } catch (error) {
      throw session.toFailure(error);
    } finally {
      await this.close(session);
    }
  }

  /** Starts a background job that writes what is staged, and returns the job. */
  async startWriting(staged: StagedImport): Promise<MigrationJob> {
    const { editorId, settings, session } = staged;
    try {
      const about = {
        kind: 'import',
        editorId,
        phase: 'checking',
        file: '',
        isDryRun: settings.dryRun,
        timeoutMs: staged.leftMs(),
      } as const;
      return await this.jobs.start(about, (job) => this.finish(staged, job));
    } catch (error) {
      await this.close(session);
      throw error;
    }
  }

  /** Starts a background job that fetches a document and writes it, and returns the job. */
  async fetch({ editorId, settings }: DistantImport): Promise<MigrationJob> {
    const { place, timeoutMs, dryRun } = settings;
    const about = {
      kind: 'import',
      editorId,
      phase: 'reading',
      file: nameOf(place),
      isDryRun: dryRun,
      timeoutMs,
    } as const;
    return this.jobs.start(about, (job) =>
      this.run(editorId, settings, job, () => this.stores.read(place, job.signal)),
    );
  }

  /** Writes what is staged, as a job. */
  private async finish({ editorId, settings, session }: StagedImport, job: JobUnderWay): Promise<JobOutcome> {
    try {
      session.cancelOn(job.signal);
      let outcome: JobOutcome | undefined;
      await this.writer.write(session, editorId, settings, job, async (objects) => {
        const [{ count: errorTotal } = { count: 0 }] = await session.query<{ count: number }>(LEFT_OUT_TOTAL);
        outcome = { objects, errors: await leftOut(session), errorTotal, bytes: 0n };
        if (!settings.dryRun) await job.succeed(session.tx, outcome);
      });
      await this.sendMails(session, settings);
      return outcome!;
    } catch (error) {
      throw session.toFailure(error);
    } finally {
      await this.close(session);
    }
  }

  /** Reads a stored document and writes it, as a job. */
  private async run(
    editorId: string,
    settings: ImportSettings,
    job: JobUnderWay,
    read: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<JobOutcome> {
    const startedAt = this.clock.elapsedMs();
    const session = await this.open();
    try {
      session.cancelOn(job.signal);
      session.allow(settings.timeoutMs, startedAt);
      const { stager } = await this.stage(session, await read(), 'data', job);
      await this.finishStaging(session, stager);
    } catch (error) {
      await this.close(session);
      throw session.toFailure(error);
    }
    return this.finish({ editorId, settings, session, leftMs: () => 0 }, job);
  }

  /** Mails are sent after everything is committed. */
  private async sendMails(session: BulkSession, { sendInitMails, dryRun }: ImportSettings): Promise<void> {
    if (sendInitMails && !dryRun) await this.mails.send(session);
  }

  private async open(): Promise<BulkSession> {
    const session = await this.sessions.begin(DEFAULT_TIMEOUT_MS);
    try {
      for (const stage of STAGES) {
        await session.query(dropSql(stage));
        await session.query(createSql(stage));
      }
      return session;
    } catch (error) {
      await this.close(session);
      throw session.toFailure(error);
    }
  }

  private async close(session: BulkSession): Promise<void> {
    await session.close(STAGES.map(dropSql));
  }

  private async stage(
    session: BulkSession,
    source: AsyncIterable<Uint8Array>,
    root: 'request' | 'data',
    progress: Progress,
    learn: (settings: DocumentStager['settings']) => void = () => undefined,
  ): Promise<{ readonly stager: DocumentStager; readonly documents: number }> {
    const stager = new DocumentStager(this.seals, await this.hashBudget.limits(), this.issuer, this.clock.now());
    const reader = new DocumentReader(stager, root);
    const text = new Utf8Check();
    const hasher = new ClearSecretHasher(this.passwords, session);
    for await (const chunk of source) {
      const badByte = text.firstBadByte(chunk);
      if (badByte !== undefined) {
        reader.write(chunk.subarray(0, Math.max(badByte, 0)));
        throw reader.brokenAt(Math.min(badByte, 0));
      }
      reader.write(chunk);
      learn(stager.settings);
      await stager.flush(session, hasher, false);
      while (reader.readOn()) {
        await stager.flush(session, hasher, false);
        await setImmediate();
        session.checkTime();
      }
      for (const [type, count] of stager.takeCounts()) progress.count(type, count);
      session.checkTime();
    }
    reader.end();
    return { stager, documents: reader.count };
  }

  private async finishStaging(session: BulkSession, stager: DocumentStager): Promise<void> {
    if (stager.faults.total > 0) throw documentInvalid(stager.faults);
    if (stager.isEmpty) throw documentEmpty();
    await stager.flush(session, new ClearSecretHasher(this.passwords, session), true);
    await session.limit();
    for (const stage of STAGES) for (const statement of indexSql(stage)) await session.query(statement);
  }
}
