import { Injectable } from '@nestjs/common';
import { type EventMark, lastMark } from '../../foundation/event/journal.js';
import { MyAccount } from '../../management/user/my-account.js';
import { PendingEmails } from '../../user/pending-emails.js';
import type { Actor } from '../../user/permission/actor.js';
import { UserService } from '../../user/user.service.js';
import { MyCodes } from './my-codes.js';

/** The new e-mail address that the caller has asked for. */
@Injectable()
export class MyEmail {
  constructor(
    private readonly account: MyAccount,
    private readonly pending: PendingEmails,
    private readonly users: UserService,
    private readonly codes: MyCodes,
  ) {}

  async isAwaited({ userId }: Pick<Actor, 'userId'>): Promise<boolean> {
    return (await this.pending.find(userId)) !== undefined;
  }

  /**
   * Makes it the caller's, by the code that was sent there.
   * @param field the field of the request that contains the code
   * @throws DomainError as `MyAccount.prove` and `MyCodes.tried`
   */
  async verify(actor: Actor, code: string, field = 'code'): Promise<EventMark> {
    await this.account.prove(actor, 'changeEmail');
    const { userId } = actor;
    const change = async (): Promise<EventMark | undefined> => {
      const checked = await this.pending.check(userId, code);
      if (!checked) return undefined;
      return this.account.make(actor, async (tx, user) =>
        (await this.pending.spend(tx, user, checked)) ? lastMark(await this.users.get(tx, user.id)) : undefined,
      );
    };
    return this.codes.tried(userId, change, field);
  }
}
