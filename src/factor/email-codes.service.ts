import { createHmac, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { equalDigests } from '../crypto/digest.js';
import { newId } from '../crypto/id.js';
import { MasterKeys, type PurposeKey } from '../crypto/master-key.js';
import { Secret } from '../crypto/secret.js';
import { Database, type Transaction } from '../database/database.js';
import type { MailDetails } from '../outbox/outbox-mail.entity.js';
import { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';
import type { User } from '../user/user.entity.js';
import { UserService } from '../user/user.service.js';
import { UserMails } from '../user/user-mails.js';
import { factorExists, factorNotFound } from './factor.errors.js';
import { FactorRepository } from './factor.repository.js';
import type { FactorOwner } from './factor-owner.js';

const PURPOSE = 'factor-code';
const DIGITS = 8;
const LIFETIME_SECONDS = 5 * seconds.perMinute;

/** A code that proves who typed it; made by `EmailCodes.tryCode` alone. */
export interface TriedCode {
  readonly owner: FactorOwner;
  readonly sessionId: string;
  readonly codeHash: string;
}

/** One-time codes by e-mail as a second factor. Eight digits, five minutes, in the session that asked for them, once. */
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

  /** The first step of setting it up; the code that is then sent proves the rest. @throws DomainError AlreadyExists `factor.exists` */
  async begin(tx: Transaction, owner: FactorOwner, sessionId: string): Promise<void> {
    const factor = { id: newId(), userId: owner.userId, kind: 'otp_email' as const, createdAt: this.clock.now() };
    if (!(await this.factors.begin(tx, factor, sessionId, null))) throw factorExists();
  }

  /**
   * A new code in place of the old one, on its way to the person.
   * @throws DomainError NotFound `factor.not_found`; ResourceExhausted `mail.too_many`
   */
  async send(tx: Transaction, owner: FactorOwner, sessionId: string, details: MailDetails = {}): Promise<void> {
    const user = await this.users.get(tx, owner.userId);
    // An address that was changed and not proved since need not be the person's.
    if (!user.emailVerified) throw factorNotFound();
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    const codeHash = hashOf(this.masterKeys.current(PURPOSE), user, code);
    const expiresAt = secondsAfter(this.clock.now(), LIFETIME_SECONDS);
    if (!(await this.factors.putCode(tx, owner.userId, sessionId, codeHash, expiresAt))) throw factorNotFound();
    await this.mails.sendOneTimeCode(tx, user, new Secret(code), LIFETIME_SECONDS, details);
    await this.users.change(tx, owner.userId, {}, 'user.human.otp.email.code.added', owner.userId);
  }

  /** Where codes are sent. */
  async addressOf({ userId }: FactorOwner): Promise<string> {
    return (await this.database.transaction((tx) => this.users.get(tx, userId))).email;
  }

  /** Whether a code that this session has asked for can still be typed. */
  async isOnItsWay(owner: FactorOwner, sessionId: string): Promise<boolean> {
    return this.factors.hasCode(owner.userId, sessionId, this.clock.now());
  }

  /**
   * The right code, to be spent; undefined for a wrong one, as is one that went to another address than the person has now.
   * Counts by itself, whatever becomes of the caller's work: after ten tries the code is dead.
   */
  async tryCode(owner: FactorOwner, sessionId: string, typed: string): Promise<TriedCode | undefined> {
    const codeHash = await this.factors.tryCode(owner.userId, sessionId, this.clock.now());
    const key = codeHash === undefined ? undefined : this.masterKeys.find(PURPOSE, codeHash.split('.')[1] ?? '');
    if (codeHash === undefined || !key) return undefined;
    const addressee = { id: owner.userId, email: await this.addressOf(owner) };
    const isRight = equalDigests(
      Buffer.from(hashOf(key, addressee, typed.replaceAll(/\s/g, ''))),
      Buffer.from(codeHash),
    );
    return isRight ? { owner, sessionId, codeHash } : undefined;
  }

  /** Whether it was not used before; a factor that was being set up is ready with it. */
  async spend(tx: Transaction, { owner, sessionId, codeHash }: TriedCode): Promise<boolean> {
    const before = await this.factors.spendCode(tx, owner.userId, sessionId, codeHash);
    if (before === 'pending') await this.users.change(tx, owner.userId, {}, 'user.human.otp.email.added', owner.userId);
    return before !== undefined;
  }
}

function hashOf({ id, key }: PurposeKey, to: Pick<User, 'id' | 'email'>, code: string): string {
  return `v1.${id}.${createHmac('sha256', key)
    .update(JSON.stringify([to.id, to.email, code]))
    .digest('base64url')}`;
}
