import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { PersonalAccessTokens } from '../../token/personal-access-tokens.js';
import { MachineKeys } from '../../user/machine-keys.js';
import { UserService } from '../../user/user.service.js';
import { BELONGINGS } from './belongings.js';

/** The removal of a user with everything that belongs to it. */
@Injectable()
export class UserRemoval {
  constructor(
    private readonly users: UserService,
    private readonly keys: MachineKeys,
    private readonly personalTokens: PersonalAccessTokens,
    private readonly links: IdpLinks,
    private readonly clock: Clock,
  ) {}

  /** Removes a user, with an event for each object. The caller has locked the user and ended the sessions. */
  async remove(tx: Transaction, userId: string, editorId: string): Promise<EventMark> {
    await this.keys.endAllOf(tx, userId, editorId);
    await this.personalTokens.endAllOf(tx, userId, editorId);
    await this.links.removeAllOfUser(tx, userId, editorId);
    for (const ends of BELONGINGS) await tx.query(ends, { userId, editorId, now: this.clock.now() });
    return this.users.remove(tx, userId, editorId);
  }
}
