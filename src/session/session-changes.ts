import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../foundation/database/database.js';
import type { BrowserSession } from './browser-session.js';
import { sessionOvertaken } from './session.errors.js';
import { SessionService } from './session.service.js';

/** Changes that somebody makes in a session, of what signs the user in or of the account. */
@Injectable()
export class SessionChanges {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionService,
  ) {}

  /**
   * The session was read when the form arrived. Whatever has ended it since, or changed the password, comes first: a
   * thief whose form waits for a reset of the password must not add a key after it.
   * @throws DomainError FailedPrecondition `session.overtaken`, whereupon nothing was done
   */
  async make<T>({ session }: { readonly session: BrowserSession }, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      if (!(await this.sessions.hold(tx, session))) throw sessionOvertaken();
      return work(tx);
    });
  }
}
