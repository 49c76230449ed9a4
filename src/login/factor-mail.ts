import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../foundation/database/database.js';
import { DomainError } from '../foundation/error/domain-error.js';
import type { BrowserSession } from '../session/browser-session.js';
import { EmailCodes } from '../user/factor/email-codes.js';
import { ParkedVisits } from './parked-visits.js';
import type { Visit } from './visit.js';

/** Mails codes to the user who is signing in. */
@Injectable()
export class FactorMail {
  constructor(
    private readonly database: Database,
    private readonly codes: EmailCodes,
    private readonly parked: ParkedVisits,
  ) {}

  /**
   * Runs after `before`, in one transaction. Returns false, and does nothing, if the user has received too many mails.
   */
  async send(visit: Visit, session: BrowserSession, before?: (tx: Transaction) => Promise<void>): Promise<boolean> {
    try {
      await this.database.transaction(async (tx) => {
        await before?.(tx);
        await this.codes.send(tx, session, session.id, await this.parked.within(tx, visit));
      });
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'mail.too_many') return false;
      throw error;
    }
  }
}
