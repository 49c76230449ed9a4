import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { DeliveryQueue, deliveryStatements } from '../foundation/delivery/delivery-queue.js';
import { Clock } from '../foundation/time/clock.js';
import { LogoutNotice } from './logout-notice.entity.js';

/** How many calls one application gets at once from one process. */
export const CALLS_PER_CLIENT = 4;

const CLAIMED_PROPERTIES = ['id', 'sessionId', 'userId', 'clientId', 'clientEpoch', 'tries'] as const;

/** A notice claimed by a worker. */
export type ClaimedNotice = Pick<LogoutNotice, (typeof CLAIMED_PROPERTIES)[number]>;

const NOTICES = {
  table: 'logout_notice',
  entity: LogoutNotice,
  receiver: 'client_id',
  ownerOf: (clientId: string) =>
    `(SELECT p.org_id FROM client c JOIN project p ON p.id = c.project_id WHERE c.client_id = ${clientId})`,
  claimed: CLAIMED_PROPERTIES,
  perReceiver: CALLS_PER_CLIENT,
  claimSeconds: 30,
  deliveredDays: 1,
  failedDays: 7,
} as const;

const STATEMENTS = deliveryStatements(NOTICES);

/** The notices as workers see them; applications are the receivers. */
@Injectable()
export class LogoutQueue extends DeliveryQueue<ClaimedNotice> {
  constructor(database: Database, clock: Clock) {
    super(database, clock, STATEMENTS, NOTICES);
  }
}
