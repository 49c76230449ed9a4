import { Injectable } from '@nestjs/common';
import { AttemptService } from '../attempt/attempt.service.js';
import type { CheckedCode } from '../user/user-codes.js';
import { mailedCodeLimit, mailLimit } from './limits.js';
import { unhurried } from './unhurried.js';

/** A code that travels by mail, within its limits: the mail that somebody asks for, and the code that somebody types. */
@Injectable()
export class MailedCodes {
  constructor(private readonly attempts: AttemptService) {}

  /** `mail` is absent where there is nobody to write to; that takes as long. @throws DomainError ResourceExhausted `attempt.too_many` */
  async send(address: string, mail: (() => Promise<void>) | undefined): Promise<void> {
    await this.attempts.count([mailLimit(address)]);
    await unhurried(mail?.() ?? Promise.resolve());
  }

  /** Counts the try before `look` looks, and forgets it when the code was right. @throws DomainError ResourceExhausted `attempt.too_many` */
  async check(address: string, look: () => Promise<CheckedCode | undefined>): Promise<CheckedCode | undefined> {
    const limit = mailedCodeLimit(address);
    await this.attempts.count([limit]);
    const code = await look();
    if (code) await this.attempts.forgive([], [limit]);
    return code;
  }
}
