import { Injectable } from '@nestjs/common';
import { newId } from '../../foundation/crypto/id.js';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { DayCounts } from '../../foundation/day-count/day-counts.js';
import { Journal } from '../../foundation/event/journal.js';
import { InstanceService } from '../../org/instance/instance.service.js';

/** The user whose sign-in was refused. */
export interface RefusedUser {
  readonly userId: string;
  readonly orgId: string;
  readonly userName: string;
}

/** A refused sign-in of a user, as the journal has it. */
export interface RefusedSignInEntry {
  readonly at: Date;
  readonly presented: Presented;
  /** Empty where the kind of factor says everything. */
  readonly reason: string;
  /** The kind of second factor; empty for others. */
  readonly factor: string;
}

interface FoundRefusal {
  readonly at: Date;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const LAST_OF_USER = statement(
  'refused_sign_in.last_of_user',
  `SELECT e.created_at AS at, e.type, e.payload
   FROM event e
   WHERE e.aggregate_type = 'sign_in' AND e.payload ->> 'userId' = :userId
   ORDER BY e.position DESC
   LIMIT :most`,
).rows<FoundRefusal>();

/** What was presented. */
export type Presented = 'password' | 'passkey' | 'mfa';

/**
 * Journals refused sign-ins. Each is an aggregate of its own: concurrent refusals must not wait for one another's
 * number, and guesses of others must not extend the user's own sequence. The event names the user, if there is one, and
 * nothing of what was typed: people type passwords into name fields (LOG-125).
 */
@Injectable()
export class RefusedSignIns {
  constructor(
    private readonly journal: Journal,
    private readonly instances: InstanceService,
    private readonly database: Database,
    private readonly counts: DayCounts,
  ) {}

  /** The last ones of a user, the latest first. */
  async lastOf(userId: string, most: number): Promise<RefusedSignInEntry[]> {
    const found = await this.database.query(LAST_OF_USER, { userId, most });
    return found.map(({ at, type, payload: { reason, factor } }) => ({
      at,
      presented: PRESENTED.find((one) => EVENTS[one] === type) ?? 'password',
      reason: typeof reason === 'string' ? reason : '',
      factor: typeof factor === 'string' ? factor : '',
    }));
  }

  /** Records in a transaction of its own, which is kept whatever becomes of the request. */
  async record(
    presented: Presented,
    user: RefusedUser | undefined,
    editorId: string,
    payload: Readonly<Record<string, string>>,
  ): Promise<void> {
    // Read for everybody: it must take the same time whether or not there is a user.
    const { id: instanceId } = await this.instances.get();
    this.counts.addOfOrg('refused_sign_in', user?.orgId ?? instanceId, presented);
    await this.journal.append(this.database, {
      aggregateType: 'sign_in',
      aggregateId: newId(),
      type: EVENTS[presented],
      orgId: user?.orgId ?? instanceId,
      editorId,
      payload: { ...payload, userId: user?.userId ?? null, userName: user?.userName ?? null },
    });
  }
}

const EVENTS: Readonly<Record<Presented, string>> = {
  password: 'sign_in.password.check.failed',
  passkey: 'sign_in.passkey.check.failed',
  mfa: 'sign_in.mfa.check.failed',
};
const PRESENTED = Object.keys(EVENTS) as readonly Presented[];
