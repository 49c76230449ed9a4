import { Injectable } from '@nestjs/common';
import { newId } from '../../foundation/crypto/id.js';
import { Database } from '../../foundation/database/database.js';
import { DayCounts } from '../../foundation/day-count/day-counts.js';
import { Journal } from '../../foundation/event/journal.js';
import { InstanceService } from '../../org/instance/instance.service.js';

/** The user whose sign-in was refused. */
export interface RefusedUser {
  readonly userId: string;
  readonly orgId: string;
  readonly userName: string;
}

/** What was presented. */
type Presented = 'password' | 'passkey' | 'mfa';

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

  /** Records in a transaction of its own, which is kept whatever becomes of the request. */
  async record(
    presented: Presented,
    user: RefusedUser | undefined,
    editorId: string,
    payload: Readonly<Record<string, string>>,
  ): Promise<void> {
    // Read for everybody: it must take the same time whether or not there is a user.
    const { id: instanceId } = await this.instances.get();
    this.counts.add('refused_sign_in', user?.orgId ?? instanceId, presented);
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
