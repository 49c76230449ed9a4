import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { schemaNameOf } from '../../foundation/database/schema-change/ext-schema.js';
import { unprepared } from '../../foundation/database/statement.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Journal, SYSTEM } from '../../foundation/event/journal.js';
import { InstanceService } from '../../org/instance/instance.service.js';

/** What the database keeps for an extension, whether a process loads it or not. */
export interface ExtensionRemains {
  readonly id: string;
  /** The version that was last loaded; empty if that was before versions were recorded. */
  readonly version: string;
  /** The names of the seams that it filled then. */
  readonly seams: readonly string[];
  /** Whether a process without the extension refuses to start. */
  readonly isRequired: boolean;
  readonly lastLoadedAt: Date | null;
  /** Its tables, the ledger of their changes not counted. */
  readonly tables: readonly string[];
  readonly bytes: string;
  readonly listeners: readonly string[];
}

const EXTENSIONS = `
  SELECT
    known.id,
    coalesce(e.version, '') AS version,
    coalesce(e.seams, '{}') AS seams,
    coalesce(e.is_required, false) AS "isRequired",
    e.last_loaded_at AS "lastLoadedAt",
    ARRAY(SELECT tablename::text FROM pg_tables WHERE schemaname = 'ext_' || known.id AND tablename <> 'schema_change' ORDER BY 1) AS tables,
    coalesce((
      SELECT sum(pg_total_relation_size(c.oid))
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'ext_' || known.id AND c.relkind = 'r'
    ), 0)::text AS bytes,
    ARRAY(SELECT listener FROM event_cursor WHERE starts_with(listener, known.id || '/') ORDER BY 1) AS listeners
  FROM (
    SELECT substr(nspname, 5) AS id FROM pg_namespace WHERE nspname ~ '^ext_[a-z][a-z0-9]{1,19}$'
    UNION
    SELECT split_part(listener, '/', 1) FROM event_cursor WHERE NOT starts_with(listener, 'gatehouse/')
    UNION
    SELECT id FROM extension
  ) AS known (id)
  LEFT JOIN extension e ON e.id = known.id`;

/** Used by the operator alone, on tables of a few rows: planned each time, so that none of them needs an index. */
const LIST = unprepared<object, ExtensionRemains>(`${EXTENSIONS} ORDER BY known.id`);
const FIND = unprepared<{ id: string }, ExtensionRemains>(`${EXTENSIONS} WHERE known.id = :id`);
const FORGET_CURSORS = unprepared<{ id: string }>(`DELETE FROM event_cursor WHERE starts_with(listener, :id || '/')`);
const FORGET_PARKED = unprepared<{ id: string }>(`DELETE FROM event_parked WHERE starts_with(listener, :id || '/')`);
const FORGET = unprepared<{ id: string }>('DELETE FROM extension WHERE id = :id');
const RETIRE = unprepared<{ id: string }>('UPDATE extension SET is_required = false WHERE id = :id');

/** Lists and removes what extensions leave behind, for the operator who removes one for good. */
@Injectable()
export class ExtensionRemainsService {
  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
  ) {}

  async list(): Promise<readonly ExtensionRemains[]> {
    return this.database.query(LIST);
  }

  /** @throws DomainError NotFound `extension.not_found` */
  async find(id: string): Promise<ExtensionRemains> {
    const [remains] = await this.database.query(FIND, { id });
    if (!remains) throw notFound(id);
    return remains;
  }

  /**
   * Removes the tables of an extension and what its listeners have heard. It begins anew if it is loaded again.
   * @throws DomainError NotFound `extension.not_found`
   */
  async drop(id: string): Promise<void> {
    const instance = await this.instances.get();
    await this.database.transaction(async (tx) => {
      const [remains] = await tx.query(FIND, { id });
      if (!remains) throw notFound(id);
      // The id has the form of a name, or it would not have been found.
      await tx.query(unprepared<object>(`DROP SCHEMA IF EXISTS ${schemaNameOf(id)} CASCADE`));
      await this.forgetListeners(tx, id);
      await tx.query(FORGET, { id });
      await this.append(tx, 'dropped', instance.id, id);
    });
  }

  /**
   * Lets processes start without an extension that was required. Its tables stay, and the next process that loads it
   * requires it again.
   * @throws DomainError NotFound `extension.not_found`; FailedPrecondition `extension.not_required`
   */
  async retire(id: string): Promise<void> {
    const instance = await this.instances.get();
    await this.database.transaction(async (tx) => {
      const [remains] = await tx.query(FIND, { id });
      if (!remains) throw notFound(id);
      if (!remains.isRequired) throw notRequired(id);
      await tx.query(RETIRE, { id });
      await this.append(tx, 'retired', instance.id, id);
    });
  }

  private async append(tx: Transaction, what: string, instanceId: string, extension: string): Promise<void> {
    await this.journal.append(tx, {
      aggregateType: 'instance',
      aggregateId: instanceId,
      type: `instance.extension.${what}`,
      orgId: instanceId,
      editorId: SYSTEM,
      payload: { extension },
    });
  }

  private async forgetListeners(tx: Transaction, id: string): Promise<void> {
    await tx.query(FORGET_CURSORS, { id });
    await tx.query(FORGET_PARKED, { id });
  }
}

function notFound(id: string): DomainError {
  return new DomainError('NotFound', 'extension.not_found', `The database has nothing of an extension "${id}".`);
}

function notRequired(id: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'extension.not_required',
    `The extension ${id} is not required: processes start without it already.`,
  );
}
