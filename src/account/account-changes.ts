import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../foundation/database/database.js';
import { sessionOvertaken } from '../session/session.errors.js';
import { SessionService } from '../session/session.service.js';
import type { AccountVisit } from './account-visit.js';

/** The transactions of the sections. */
@Injectable()
export class AccountChanges {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionService,
  ) {}

  /**
   * The session was read when the form arrived. Whatever has ended it since, or changed the password, comes first: a
   * thief whose form waits for a reset of the password must not add a key after it.
   * @throws DomainError FailedPrecondition `session.overtaken`, which shows the form again
   */
  async make<T>({ session }: AccountVisit, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      if (!(await this.sessions.hold(tx, session))) throw sessionOvertaken();
      return work(tx);
    });
  }
}
