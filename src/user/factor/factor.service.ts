import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { Purge } from '../../foundation/database/purge.js';
import type { Queryable } from '../../foundation/database/statement.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { AccountChange } from '../outbox/outbox-mail.entity.js';
import { UserService } from '../user.service.js';
import { UserMails } from '../user-mails.js';
import type { FactorKind, SoleFactorKind } from './factor.entity.js';
import { factorNotFound, factorRequired } from './factor.errors.js';
import { FactorRepository, type HeldFactor } from './factor.repository.js';
import type { FactorOwner } from './factor-owner.js';

export type { HeldFactor };

const REMOVED: Readonly<Record<FactorKind, string>> = {
  otp: 'user.human.mfa.otp.removed',
  otp_email: 'user.human.otp.email.removed',
  recovery_codes: 'user.human.recoverycodes.removed',
  passkey: 'user.human.passwordless.token.removed',
  u2f: 'user.human.mfa.u2f.token.removed',
};

/** The owner is not told about factors that only substitute for others: they are removed together with those. */
const NOTICES: Partial<Readonly<Record<SoleFactorKind, AccountChange>>> = {
  otp: 'otpRemoved',
  otp_email: 'emailCodesRemoved',
};

/** A user who returns later starts again. */
const KEEP_PENDING_SECONDS = seconds.perDay;

/** What all second factors have in common: listing and removing them. */
@Injectable()
export class FactorService implements Purge {
  constructor(
    private readonly database: Database,
    private readonly factors: FactorRepository,
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly clock: Clock,
  ) {}

  async list(userId: string, on: Queryable = this.database): Promise<readonly HeldFactor[]> {
    return this.factors.list(on, userId);
  }

  /** Without passkeys and security keys, which `PasskeyService` lists one by one. */
  async listSole(
    userId: string,
    on?: Queryable,
  ): Promise<ReadonlyArray<HeldFactor & { readonly kind: SoleFactorKind }>> {
    return (await this.list(userId, on)).flatMap((factor) =>
      factor.kind === 'passkey' || factor.kind === 'u2f' ? [] : [{ ...factor, kind: factor.kind }],
    );
  }

  /**
   * Removes a factor. Recovery codes substitute for others, and are removed with the last of these.
   * @throws DomainError NotFound `factor.not_found`
   */
  async remove(tx: Transaction, userId: string, kind: SoleFactorKind, editorId: string): Promise<EventMark> {
    if (!(await this.factors.remove(tx, userId, kind))) throw factorNotFound();
    const notice = NOTICES[kind];
    if (notice !== undefined) await this.mails.tellAccountChanged(tx, await this.users.get(tx, userId), notice);
    const mark = await this.users.change(tx, userId, {}, REMOVED[kind], editorId);
    return (await this.dropCodesOfNothing(tx, userId, editorId)) ?? mark;
  }

  /**
   * After a removal, where the policy requires a factor. The caller has locked the user, so that of two removals at
   * once the second one sees what the first one has left.
   * @throws DomainError FailedPrecondition `factor.required`
   */
  async checkHeld(tx: Transaction, userId: string, kinds: readonly FactorKind[]): Promise<void> {
    if (!(await this.factors.holdsOneOf(tx, userId, kinds))) throw factorRequired();
  }

  /** Recovery codes substitute for other factors: without any left, they are removed. */
  async dropCodesOfNothing(tx: Transaction, userId: string, editorId: string): Promise<EventMark | undefined> {
    const left = await this.factors.list(tx, userId);
    if (left.length !== 1 || left[0]?.kind !== 'recovery_codes') return undefined;
    return this.remove(tx, userId, 'recovery_codes', editorId);
  }

  /** Declined: the user is not asked again for as long as the login policy says. */
  async skip(tx: Transaction, { userId }: FactorOwner): Promise<void> {
    await this.users.change(tx, userId, { factorSkippedAt: this.clock.now() }, 'user.human.mfa.init.skipped', userId);
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return this.factors.purgePending(on, secondsAfter(now, -KEEP_PENDING_SECONDS));
  }

  /** Cancels what was being set up in the session. */
  async abandon(tx: Transaction, { userId }: FactorOwner, sessionId: string): Promise<void> {
    for (const kind of await this.factors.dropPending(tx, userId, sessionId)) {
      await this.users.change(tx, userId, {}, REMOVED[kind], userId);
    }
  }
}
