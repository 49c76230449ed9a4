import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { Database } from '../foundation/database/database.js';
import { toSnakeCase } from '../foundation/database/snake-case.js';
import { Journal } from '../foundation/event/journal.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { orgsUnknown } from './document/migration.errors.js';
import type { JobOutcome, JobUnderWay } from './job/job-under-way.js';
import type { MigrationJob } from './job/migration-job.entity.js';
import { MigrationJobs } from './job/migration-jobs.js';
import { type Progress, UNWATCHED } from './job/progress.js';
import { EXTENSION_TABLES, type ExtensionTable, leftOutOf } from './left-out.js';
import { MigrationSeals } from './migration-seals.js';
import type { MovedPart } from './moved/moved.part.js';
import { MovedTables } from './moved/moved-tables.js';
import { type BulkConnection, BulkConnections } from './part/bulk-connection.js';
import { ORG } from './part/org.part.js';
import type { DocumentPart, ExportOptions, Stored } from './part/part.js';
import { queryOnce, valuesFor } from './part/unprepared-query.js';
import { EXPORT_PARTS } from './parts.js';
import { alongside, ObjectStores } from './storage/object-stores.js';
import { nameOf, type Place } from './storage/place.js';

export interface ExportRequest {
  /** The organizations to export; empty for all. */
  readonly orgIds: readonly string[];
  /** Takes precedence over `orgIds`. */
  readonly excludedOrgIds: readonly string[];
  readonly withPasswords: boolean;
  readonly withOtp: boolean;
  readonly withKeys: boolean;
  readonly withPasskeys: boolean;
  readonly timeoutMs: number;
  /** A file to write the document to. */
  readonly place?: Place | undefined;
}

interface OrgRow {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'inactive';
}

/** Characters that are handed on at once. */
const PIECE = 65_536;

/** The bulk of a document; the rest does not matter for the estimate. */
const TOTAL = `SELECT
    (SELECT count(*) FROM user_account WHERE org_id = ANY (:orgIds::text[]))
    + (SELECT count(*) FROM user_grant WHERE org_id = ANY (:orgIds::text[]))
    + (
      SELECT coalesce(
        sum(
          (SELECT count(*) FROM idp_link l WHERE l.user_id = u.id)
          + (SELECT count(*) FROM user_metadata m WHERE m.user_id = u.id)
        ),
        0
      )
      FROM user_account u
      WHERE u.org_id = ANY (:orgIds::text[])
    ) AS total`;

/** Writes organizations as a document from one snapshot, while rows are being read. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly seals: MigrationSeals,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
    private readonly connections: BulkConnections,
    private readonly jobs: MigrationJobs,
    private readonly stores: ObjectStores,
    private readonly issuer: IssuerConfig,
    private readonly moved: MovedTables,
  ) {}

  /**
   * Yields the document piece by piece. The caller must exhaust the iterator or call `return`.
   * @throws DomainError NotFound `export.org_not_found`; DeadlineExceeded `migration.timeout`
   */
  async *export(editorId: string, request: ExportRequest): AsyncGenerator<string> {
    await using connection = await this.connections.begin(request.timeoutMs);
    try {
      yield* this.pieces(connection, editorId, request, UNWATCHED);
    } catch (error) {
      throw connection.toFailure(error);
    }
  }

  /** Yields the document while also writing it to its place; the last piece comes once the file is stored. */
  exportAlongside(editorId: string, request: ExportRequest & { readonly place: Place }): AsyncGenerator<string> {
    this.stores.check(request.place);
    return alongside(this.export(editorId, request), (document, signal) =>
      this.stores.write(request.place, document, signal),
    );
  }

  /** Starts a background job that writes the document to its place, and returns the job. */
  async send(editorId: string, request: ExportRequest & { readonly place: Place }): Promise<MigrationJob> {
    const { place, timeoutMs } = request;
    this.stores.check(place);
    const about = {
      kind: 'export',
      editorId,
      phase: 'writing',
      file: nameOf(place),
      isDryRun: false,
      timeoutMs,
      leftOut: leftOutOf(
        request,
        await queryOnce<ExtensionTable>(this.database, EXTENSION_TABLES),
        await this.moved.parts(this.database),
      ),
    } as const;
    return this.jobs.start(about, (job) =>
      this.run(editorId, request, job, (document) => this.stores.write(place, document, job.signal)),
    );
  }

  /** Writes the document through `write`, as a job: completely or not at all. */
  private async run(
    editorId: string,
    request: ExportRequest,
    job: JobUnderWay,
    write: (document: AsyncIterable<Uint8Array>) => Promise<number>,
  ): Promise<JobOutcome> {
    await using connection = await this.connections.begin(request.timeoutMs);
    const counted = new CountedProgress(job);
    const pieces = this.pieces(connection, editorId, request, counted);
    try {
      connection.cancelOn(job.signal);
      const bytes = await write(toBytes(pieces));
      return { objects: counted.objects, errors: [], errorTotal: 0, bytes: BigInt(bytes) };
    } catch (error) {
      throw connection.toFailure(error);
    } finally {
      // Streams read ahead: if the store refuses the file, rows may still be arriving on a connection that returns to
      // the pool.
      await pieces.return(undefined);
    }
  }

  private async *pieces(
    connection: BulkConnection,
    editorId: string,
    request: ExportRequest,
    progress: Progress,
  ): AsyncGenerator<string> {
    await this.journalExport(connection, editorId, request);
    await connection.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const orgs = await this.orgsOf(connection, request);
    if (progress !== UNWATCHED) {
      const [counted] = await connection.query<{ total: string }>(TOTAL, { orgIds: orgs.map(({ id }) => id) });
      progress.enter('writing', Number(counted?.total ?? 0) + orgs.length);
    }
    const { withPasswords, withOtp, withKeys, withPasskeys } = request;
    const asked = { withPasswords, withOtp, withKeys, withPasskeys };
    const forOthers = this.issuer.isOfAnotherVendor;
    yield* this.write(connection, orgs, { ...asked, forOthers, seals: this.seals }, progress);
  }

  /** Recorded before anything leaves: who exported, and whether hashes and seeds were included. */
  private async journalExport(connection: BulkConnection, editorId: string, request: ExportRequest): Promise<void> {
    const { orgIds, excludedOrgIds, withPasswords, withOtp, withKeys, withPasskeys, place } = request;
    const { id } = await this.instances.get();
    const payload = {
      orgIds: orgIds.slice(0, 100),
      excludedOrgIds: excludedOrgIds.slice(0, 100),
      withPasswords,
      withOtp,
      withKeys,
      withPasskeys,
      ...(place === undefined ? {} : { file: nameOf(place) }),
    };
    connection.checkTime();
    await this.database.transaction((tx) =>
      this.journal.append(tx, {
        aggregateType: 'instance',
        aggregateId: id,
        type: 'iam.data.exported',
        orgId: id,
        editorId,
        payload,
      }),
    );
  }

  private async orgsOf(connection: BulkConnection, { orgIds, excludedOrgIds }: ExportRequest): Promise<OrgRow[]> {
    const found = await connection.query<OrgRow>(
      `SELECT id, name, state
       FROM org
       WHERE cardinality(:orgIds::text[]) = 0 OR id = ANY(:orgIds::text[])
       ORDER BY creation_date, id`,
      { orgIds },
    );
    const known = new Set(found.map(({ id }) => id));
    const excluded = new Set(excludedOrgIds);
    const unknown = orgIds.filter((id) => !known.has(id) && !excluded.has(id));
    if (unknown.length > 0) throw orgsUnknown(unknown);
    return found.filter(({ id }) => !excluded.has(id));
  }

  private async *write(
    connection: BulkConnection,
    orgs: readonly OrgRow[],
    options: ExportOptions,
    progress: Progress,
  ): AsyncGenerator<string> {
    const ids = orgs.map(({ id }) => id);
    const moved = await this.moved.parts(connection.tx);
    let text = '{"orgs":[';
    for (const [index, { id, name, state }] of orgs.entries()) {
      const { orgState, ...about } = ORG.write({ orgId: id, org: { name }, orgState: state });
      text += `${index === 0 ? '' : ','}${JSON.stringify(about).slice(0, -1)}`;
      for await (const piece of this.writeParts(connection, moved, id, ids, options, progress)) {
        text += piece;
        if (text.length < PIECE) continue;
        yield text;
        text = '';
      }
      text += `,"orgState":${JSON.stringify(orgState)}}`;
      progress.count('org', 1);
    }
    // These members follow the organizations: readers of the described system's format lose nothing by stopping there.
    const usersWithKeys = options.withPasskeys ? 0 : await this.countUsersWithKeys(connection, ids);
    const keys = usersWithKeys === 0 ? '' : `"usersWithKeys":${usersWithKeys},`;
    const leftOut = leftOutOf(options, await connection.query<ExtensionTable>(EXTENSION_TABLES), moved);
    yield `${text}],${keys}"leftOut":${JSON.stringify(leftOut)}}`;
  }

  /** Counts the users whose keys are left out: the operator has to know how many people need a new one. */
  private async countUsersWithKeys(connection: BulkConnection, orgIds: readonly string[]): Promise<number> {
    const [row] = await connection.query<{ count: string }>(
      `SELECT count(*) AS count
       FROM user_account u
       WHERE u.org_id = ANY (:orgIds::text[])
         AND EXISTS (SELECT 1 FROM auth_factor f WHERE f.user_id = u.id AND f.kind IN ('passkey', 'u2f'))`,
      { orgIds },
    );
    return Number(row?.count ?? 0);
  }

  /** The members of an organization, and the rows of extensions below `extensions`. */
  private async *writeParts(
    connection: BulkConnection,
    moved: readonly MovedPart[],
    orgId: string,
    ids: readonly string[],
    options: ExportOptions,
    progress: Progress,
  ): AsyncGenerator<string> {
    for (const part of EXPORT_PARTS)
      yield* this.writePart(connection, part, part.member, orgId, ids, options, progress);
    let open: string | undefined;
    for (const part of moved) {
      const { extension, table } = part;
      let isFirst = true;
      for await (const piece of this.writePart(connection, part, table, orgId, ids, options, progress)) {
        const begin = `${open === undefined ? ',"extensions":{' : '},'}"${extension}":{`;
        // Each piece that begins a member begins with a comma.
        yield isFirst && open !== extension ? `${begin}${piece.slice(1)}` : piece;
        isFirst = false;
        open = extension;
      }
    }
    if (open !== undefined) yield '}}';
  }

  private async *writePart(
    connection: BulkConnection,
    part: DocumentPart,
    name: string,
    orgId: string,
    ids: readonly string[],
    options: ExportOptions,
    progress: Progress,
  ): AsyncGenerator<string> {
    const { isSingle, select, onlyWith } = part;
    if (select === undefined || (onlyWith !== undefined && !options[onlyWith])) return;
    const values = valuesFor(select, { orgId, orgIds: ids, withPasskeys: options.withPasskeys });
    const toText = (row: Stored): string =>
      JSON.stringify(part.message.write(part.toEntry!(row, options), options.forOthers));
    if (isSingle === true) {
      const [row] = await connection.query<Stored>(select, values);
      if (!row) return;
      progress.count(kindOf(part), 1);
      yield `,"${name}":${toText(row)}`;
      return;
    }
    let isEmpty = true;
    for await (const rows of connection.rows<Stored>(select, values, part.rowsAtOnce)) {
      progress.count(kindOf(part), rows.length);
      yield `${isEmpty ? `,"${name}":[` : ','}${rows.map(toText).join(',')}`;
      isEmpty = false;
    }
    if (!isEmpty) yield ']';
  }
}

/** Passes counts on, and keeps them as well. */
class CountedProgress implements Progress {
  readonly objects: Record<string, number> = {};

  constructor(private readonly onwards: Progress) {}

  enter(...[phase, total]: Parameters<Progress['enter']>): void {
    this.onwards.enter(phase, total);
  }

  count(type: string, objects: number): void {
    this.objects[type] = (this.objects[type] ?? 0) + objects;
    this.onwards.count(type, objects);
  }
}

const KINDS: Readonly<Record<string, string>> = { loginTexts: 'login_texts', machineKeys: 'machine_user_key' };

/** The kind of a member's entries, as in the answer of an import: `human_user`. */
function kindOf({ member, kind }: DocumentPart): string {
  return kind ?? KINDS[member] ?? toSnakeCase(member).replace(/s$/, '');
}

async function* toBytes(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
