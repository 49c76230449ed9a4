import { Injectable } from '@nestjs/common';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { columnsOf } from '../foundation/database/columns.js';
import { equals } from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { Listing, type Page } from '../foundation/database/listing.js';
import { statement } from '../foundation/database/statement.js';
import type { DeliveryState } from '../foundation/delivery/delivery.js';
import { type EventMark, Journal } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { LogoutNotice } from './logout-notice.entity.js';
import { logoutNoticeNotFound, logoutNoticeNotWaiting } from './session.errors.js';

const ENTRY_PROPERTIES = [
  'id',
  'sessionId',
  'userId',
  'clientId',
  'state',
  'tries',
  'reason',
  'createdAt',
  'dueAt',
  'settledAt',
] as const;

/** A notice as managers see it. */
export type LogoutNoticeEntry = Pick<LogoutNotice, (typeof ENTRY_PROPERTIES)[number]>;

/** The filter; empty members are ignored. */
export interface LogoutNoticeSearch {
  readonly state: DeliveryState | undefined;
  readonly clientId: string;
}

/** Ids are numbered in the order of creation. Exported for the test of its plans. */
export const LISTING = new Listing<LogoutNoticeEntry, 'createdAt'>({
  select: columnsOf(LogoutNotice, 'n', ENTRY_PROPERTIES),
  from: 'logout_notice n',
  key: 'n.id',
  sort: { createdAt: 'n.id' },
});

const HOLD = statement(
  'logout_notice.hold',
  `SELECT ${columnsOf(LogoutNotice, 'n', ['state', 'reason', 'clientId', 'sessionId'])}
   FROM logout_notice n
   WHERE n.id = :id
   FOR UPDATE`,
).rows<Pick<LogoutNotice, 'state' | 'reason' | 'clientId' | 'sessionId'>>();

const RETRY = statement(
  'logout_notice.retry',
  `UPDATE logout_notice SET state = 'waiting', tries = 0, reason = '', due_at = :now, settled_at = NULL
   WHERE id = :id`,
);

/** Ids are numbers in the database, and nothing else can be one. */
const ID = /^\d{1,18}$/;

/** Which applications were told of the ends of sessions, for managers. */
@Injectable()
export class LogoutNotices {
  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
  ) {}

  /** Lists notices in the order of their creation. */
  async list(
    { state, clientId }: LogoutNoticeSearch,
    range: { offset: bigint; limit: number; ascending: boolean },
  ): Promise<Page<LogoutNoticeEntry>> {
    const where = [
      ...(state === undefined ? [] : [equals('n.state', state)]),
      ...(clientId === '' ? [] : [equals('n.client_id', clientId)]),
    ];
    return LISTING.page(this.database, { ...range, sortBy: 'createdAt', where });
  }

  /**
   * Makes a notice due now, with as many attempts as a new one.
   * @throws DomainError NotFound `logout_notice.not_found`; FailedPrecondition `logout_notice.not_waiting`
   */
  async retry(id: string, editorId: string): Promise<{ mark: EventMark; instanceId: string }> {
    return this.database.transaction(async (tx) => {
      const [notice] = ID.test(id) ? await tx.query(HOLD, { id }) : [];
      if (!notice) throw logoutNoticeNotFound();
      if (notice.state !== 'dead' && notice.state !== 'waiting') throw logoutNoticeNotWaiting();
      // A waiting notice without a failure is being delivered already, and would be delivered twice.
      if (notice.state === 'dead' || notice.reason !== '') {
        await tx.query(RETRY, { id, now: this.clock.now() });
        await this.changes.announce(tx, 'logout-notice', EVERYTHING);
      }
      const instance = await this.instances.get();
      const mark = await this.journal.append(tx, {
        aggregateType: 'logout_notice',
        aggregateId: id,
        type: 'logout_notice.retried',
        orgId: instance.id,
        editorId,
        payload: { clientId: notice.clientId, sessionId: notice.sessionId },
      });
      return { mark, instanceId: instance.id };
    });
  }
}
