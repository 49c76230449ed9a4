import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { equalDigests } from '../../foundation/crypto/digest.js';
import { newId } from '../../foundation/crypto/id.js';
import { keyedHash } from '../../foundation/crypto/keyed-hash.js';
import { MasterKeys, type PurposeKey } from '../../foundation/crypto/master-key.js';
import { plainCode } from '../../foundation/crypto/typed-code.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { MailDetails } from '../outbox/outbox-mail.entity.js';
import type { User } from '../user.entity.js';
import { emailNotVerified } from '../user.errors.js';
import { UserService } from '../user.service.js';
import { UserMails } from '../user-mails.js';
import { factorExists, factorNotFound } from './factor.errors.js';
import { FactorRepository } from './factor.repository.js';
import type { FactorOwner } from './factor-owner.js';

const PURPOSE = 'factor-code';
export const EMAIL_CODE_DIGITS = 8;
export const EMAIL_CODE_LIFETIME_SECONDS = 5 * seconds.perMinute;

/** A correct code; created only by `EmailCodes.tryCode`. */
export interface TriedCode {
  readonly owner: FactorOwner;
  readonly sessionId: string;
  readonly codeHash: string;
}

/**
 * One-time codes by e-mail as a second factor: eight digits, valid for five minutes, once, in the session that
 * requested them.
 */
@Injectable()
export class EmailCodes {
  constructor(
    private readonly database: Database,
    private readonly factors: FactorRepository,
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins the set-up, which typing the code that is then sent completes.
   * @throws DomainError AlreadyExists `factor.exists`
   */
  async begin(tx: Transaction, owner: FactorOwner, sessionId: string): Promise<void> {
    const factor = { id: newId(), userId: owner.userId, kind: 'otp_email' as const, createdAt: this.clock.now() };
    if (!(await this.factors.begin(tx, factor, sessionId, null))) throw factorExists();
  }

  /**
   * Sets it up without a first code, for a user who has verified the address; finishes a set-up that was begun.
   * @throws DomainError FailedPrecondition `user.email_not_verified`; AlreadyExists `factor.exists`
   */
  async add(tx: Transaction, { id: userId, emailVerified }: User): Promise<void> {
    if (!emailVerified) throw emailNotVerified();
    const factor = { id: newId(), userId, kind: 'otp_email' as const, createdAt: this.clock.now() };
    if (!(await this.factors.activate(tx, factor))) throw factorExists();
    await this.tellAdded(tx, userId);
  }

  /**
   * Mails a new code that replaces the old one.
   * @throws DomainError NotFound `factor.not_found`; ResourceExhausted `mail.too_many`
   */
  async send(tx: Transaction, owner: FactorOwner, sessionId: string, details: MailDetails = {}): Promise<void> {
    const user = await this.users.get(tx, owner.userId);
    // An address that was changed and not verified since may not be the user's.
    if (!user.emailVerified) throw factorNotFound();
    const code = String(randomInt(10 ** EMAIL_CODE_DIGITS)).padStart(EMAIL_CODE_DIGITS, '0');
    const codeHash = hashOf(this.masterKeys.current(PURPOSE), user, code);
    const expiresAt = secondsAfter(this.clock.now(), EMAIL_CODE_LIFETIME_SECONDS);
    if (!(await this.factors.putCode(tx, owner.userId, sessionId, codeHash, expiresAt))) throw factorNotFound();
    await this.mails.sendOneTimeCode(tx, user, new Secret(code), EMAIL_CODE_LIFETIME_SECONDS, details);
    await this.users.change(tx, owner.userId, {}, 'user.human.otp.email.code.added', owner.userId);
  }

  /** The address to which codes are sent. */
  async addressOf({ userId }: FactorOwner): Promise<string> {
    return (await this.database.transaction((tx) => this.users.get(tx, userId))).email;
  }

  /** Whether this session has a code that is still valid. */
  async isOnItsWay(owner: FactorOwner, sessionId: string): Promise<boolean> {
    return this.factors.hasCode(owner.userId, sessionId, this.clock.now());
  }

  /**
   * The correct code, not used up yet; undefined for a wrong one, or one sent to a previous address. Counts by itself,
   * whatever the caller does next: after ten attempts the code is invalid.
   */
  async tryCode(owner: FactorOwner, sessionId: string, typed: string): Promise<TriedCode | undefined> {
    const codeHash = await this.factors.tryCode(owner.userId, sessionId, this.clock.now());
    const key = codeHash === undefined ? undefined : this.masterKeys.find(PURPOSE, codeHash.split('.')[1] ?? '');
    if (codeHash === undefined || !key) return undefined;
    const addressee = { id: owner.userId, email: await this.addressOf(owner) };
    const isRight = equalDigests(Buffer.from(hashOf(key, addressee, plainCode(typed))), Buffer.from(codeHash));
    return isRight ? { owner, sessionId, codeHash } : undefined;
  }

  /** Uses the code up and activates a factor that was being set up. False if it was used already. */
  async spend(tx: Transaction, { owner, sessionId, codeHash }: TriedCode): Promise<boolean> {
    const before = await this.factors.spendCode(tx, owner.userId, sessionId, codeHash);
    if (before === 'pending') await this.tellAdded(tx, owner.userId);
    return before !== undefined;
  }

  private async tellAdded(tx: Transaction, userId: string): Promise<void> {
    await this.users.change(tx, userId, {}, 'user.human.otp.email.added', userId);
    await this.mails.tellAccountChanged(tx, await this.users.get(tx, userId), 'emailCodesAdded');
  }
}

function hashOf(key: PurposeKey, to: Pick<User, 'id' | 'email'>, code: string): string {
  return keyedHash(key, [to.id, to.email, code]);
}
