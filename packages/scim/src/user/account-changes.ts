import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Journal, type ManagedUser, type ManagedUserChange, ManagedUsers, type SqlTransaction } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { ScimError } from '../error/scim-error.js';
import { userDescribed } from '../provisioning/provisioning.events.js';
import type { Document } from '../resource/document.js';
import { EXTERNAL_ID } from '../schema/common.schema.js';
import { ACTIVE } from '../schema/user.schema.js';
import { ACCOUNT_MEMBERS, type Account, accountOf } from './account.js';
import { type ProvisionedUser, ProvisionedUsers, storedOf } from './provisioned-users.js';

/** An account that was changed, and what remains to be kept of it. */
export interface Settled {
  readonly before: ProvisionedUser;
  readonly next: Document;
  /** The account after its members have changed. */
  readonly user: ManagedUser;
}

/** What a changed resource means for the account, and for what is kept beside it. */
@Injectable()
export class AccountChanges {
  constructor(
    private readonly users: ManagedUsers,
    private readonly provisioned: ProvisionedUsers,
    private readonly journal: Journal,
  ) {}

  /** What differs. An address that stays keeps its proof, and gets one where the directory is believed. */
  between(user: ManagedUser, shown: Account, next: Account, isVerified: boolean): ManagedUserChange {
    const changed = ACCOUNT_MEMBERS.filter((member) => shown[member] !== next[member]);
    const change: ManagedUserChange = Object.fromEntries(changed.map((member) => [member, next[member]]));
    if (changed.includes('email')) return { ...change, emailVerified: isVerified };
    return isVerified && !user.emailVerified ? { ...change, emailVerified: true } : change;
  }

  /** Opens or shuts the account, and keeps what the directory has said. */
  async settle(
    tx: SqlTransaction,
    caller: Caller,
    { before, next, user }: Settled,
  ): Promise<readonly [ManagedUser, ProvisionedUser]> {
    const isActive = next.flag(ACTIVE) ?? user.state !== 'inactive';
    const now = await this.withState(tx, caller, before, user, isActive);
    const stays = user.state === 'inactive' && before.wasLocked;
    const wasLocked = now.state === 'inactive' && (stays || user.state === 'locked');
    const became = accountOf(now);
    const isSaid = isDeepStrictEqual(storedOf(next), storedOf(before.said));
    const isSame = isSaid && next.text(EXTERNAL_ID) === before.externalId && wasLocked === before.wasLocked;
    if (isSame && isDeepStrictEqual(became, { ...before.became })) return [now, before];
    if (!isSame)
      await this.journal.append(tx, userDescribed, {
        aggregateId: user.id,
        orgId: caller.orgId,
        editorId: caller.userId,
        payload: { directoryId: caller.userId },
      });
    const said = { userId: user.id, directoryId: caller.userId, document: next, became, wasLocked };
    return [now, await this.provisioned.save(tx, said)];
  }

  /** @throws ScimError 403 for an account that was locked: opening it would undo the lock */
  private async withState(
    tx: SqlTransaction,
    caller: Caller,
    before: ProvisionedUser,
    user: ManagedUser,
    isActive: boolean,
  ): Promise<ManagedUser> {
    const isShut = user.state === 'inactive';
    if (isActive === !isShut) return user;
    if (!isActive) return this.users.deactivate(caller, user.id, tx);
    if (before.wasLocked)
      throw new ScimError(
        403,
        undefined,
        'PermissionDenied',
        'scim.locked',
        'The account was locked when the directory deactivated it: a manager reactivates it.',
      );
    return this.users.reactivate(caller, user.id, tx);
  }
}
