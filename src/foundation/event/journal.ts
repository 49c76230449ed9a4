import { Injectable } from '@nestjs/common';
import type { Recorded } from '../database/recorded.js';
import { type Queryable, statement } from '../database/statement.js';
import { Clock } from '../time/clock.js';

/** An event of an object, before it has a number. */
export interface NewEvent {
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly type: string;
  /** The owning organization, or the instance id. */
  readonly orgId: string;
  /** The editor; `SYSTEM` for the service itself. */
  readonly editorId: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** The facts about an object's last event that its row keeps. */
export interface EventMark {
  readonly sequence: bigint;
  readonly at: Date;
}

/** The mark of a change that changed nothing. */
export function lastMark({ sequence, changeDate }: Pick<Recorded, 'sequence' | 'changeDate'>): EventMark {
  return { sequence, at: changeDate };
}

/** The editor of changes that were not requested: key rotation, first start, expiry. */
export const SYSTEM = 'system';

/**
 * SQL for the number of the last event of an aggregate, 0 without one; the arguments are SQL expressions. The condition
 * is that of the unique index, which no other index can answer: whatever the statistics of the journal say, one entry
 * is read.
 */
export function lastSequenceSql(aggregateType: string, aggregateId: string): string {
  return `coalesce((
    SELECT max(e.sequence) FROM event e
    WHERE e.aggregate_type || '/' || e.aggregate_id = (${aggregateType})::text || '/' || (${aggregateId})::text), 0)`;
}

const APPEND = statement(
  'event.append',
  `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
   SELECT
     :aggregateType,
     :aggregateId,
     1 + ${lastSequenceSql(':aggregateType', ':aggregateId')},
     :type,
     :payload,
     :editorId,
     :orgId,
     :at
   RETURNING sequence`,
).rows<{ sequence: string }>();

/** SQL expressions, such as placeholders and columns, for the members of an event. */
export interface EventExpressions {
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly type: string;
  readonly orgId: string;
  readonly editorId: string;
  readonly at: string;
  /** A jsonb expression; by default the type says everything. */
  readonly payload?: string;
  /** The number of this event, from 1, if one statement journals several events of one aggregate. */
  readonly ordinal?: string;
}

/**
 * The part of a statement that journals what another part has just done, for hot paths that would otherwise need a
 * transaction; `from` names that part. Run it with `Database.atomically`.
 */
export function journalSql(event: EventExpressions, from: string): string {
  const { aggregateType, aggregateId, type, orgId, editorId, at, payload = "'{}'", ordinal = '1' } = event;
  return `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
    SELECT
      ${aggregateType},
      ${aggregateId},
      ${ordinal} + ${lastSequenceSql(aggregateType, aggregateId)},
      ${type},
      ${payload},
      ${editorId},
      ${orgId},
      ${at}
    FROM ${from}`;
}

/** The append-only record of every change, written in the transaction of the change. */
@Injectable()
export class Journal {
  constructor(private readonly clock: Clock) {}

  /**
   * Numbers the event within its aggregate. Two transactions that append to one aggregate at once collide on the
   * unique key, and `Database.transaction` runs the later one again.
   */
  async append(tx: Queryable, event: NewEvent): Promise<EventMark> {
    const at = this.clock.now();
    const [row] = await tx.query(APPEND, {
      aggregateType: event.aggregateType,
      aggregateId: event.aggregateId,
      type: event.type,
      payload: event.payload ?? {},
      editorId: event.editorId,
      orgId: event.orgId,
      at,
    });
    return { sequence: BigInt(row!.sequence), at };
  }
}
