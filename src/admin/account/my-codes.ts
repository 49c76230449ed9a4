import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { codeLimits } from '../../session/proof/limits.js';

/** Codes that callers send for their own account, counted before they are looked at. */
@Injectable()
export class MyCodes {
  constructor(private readonly attempts: AttemptService) {}

  /**
   * Tries a code: what `work` returns for a right one, undefined for a wrong one. Counted against the account alone:
   * callers of this API are known, and may share an address with many. `field`: of the request, with the code.
   * @throws DomainError InvalidArgument for a wrong code; ResourceExhausted `attempt.too_many`; and whatever `work`
   * throws
   */
  async tried<T>(userId: string, work: () => Promise<T | undefined>, field = 'code'): Promise<T> {
    const { account } = codeLimits(userId, '');
    const outcome = await this.attempts.attempt([account], work);
    if (outcome === undefined)
      throw invalidFields([{ field, description: 'is not correct, or is not valid any more' }]);
    await this.attempts.forgive([account], []);
    return outcome;
  }
}
