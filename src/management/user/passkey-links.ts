import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import type { Transaction } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { passkeysNotAllowed } from '../../user/factor/factor.errors.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import { passkeyLinkOf } from '../../user/passkey-link.js';
import type { Actor } from '../../user/permission/actor.js';
import { PersonService } from '../../user/person.service.js';
import type { User } from '../../user/user.entity.js';
import { CODE_LIFETIME_SECONDS } from '../../user/user-codes.js';
import { ManagedUsers } from './managed-users.js';

/** A link by which a user adds a passkey, and for how long it works. */
export interface PasskeyLink {
  readonly link: string;
  readonly lifetimeSeconds: number;
}

/**
 * Links by which users add a passkey without signing in: for newcomers, for those who have lost theirs, and for another
 * device of a user's own.
 */
@Injectable()
export class PasskeyLinks {
  constructor(
    private readonly managed: ManagedUsers,
    private readonly persons: PersonService,
    private readonly passkeys: PasskeyService,
    private readonly policies: PolicyService,
    private readonly issuer: IssuerConfig,
  ) {}

  /**
   * Makes a link that the manager passes on.
   * @throws DomainError as `ManagedUsers.change`; FailedPrecondition `passkey.unavailable`, `passkey.not_allowed`,
   * `user.not_person`, `user.initial`
   */
  async make(actor: Actor, userId: string): Promise<PasskeyLink & { readonly mark: EventMark }> {
    await this.checkUsable(actor.orgId);
    return this.managed.change(actor, userId, (tx, user) => this.makeFor(tx, user, actor.userId));
  }

  /** Like `make`, within the transaction that creates the user, after `checkUsable`. */
  async makeFor(tx: Transaction, user: User, editorId: string): Promise<PasskeyLink & { readonly mark: EventMark }> {
    const { code, mark } = await this.persons.makePasskeyCode(tx, user, editorId);
    const link = passkeyLinkOf(this.issuer.publicUrl, { userId: user.id, orgId: user.orgId, code: code.reveal() });
    return { link, lifetimeSeconds: CODE_LIFETIME_SECONDS.passkey, mark };
  }

  /**
   * Sends the link to the user's verified address.
   * @throws DomainError as `make`; FailedPrecondition `user.email_not_verified`; ResourceExhausted `mail.too_many`
   */
  async send(actor: Actor, userId: string): Promise<EventMark> {
    await this.checkUsable(actor.orgId);
    return this.managed.change(actor, userId, (tx, user) => this.sendFor(tx, user, actor.userId));
  }

  /** Like `send`, within a transaction, after `checkUsable`. */
  async sendFor(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    return this.persons.sendPasskeyLink(tx, user, editorId);
  }

  /** @throws DomainError FailedPrecondition `passkey.unavailable`, `passkey.not_allowed` */
  async checkUsable(orgId: string): Promise<void> {
    this.passkeys.checkPossible();
    const { passwordlessType } = await this.policies.effective('login', orgId);
    if (passwordlessType !== 'allowed') throw passkeysNotAllowed();
  }
}
