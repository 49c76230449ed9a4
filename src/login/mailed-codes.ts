import { Injectable } from '@nestjs/common';
import { AttemptService } from '../foundation/attempt/attempt.service.js';
import { mailedCodeLimit, mailLimit } from '../session/proof/limits.js';
import type { CheckedCode } from '../user/user-codes.js';
import { unhurried } from './unhurried.js';

/** Codes sent by mail, within their limits: requesting the mail and typing the code. */
@Injectable()
export class MailedCodes {
  constructor(private readonly attempts: AttemptService) {}

  /**
   * `mail` is undefined if there is no recipient; the call takes as long.
   * @throws DomainError ResourceExhausted `attempt.too_many`
   */
  async send(address: string, mail: (() => Promise<void>) | undefined): Promise<void> {
    await this.attempts.count([mailLimit(address)]);
    await unhurried(mail?.() ?? Promise.resolve());
  }

  /**
   * Counts the attempt before `look` checks it, and forgets it if the code was right.
   * @throws DomainError ResourceExhausted `attempt.too_many`
   */
  async check(address: string, look: () => Promise<CheckedCode | undefined>): Promise<CheckedCode | undefined> {
    const limit = mailedCodeLimit(address);
    const code = await this.attempts.attempt([limit], look);
    if (code) await this.attempts.forgive([], [limit]);
    return code;
  }
}
