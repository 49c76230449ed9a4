import { Injectable } from '@nestjs/common';
import { SelfDescribedConfig } from '../../foundation/config/config.js';
import { ChangeChannel } from '../../foundation/database/change-channel.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { Purge } from '../../foundation/database/purge.js';
import { statement } from '../../foundation/database/statement.js';
import { journalSql, SYSTEM } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { Client } from './client.js';

/** Above this many clients, the use of some is written more than once a day. */
const MOST_REMEMBERED = 10_000;
/** Each removal is an event and an announcement. */
const BATCH = 100;

const NOTE = statement(
  'client_use.note',
  `INSERT INTO client_use AS u (client_row_id, day)
   SELECT c.id, :day::date
   FROM client c
   WHERE c.id = :id
   ON CONFLICT (client_row_id) DO UPDATE SET day = excluded.day
   WHERE u.day < excluded.day`,
);

const REMOVE_UNUSED = statement(
  'client.remove_unused',
  `WITH unused AS (
     SELECT c.id
     FROM client c
     LEFT JOIN client_use u ON u.client_row_id = c.id
     WHERE c.origin <> 'administrator'
       AND c.creation_date < :moment
       AND (u.day IS NULL OR u.day < (:moment)::timestamptz::date)
     LIMIT ${BATCH}),
   removed AS (
     DELETE FROM client c
     WHERE c.id = ANY(ARRAY(SELECT id FROM unused))
     RETURNING
       c.id,
       c.client_id,
       c.name,
       (SELECT p.org_id FROM project p WHERE p.id = c.project_id) AS org_id),
   journaled AS (
     ${journalSql(
       {
         aggregateType: `'client'`,
         aggregateId: 'id',
         type: `'client.unused.removed'`,
         orgId: 'org_id',
         editorId: ':editorId',
         at: ':now',
         payload: `jsonb_build_object('name', name, 'clientId', client_id)`,
       },
       'removed',
     )})
   SELECT client_id AS "clientId" FROM removed`,
).rows<{ clientId: string }>();

const UNUSED_IN = statement(
  'client.unused_in',
  `SELECT c.id
   FROM client c
   LEFT JOIN client_use u ON u.client_row_id = c.id
   WHERE c.project_id = :projectId
     AND c.origin <> 'administrator'
     AND c.creation_date <= :moment
     AND (u.day IS NULL OR u.day <= (:moment)::timestamptz::date)
   ORDER BY c.id
   LIMIT ${BATCH}`,
).rows<{ id: string }>();

/** When applications that describe themselves were used last, once a day and process; unused ones are removed. */
@Injectable()
export class ClientUses implements Purge {
  private readonly noted = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly changes: ChangeChannel,
    private readonly config: SelfDescribedConfig,
    private readonly clock: Clock,
  ) {}

  /** Tokens were issued through this application. */
  async note({ describesItself, rowId }: Client): Promise<void> {
    if (!describesItself) return;
    const day = this.clock.now().toISOString().slice(0, 10);
    if (this.noted.get(rowId) === day) return;
    if (this.noted.size >= MOST_REMEMBERED) this.noted.clear();
    this.noted.set(rowId, day);
    await this.database.query(NOTE, { id: rowId, day });
  }

  /** The applications of a project that were not used since then, in one batch. */
  async unusedIn(tx: Transaction, projectId: string, moment: Date): Promise<{ ids: string[]; mayBeMore: boolean }> {
    const ids = (await tx.query(UNUSED_IN, { projectId, moment })).map(({ id }) => id);
    return { ids, mayBeMore: ids.length === BATCH };
  }

  /** Removes those that were not used for as long as the operator wants; their tokens end with them. */
  async purge(tx: Transaction, now: Date): Promise<number> {
    const moment = secondsAfter(now, -this.config.unusedDays * seconds.perDay);
    const removed = await tx.query(REMOVE_UNUSED, { moment, now, editorId: SYSTEM });
    for (const { clientId } of removed) await this.changes.announce(tx, 'client', clientId);
    return removed.length;
  }
}
