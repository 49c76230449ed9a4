import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import { type Condition, equals } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { Listing, type Page } from '../foundation/database/listing.js';
import { statement } from '../foundation/database/statement.js';
import type { Device } from './device.js';
import { Session } from './session.entity.js';
import { sessionNotFound } from './session.errors.js';
import { SessionService } from './session.service.js';

/** A session as managers see it. */
export type SessionEntry = Pick<
  Session,
  | 'id'
  | 'createdAt'
  | 'passwordCheckedAt'
  | 'externalCheckedAt'
  | 'externalIdpId'
  | 'passkeyCheckedAt'
  | 'factorCheckedAt'
  | 'factorKind'
>;

const LISTING = new Listing<SessionEntry, 'createdAt'>({
  select: columnsOf(Session, 's', [
    'id',
    'createdAt',
    'passwordCheckedAt',
    'externalCheckedAt',
    'externalIdpId',
    'passkeyCheckedAt',
    'factorCheckedAt',
    'factorKind',
  ]),
  from: 'session s',
  key: 's.id',
  sort: { createdAt: 's.created_at' },
});

/** A session as its user sees it. */
export interface SessionOnDevice extends Device {
  readonly id: string;
  readonly createdAt: Date;
  /** When the user last proved anything in this session. */
  readonly lastAt: Date;
  /** The method of the latest sign-in. */
  readonly how: 'password' | 'provider' | 'passkey';
  readonly hasSecondFactor: boolean;
}

/** More devices than anyone can survey. */
const MOST_DEVICES = 100;

const ON_DEVICES = statement(
  'session.on_devices',
  `SELECT s.id, s.created_at AS "createdAt",
     greatest(
       s.password_checked_at, s.external_checked_at, s.passkey_checked_at, s.factor_checked_at, s.created_at) AS "lastAt",
     CASE greatest(s.password_checked_at, s.external_checked_at, s.passkey_checked_at)
       WHEN s.password_checked_at THEN 'password'
       WHEN s.external_checked_at THEN 'provider'
       ELSE 'passkey'
     END AS how,
     s.factor_checked_at IS NOT NULL AS "hasSecondFactor",
     b.agent, b.system, b.network
   FROM session s
   JOIN browser b ON b.id = s.browser_id
   WHERE s.user_id = :userId AND s.ended_at IS NULL
   ORDER BY "lastAt" DESC
   LIMIT ${MOST_DEVICES}`,
).rows<SessionOnDevice>();

/** Stands for a session to be kept where all shall end. */
const NONE = '';

const LIVING: Condition = () => 's.ended_at IS NULL';

const OF_USER = statement(
  'session.of_user',
  `SELECT 1
   FROM session
   WHERE id = :id AND user_id = :userId AND ended_at IS NULL`,
);

/** Where a user is signed in, for managers and for the user. */
@Injectable()
export class UserSessions {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionService,
  ) {}

  /** The sessions that have not ended, in the order in which they began. */
  async list(
    userId: string,
    range: { offset: bigint; limit: number; ascending: boolean },
  ): Promise<Page<SessionEntry>> {
    return LISTING.page(this.database, { ...range, sortBy: 'createdAt', where: [equals('s.user_id', userId), LIVING] });
  }

  /** The sessions that have not ended, with their devices, the latest first. */
  async onDevices(userId: string): Promise<SessionOnDevice[]> {
    return this.database.query(ON_DEVICES, { userId });
  }

  /**
   * Ends a session; its access tokens become invalid with the commit.
   * @throws DomainError NotFound `session.not_found`
   */
  async end(tx: Transaction, userId: string, id: string, editorId: string): Promise<number> {
    if ((await tx.query(OF_USER, { id, userId })).length === 0) throw sessionNotFound();
    return this.sessions.end(tx, [id], editorId);
  }

  /** @returns how many there were */
  async endAll(tx: Transaction, userId: string, editorId: string): Promise<number> {
    return this.sessions.endOthersOf(tx, userId, NONE, editorId);
  }
}
