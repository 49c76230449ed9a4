import { Injectable } from '@nestjs/common';
import type { Secret } from '../foundation/config/secret.js';
import type { Transaction } from '../foundation/database/database.js';
import { Clock } from '../foundation/time/clock.js';
import { secondsAfter } from '../foundation/time/duration.js';
import { PolicyService } from '../org/policy/policy.service.js';
import { tooManyMails } from './outbox/outbox.errors.js';
import { MAIL_WINDOW_SECONDS, type NewMail, Outbox } from './outbox/outbox.js';
import type { AccountChange, MailDetails, MailKind } from './outbox/outbox-mail.entity.js';
import type { User } from './user.entity.js';
import type { CodeKind } from './user-code.entity.js';
import { CODE_LIFETIME_SECONDS, UserCodes } from './user-codes.js';

type Addressee = Pick<User, 'id' | 'orgId' | 'email'>;

const MAIL_WITH: Readonly<Record<CodeKind, MailKind>> = {
  init: 'init',
  email: 'verifyEmail',
  password_reset: 'passwordReset',
  passkey: 'passwordlessRegistration',
};
const MAILS_WITH: Readonly<Record<CodeKind, readonly MailKind[]>> = {
  init: ['init', 'inviteUser'],
  email: ['verifyEmail'],
  password_reset: ['passwordReset'],
  passkey: ['passwordlessRegistration'],
};

/** Further data of a mail with a code, and who requested it. */
export interface CodeMail {
  readonly details?: MailDetails;
  /**
   * Requested by a visitor who is not signed in: mails to one address are then counted together, whatever user they are
   * for.
   */
  readonly isCausedByStrangers?: boolean;
  /** Whether the user did not exist before this transaction, under this id. */
  readonly isFirst?: boolean;
}

/**
 * Mails to users, queued in the transaction that causes them. A user receives at most five mails of a kind within an
 * hour (twenty one-time codes): the next one aborts the transaction or, if it is a notice, is left out.
 */
@Injectable()
export class UserMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly codes: UserCodes,
    private readonly policies: PolicyService,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a code that replaces the old one, and mails it.
   * @throws DomainError ResourceExhausted `mail.too_many`
   */
  async sendCode(tx: Transaction, to: Addressee, kind: CodeKind, mail: CodeMail = {}): Promise<void> {
    await this.add(tx, { kind: MAIL_WITH[kind], to, code: await this.issue(tx, to.id, kind), ...mail });
  }

  /** Issues a code that its caller passes on; a mail with an older one that is still queued is withdrawn. */
  async issueUnsent(tx: Transaction, userId: string, kind: CodeKind): Promise<NonNullable<NewMail['code']>> {
    await this.outbox.withdraw(tx, userId, MAILS_WITH[kind]);
    return this.issue(tx, userId, kind);
  }

  /**
   * Like the code to set an account up, worded as an invitation.
   * @throws DomainError ResourceExhausted `mail.too_many`
   */
  async sendInvitation(tx: Transaction, to: Addressee, applicationName: string): Promise<void> {
    await this.add(tx, {
      kind: 'inviteUser',
      to,
      code: await this.issue(tx, to.id, 'init'),
      details: { applicationName },
    });
  }

  /**
   * A second factor; the caller has created the code.
   * @throws DomainError ResourceExhausted `mail.too_many`
   */
  async sendOneTimeCode(
    tx: Transaction,
    to: Addressee,
    secret: Secret,
    lifetimeSeconds: number,
    details: MailDetails = {},
  ): Promise<void> {
    const code = { secret, expiresAt: secondsAfter(this.clock.now(), lifetimeSeconds) };
    await this.add(tx, { kind: 'verifyEmailOtp', to, code, details });
  }

  /** Invalidates codes, and withdraws the mails with them that are still queued. */
  async dropCodes(tx: Transaction, userId: string, kinds: readonly CodeKind[]): Promise<void> {
    await this.codes.drop(tx, userId, kinds);
    await this.outbox.withdraw(
      tx,
      userId,
      kinds.flatMap((kind) => MAILS_WITH[kind]),
    );
  }

  /** Sends the notice if the policy demands it. No mail is sent to an address that may not be the user's own. */
  async tellPasswordChanged(tx: Transaction, user: Addressee & Pick<User, 'emailVerified'>): Promise<void> {
    const { passwordChange } = await this.policies.effective('notification', user.orgId);
    if (passwordChange && user.emailVerified) await this.outbox.add(tx, { kind: 'passwordChange', to: user });
  }

  async tellDomainClaimed(
    tx: Transaction,
    to: Addressee,
    details: Required<Pick<MailDetails, 'domain' | 'formerUserName' | 'tempUserName'>>,
  ): Promise<void> {
    if (to.email !== '') await this.outbox.add(tx, { kind: 'domainClaimed', to, details });
  }

  /** Somebody tried to register with the user's address or name (LOG-027). */
  async tellRegistrationTried(tx: Transaction, user: Addressee & Pick<User, 'emailVerified'>): Promise<void> {
    if (user.emailVerified)
      await this.outbox.add(tx, { kind: 'registrationNotice', to: user, isCausedByStrangers: true });
  }

  /**
   * Tells the owner at the proven address that the account has before the change. Never at one that may not be the
   * owner's.
   */
  async tellAccountChanged(
    tx: Transaction,
    user: Addressee & Pick<User, 'emailVerified'>,
    change: AccountChange,
    about?: string,
  ): Promise<void> {
    const details = { change, ...(about === undefined ? {} : { about }) };
    if (user.emailVerified && user.email !== '')
      await this.outbox.add(tx, { kind: 'securityNotice', to: user, details });
  }

  /**
   * The link that takes a deleted account back, to the proven address alone: without one, only a manager can.
   * @throws DomainError ResourceExhausted `mail.too_many`
   */
  async tellAccountClosed(
    tx: Transaction,
    user: Addressee & Pick<User, 'emailVerified'>,
    secret: Secret,
    dueAt: Date,
  ): Promise<void> {
    const details = { change: 'accountClosed' as const, about: dueAt.toISOString().slice(0, 'yyyy-mm-dd'.length) };
    if (user.emailVerified && user.email !== '')
      await this.add(tx, { kind: 'securityNotice', to: user, code: { secret, expiresAt: dueAt }, details });
  }

  /**
   * A code to an address that is to take the place of the user's.
   * @throws DomainError ResourceExhausted `mail.too_many`, also for mails to this address that others have caused
   */
  async sendNewEmailCode(tx: Transaction, to: Addressee, secret: Secret, expiresAt: Date): Promise<void> {
    const details = { isNewEmail: true };
    await this.add(tx, { kind: 'verifyEmail', to, code: { secret, expiresAt }, details, isCausedByStrangers: true });
  }

  private async issue(tx: Transaction, userId: string, kind: CodeKind): Promise<NonNullable<NewMail['code']>> {
    const secret = await this.codes.issue(tx, userId, kind);
    return { secret, expiresAt: secondsAfter(this.clock.now(), CODE_LIFETIME_SECONDS[kind]) };
  }

  private async add(tx: Transaction, mail: NewMail): Promise<void> {
    if (!(await this.outbox.add(tx, mail))) throw tooManyMails(MAIL_WINDOW_SECONDS);
  }
}
