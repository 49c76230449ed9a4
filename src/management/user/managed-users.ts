import { Injectable } from '@nestjs/common';
import type { Secret } from '../../foundation/config/secret.js';
import { Database, type Transaction, type Transactional } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import type { EncodedPassword } from '../../foundation/password/encoded-password.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { SessionService } from '../../session/session.service.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { type Actor, turnOfActor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import { checkPerson } from '../../user/person.service.js';
import type { User } from '../../user/user.entity.js';
import { UserService } from '../../user/user.service.js';
import { UserRemoval } from './user-removal.js';

/** Stands for a session to be kept where all shall end. */
const NONE = '';

/**
 * Users as their managers may change them: those of the organization that a call is about, unless they have more rights
 * than the manager. `on`: the transaction to take part in, in place of one of its own.
 */
@Injectable()
export class ManagedUsers {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
    private readonly memberships: Memberships,
    private readonly sessions: SessionService,
    private readonly passwordPolicies: PasswordPolicyService,
    private readonly passwords: PasswordHash,
    private readonly removal: UserRemoval,
  ) {}

  /**
   * The only way for a manager to change a user, who is locked until the transaction ends.
   * @throws DomainError NotFound `user.not_found`, also for users of another organization; PermissionDenied
   * `permission.user_too_strong`
   */
  async change<T>(
    actor: Actor,
    userId: string,
    work: (tx: Transaction, user: User) => Promise<T>,
    on: Transactional = this.database,
  ): Promise<T> {
    return on.transaction(async (tx) => {
      const user = await this.users.getOf(tx, actor.orgId, userId);
      await this.memberships.checkNotStronger(tx, actor, userId);
      return work(tx, user);
    });
  }

  /**
   * Ends all sessions.
   * @throws DomainError FailedPrecondition, also `member.last_owner`
   */
  async deactivate(actor: Actor, userId: string, on?: Transactional): Promise<EventMark> {
    return this.shut(actor, userId, (tx, user) => this.users.deactivate(tx, user, actor.userId), on);
  }

  /**
   * Ends all sessions.
   * @throws DomainError FailedPrecondition, also `member.last_owner`
   */
  async lock(actor: Actor, userId: string): Promise<EventMark> {
    return this.shut(actor, userId, (tx, user) => this.users.lock(tx, user, actor.userId));
  }

  /**
   * Sets a password chosen by the manager and ends all sessions and tokens.
   * @throws DomainError InvalidArgument for a password that breaks the organization's rules; FailedPrecondition
   * `user.not_person`
   */
  async setPassword(
    actor: Actor,
    userId: string,
    password: Secret,
    options: { changeRequired: boolean },
    on?: Transactional,
  ): Promise<EventMark> {
    await this.passwordPolicies.check(actor.orgId, password, 'password');
    const passwordHash = await this.passwords.hash(password, turnOfActor(actor));
    const set = (tx: Transaction, user: User): Promise<EventMark> =>
      this.storePassword(tx, actor, user, passwordHash, options);
    return this.change(actor, userId, set, on);
  }

  /**
   * Like `setPassword`, within a change, for a password that was checked and hashed.
   * @throws DomainError FailedPrecondition `user.not_person`
   */
  async storePassword(
    tx: Transaction,
    actor: Actor,
    user: User,
    passwordHash: EncodedPassword,
    options: { changeRequired: boolean },
  ): Promise<EventMark> {
    checkPerson(user);
    const mark = await this.users.setPassword(tx, user, passwordHash, options, actor.userId);
    await this.sessions.endOthersOf(tx, user.id, NONE);
    return mark;
  }

  /**
   * Removes the user with everything that belongs to it, with an event for each object.
   * @throws DomainError FailedPrecondition `member.last_owner`
   */
  async remove(actor: Actor, userId: string, on?: Transactional): Promise<EventMark> {
    return this.shut(actor, userId, (tx) => this.removal.remove(tx, userId, actor.userId), on);
  }

  private async shut(
    actor: Actor,
    userId: string,
    work: (tx: Transaction, user: User) => Promise<EventMark>,
    on?: Transactional,
  ): Promise<EventMark> {
    const shut = async (tx: Transaction, user: User): Promise<EventMark> => {
      // A user who may write the instance is one of its owners, of whom one must remain.
      if ((await this.memberships.rightsOf(userId, tx)).mayEverywhere('iam.write'))
        await this.memberships.checkOwnerRemains(tx, [userId]);
      await this.sessions.endOthersOf(tx, userId, NONE);
      return work(tx, user);
    };
    return this.change(actor, userId, shut, on);
  }
}
