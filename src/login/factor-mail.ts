import { Injectable } from '@nestjs/common';
import { DomainError } from '../foundation/error/domain-error.js';
import { SignInChanges } from '../management/user/sign-in-changes.js';
import type { BrowserSession } from '../session/browser-session.js';
import { ParkedVisits } from './parked-visits.js';
import type { Visit } from './visit.js';

/** Mails codes to the user who is signing in. */
@Injectable()
export class FactorMail {
  constructor(
    private readonly changes: SignInChanges,
    private readonly parked: ParkedVisits,
  ) {}

  /**
   * @param begins whether the mail also begins to set the factor up
   * @returns false, and does nothing, if the user has received too many mails
   */
  async send(visit: Visit, session: BrowserSession, { begins = false } = {}): Promise<boolean> {
    try {
      await this.changes.mailCode(session, begins, (tx) => this.parked.within(tx, visit));
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'mail.too_many') return false;
      throw error;
    }
  }
}
