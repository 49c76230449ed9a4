import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import type { Secret } from '../../foundation/config/secret.js';
import { Database } from '../../foundation/database/database.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { type EventMark, lastMark } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { mailedCodeLimit, passwordLimits } from '../../session/proof/limits.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { type Actor, turnOfActor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import { checkPerson } from '../../user/person.service.js';
import { Registrations } from '../../user/registrations.js';
import { registrationUnproven, userInitial } from '../../user/user.errors.js';
import type { CheckedCode } from '../../user/user-codes.js';
import { UserDirectory } from '../../user/user-directory.js';
import { loginNameOf } from '../../user/user-name.js';
import { OtherWays } from './other-ways.js';
import { SignInChanges } from './sign-in-changes.js';

/** A code as it was typed, and the field of the request that contains it. */
interface TypedCode {
  readonly text: string;
  readonly field: string;
}

/** A new password, and the field of the request that contains it. */
interface TypedPassword {
  readonly secret: Secret;
  readonly field: string;
}

/**
 * What the code of a mail proves where it is not typed on a page of ours: in an application of the person, or of
 * somebody who may manage them. The code counts as on the pages (LOG-037), and neither an application that is not
 * trusted nor a weaker manager may bring it: they could have asked the person for it.
 */
@Injectable()
export class MailedProofs {
  constructor(
    private readonly database: Database,
    private readonly directory: UserDirectory,
    private readonly memberships: Memberships,
    private readonly registrations: Registrations,
    private readonly codes: AccountCodes,
    private readonly changes: SignInChanges,
    private readonly rules: PasswordPolicyService,
    private readonly hashes: PasswordHash,
    private readonly otherWays: OtherWays,
    private readonly attempts: AttemptService,
    private readonly log: Logger,
  ) {}

  /**
   * Verifies the address to which the code was sent; an account that has a password is set up by that.
   * @throws DomainError InvalidArgument for a wrong code; NotFound `user.not_found`; PermissionDenied
   * `permission.user_too_strong`, `application.not_trusted`; FailedPrecondition `user.not_person`, `user.initial`,
   * `user.registration_unproven`; ResourceExhausted `attempt.too_many`
   */
  async verifyEmail(actor: Actor, userId: string, typed: TypedCode): Promise<EventMark> {
    const owner = await this.find(actor, userId);
    if ((await this.registrations.isUnproven(userId)) || (await this.registrations.isWithoutPassword(userId)))
      throw registrationUnproven();
    const isFirst = owner?.state === 'initial';
    if (isFirst && !owner.hasPassword) throw userInitial();
    const code = await this.check(owner, isFirst ? 'init' : 'email', typed.text);
    const isDone = code && (await (isFirst ? this.changes.setUp(code, undefined) : this.changes.verifyEmail(code)));
    if (!isDone) throw this.wrong(actor, userId, typed);
    return lastMark(await this.directory.get(actor.orgId, userId));
  }

  /**
   * Sets a password with the code of a reset, or with that of an account to be set up. Ends all sessions and tokens.
   * @throws DomainError as `verifyEmail`; InvalidArgument also for a password that breaks the organization's rules
   */
  async setPassword(actor: Actor, userId: string, typed: TypedCode, password: TypedPassword): Promise<EventMark> {
    const owner = await this.find(actor, userId);
    await this.rules.check(actor.orgId, password.secret, password.field);
    const kind = owner?.state === 'initial' ? 'init' : 'password_reset';
    const code =
      owner?.state === 'initial' || owner?.state === 'active' ? await this.check(owner, kind, typed.text) : undefined;
    if (!owner || !code) throw this.wrong(actor, userId, typed);
    const passwordHash = await this.hashes.hash(password.secret, turnOfActor(actor));
    if (!(await this.changes.resetPassword(code, passwordHash, (tx) => this.otherWays.tell(tx, userId))))
      throw this.wrong(actor, userId, typed);
    // The owner is proven, so failed guesses by others must not keep them out (LOG-034).
    const { name, account } = passwordLimits(loginNameOf(owner), userId, '');
    await this.attempts.forgive([name, account], []);
    return lastMark(await this.directory.get(actor.orgId, userId));
  }

  /** Undefined where no code counts: the organization is inactive. */
  private async find(actor: Actor, userId: string): Promise<CodeOwner | undefined> {
    checkPerson(await this.directory.get(actor.orgId, userId));
    await this.memberships.checkNotStronger(this.database, actor, userId);
    return this.codes.findOwner(userId, actor.orgId);
  }

  /** Counted against the account: callers are known, and one of them may ask for the codes of many. */
  private async check(
    owner: CodeOwner | undefined,
    kind: CheckedCode['kind'],
    typed: string,
  ): Promise<CheckedCode | undefined> {
    if (!owner) return undefined;
    const limit = mailedCodeLimit(`account ${owner.userId}`);
    const code = await this.attempts.attempt([limit], () => this.codes.check(owner.userId, kind, typed));
    if (code) await this.attempts.forgive([], [limit]);
    return code;
  }

  private wrong({ userId: callerId }: Actor, userId: string, { field }: TypedCode): Error {
    this.log.warn({ reason: 'code.over_api_wrong', userId, callerId }, 'code refused');
    return invalidFields([{ field, description: 'is not correct, or is not valid any more' }]);
  }
}
