import { Injectable } from '@nestjs/common';
import { BatchedRead } from '../../foundation/database/batched-read.js';
import { columnsOf, insertForEach } from '../../foundation/database/columns.js';
import { withoutIndex } from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { purgeStatement, runPurge } from '../../foundation/database/purge.js';
import { type Queryable, type SqlValue, statement } from '../../foundation/database/statement.js';
import { journalSql } from '../../foundation/event/journal.js';
import { DeviceAuthorization, type DeviceState } from './device-authorization.entity.js';

/**
 * How many codes for one application, requested from one network, may wait for their users: so no network can use up
 * the share of another.
 */
const MOST_OPEN = 1_000;

const ADDED = [
  'id',
  'userCodeHash',
  'clientId',
  'scopes',
  'resources',
  'requiredOrgId',
  'network',
  'createdAt',
  'expiresAt',
] as const satisfies ReadonlyArray<keyof DeviceAuthorization>;

export type NewDeviceAuthorization = Pick<DeviceAuthorization, (typeof ADDED)[number]>;

/** Counts as many index entries as the limit allows, and no more. */
const ADD = statement<Record<(typeof ADDED)[number], SqlValue>>(
  'device_authorization.add',
  `WITH open AS MATERIALIZED (
     SELECT count(*) >= ${MOST_OPEN} AS "isFull"
     FROM (
       SELECT 1
       FROM device_authorization o
       WHERE o.client_id = :clientId AND o.network = :network AND o.expires_at > :createdAt AND o.state = 'pending'
       LIMIT ${MOST_OPEN}) counted),
   added AS (
     ${insertForEach(DeviceAuthorization, ADDED, 'open')}
     WHERE NOT open."isFull"
     ON CONFLICT (user_code_hash) DO NOTHING
     RETURNING id)
   SELECT open."isFull", EXISTS (SELECT 1 FROM added) AS "isAdded"
   FROM open`,
).rows<{ isFull: boolean; isAdded: boolean }>();

const FOUND = [
  'id',
  'clientId',
  'scopes',
  'resources',
  'requiredOrgId',
  'network',
  'createdAt',
  'expiresAt',
] as const satisfies ReadonlyArray<keyof DeviceAuthorization>;

export type PendingDevice = Pick<DeviceAuthorization, (typeof FOUND)[number]>;

const FIND_PENDING = statement(
  'device_authorization.pending',
  `SELECT ${columnsOf(DeviceAuthorization, 'd', FOUND)}
   FROM device_authorization d
   WHERE d.user_code_hash = ANY(:hashes::bytea[]) AND d.state = 'pending' AND d.expires_at > :now`,
).rows<PendingDevice>();

/**
 * The decision of its user. The row count decides: there is one answer. Found by its id: the index of pending ones has
 * those of all devices.
 */
const DECIDE = statement(
  'device_authorization.decide',
  `WITH decided AS (
     UPDATE device_authorization SET
       state = :state,
       user_id = :userId,
       session_id = :sessionId,
       auth_time = :authTime,
       amr = :amr,
       token_epoch = :tokenEpoch
     WHERE id = :id AND ${withoutIndex('state')} = 'pending' AND expires_at > :now
     RETURNING id, client_id, network),
   journaled AS (${journalSql(
     {
       aggregateType: "'device_authorization'",
       aggregateId: 'd.id',
       type: `'device_authorization.' || :state::text`,
       orgId: ':orgId::text',
       editorId: ':userId::text',
       at: ':now::timestamptz',
       payload: `jsonb_build_object('userId', :userId::text, 'clientId', d.client_id, 'network', d.network)`,
     },
     'decided d',
   )})
   SELECT id FROM decided`,
).rows<{ id: string }>();

export interface Decision {
  readonly id: string;
  readonly state: Exclude<DeviceState, 'pending'>;
  readonly userId: string;
  readonly orgId: string;
  readonly sessionId: string;
  readonly authTime: Date;
  readonly amr: readonly string[];
  readonly tokenEpoch: number;
  readonly now: Date;
}

const FIND = statement(
  'device_authorization.find',
  `SELECT ${columnsOf(DeviceAuthorization, 'd', ['state', 'sessionId', 'expiresAt', 'redeemedAt'])}
   FROM device_authorization d
   WHERE d.id = :id`,
).rows<FoundDevice>();

export type FoundDevice = Pick<DeviceAuthorization, 'state' | 'sessionId' | 'expiresAt' | 'redeemedAt'>;

/** Devices ask every few seconds: those of one moment are answered together, and nothing is written. */
const STATES = statement(
  'device_authorization.states',
  `SELECT q.place, (
     SELECT json_build_object(
       'state', d.state,
       'isRedeemed', d.redeemed_at IS NOT NULL,
       'userId', d.user_id,
       'orgId', u.org_id)
     FROM device_authorization d
     LEFT JOIN user_account u ON u.id = d.user_id
     WHERE d.id = q.id
   ) AS answer
   FROM json_to_recordset(:questions::json) AS q(place int, id text)`,
);

export interface PolledState {
  readonly state: DeviceState;
  readonly isRedeemed: boolean;
  /** Null while nobody has decided. */
  readonly userId: string | null;
  readonly orgId: string | null;
}

const EXPIRED = purgeStatement('device_authorization', 'id', 'expires_at < :moment');

@Injectable()
export class DeviceAuthorizationRepository {
  private readonly states: BatchedRead<{ readonly id: string }, PolledState>;

  constructor(private readonly database: Database) {
    this.states = new BatchedRead(database, STATES);
  }

  /** `taken`: the user code belongs to another device. */
  async add(row: NewDeviceAuthorization): Promise<'added' | 'taken' | 'full'> {
    const [result] = await this.database.query(ADD, row);
    if (result?.isFull === true) return 'full';
    return result?.isAdded === true ? 'added' : 'taken';
  }

  async findPending(hashes: readonly Buffer[], now: Date): Promise<PendingDevice | undefined> {
    const [row] = await this.database.query(FIND_PENDING, { hashes, now });
    return row;
  }

  /** False if it was decided before, or has expired. */
  async decide(decision: Decision): Promise<boolean> {
    return (await this.database.atomically(DECIDE, { ...decision })).length === 1;
  }

  async find(id: string): Promise<FoundDevice | undefined> {
    const [row] = await this.database.query(FIND, { id });
    return row;
  }

  async findState(id: string): Promise<PolledState | undefined> {
    return this.states.ask({ id });
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, EXPIRED, now);
  }
}
