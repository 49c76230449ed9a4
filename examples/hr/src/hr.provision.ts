import { Injectable } from '@nestjs/common';
import type { EventListener, HeardEvent, SqlTransaction } from 'gatehouse';

/** What the environment says: the prefix of all cost centres. */
export class HrSettings {
  constructor(readonly company: string) {}
}

/** Gives each new person a cost centre. */
@Injectable()
export class HrProvision implements EventListener {
  readonly name = 'provision';
  readonly types = ['user.human.added'];
  readonly since = 'beginning';

  constructor(private readonly settings: HrSettings) {}

  async handle(events: readonly HeardEvent[], tx: SqlTransaction): Promise<void> {
    for (const { aggregateId, payload } of events) {
      // The event may be old, and the user removed since.
      await tx.query(
        `INSERT INTO ext_hr.employee (user_id, cost_centre)
         SELECT id, :costCentre FROM user_account WHERE id = :userId
         ON CONFLICT (user_id) DO NOTHING`,
        { userId: aggregateId, costCentre: `${this.settings.company}-${String(payload['userName'])}` },
      );
    }
  }
}
