import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import type { Secret } from '../../foundation/config/secret.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { lastMark } from '../../foundation/event/journal.js';
import { MyAccount } from '../../management/user/my-account.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { Branding } from '../../page/branding/branding.js';
import { newCodesLimit } from '../../session/proof/limits.js';
import { EmailCodes } from '../../user/factor/email-codes.js';
import type { SoleFactorKind } from '../../user/factor/factor.entity.js';
import { factorNotAllowed } from '../../user/factor/factor.errors.js';
import { FactorService } from '../../user/factor/factor.service.js';
import { RecoveryCodes } from '../../user/factor/recovery-codes.js';
import { toKeyUri } from '../../user/factor/totp.js';
import { TotpService } from '../../user/factor/totp.service.js';
import { type Actor, turnOfActor } from '../../user/permission/actor.js';
import { UserService } from '../../user/user.service.js';
import type { UserEntry } from '../../user/user-directory.js';
import { MyCodes } from './my-codes.js';

/** A seed for the caller's app, which counts once its first code is sent. */
export interface BegunApp {
  readonly seed: Secret;
  /** The address for a QR code. */
  readonly uri: string;
  readonly mark: EventMark;
}

/** Second factors whose codes are typed, which callers set up and remove for their own account. */
@Injectable()
export class MyFactors {
  constructor(
    private readonly account: MyAccount,
    private readonly codes: MyCodes,
    private readonly factors: FactorService,
    private readonly totp: TotpService,
    private readonly emailCodes: EmailCodes,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly users: UserService,
    private readonly policies: PolicyService,
    private readonly branding: Branding,
    private readonly attempts: AttemptService,
  ) {}

  /**
   * @throws DomainError as `MyAccount.prove`; FailedPrecondition `factor.not_allowed`; AlreadyExists `factor.exists`
   */
  async beginApp(actor: Actor): Promise<BegunApp> {
    const { orgId, preferredLoginName: account } = await this.proveFor(actor, 'otp');
    const issuer = await this.branding.nameOf(orgId);
    return this.account.make(actor, async (tx, { id: userId }) => {
      const seed = await this.totp.begin(tx, { userId, orgId }, placeOf(actor));
      const mark = lastMark(await this.users.get(tx, userId));
      return { seed, uri: toKeyUri(seed, { issuer, account }), mark };
    });
  }

  /**
   * The first code shows that the app has the seed, and sets it up.
   * @throws DomainError as `beginApp`; InvalidArgument; ResourceExhausted `attempt.too_many`
   */
  async finishApp(actor: Actor, code: string): Promise<EventMark> {
    await this.proveFor(actor, 'otp');
    return this.codes.tried(actor.userId, () =>
      this.account.make(actor, async (tx, { id: userId, orgId }) =>
        (await this.totp.confirm(tx, { userId, orgId }, placeOf(actor), code))
          ? lastMark(await this.users.get(tx, userId))
          : undefined,
      ),
    );
  }

  /** @throws DomainError as `beginApp`; FailedPrecondition `user.email_not_verified` */
  async addEmailCodes(actor: Actor): Promise<EventMark> {
    await this.proveFor(actor, 'otp_email');
    return this.account.make(actor, async (tx, user) => {
      await this.emailCodes.add(tx, user);
      return lastMark(await this.users.get(tx, user.id));
    });
  }

  /**
   * New recovery codes, in place of those there were; they exist in this answer alone.
   * @throws DomainError as `MyAccount.prove`; FailedPrecondition `factor.missing`; ResourceExhausted
   * `attempt.too_many`, `password.busy`
   */
  async makeRecoveryCodes(
    actor: Actor,
    count: number,
  ): Promise<{ readonly codes: readonly Secret[]; readonly mark: EventMark }> {
    await this.account.prove(actor, 'manageFactors');
    await this.attempts.count([newCodesLimit(actor.userId)]);
    const codes = this.recoveryCodes.make(count);
    const hashes = await this.recoveryCodes.hash(codes, turnOfActor(actor));
    const mark = await this.account.make(actor, async (tx, { id: userId, orgId }) => {
      await this.recoveryCodes.replace(tx, { userId, orgId }, hashes);
      return lastMark(await this.users.get(tx, userId));
    });
    return { codes, mark };
  }

  /**
   * Declines to set up a second factor, for as long as the login policy says.
   * @throws DomainError as `MyAccount.prove`
   */
  async skip(actor: Actor): Promise<EventMark> {
    return this.account.changeProved(actor, 'manageFactors', async (tx, { id: userId, orgId }) => {
      await this.factors.skip(tx, { userId, orgId });
      return lastMark(await this.users.get(tx, userId));
    });
  }

  /** @throws DomainError as `MyAccount.prove`; NotFound `factor.not_found`; FailedPrecondition `factor.required` */
  async remove(actor: Actor, kind: SoleFactorKind): Promise<EventMark> {
    return this.account.changeProved(actor, 'manageFactors', async (tx, user) => {
      const mark = await this.factors.remove(tx, user.id, kind, user.id);
      await this.account.checkFactorLeft(tx, user);
      return mark;
    });
  }

  private async proveFor(actor: Actor, kind: 'otp' | 'otp_email'): Promise<UserEntry> {
    const owner = await this.account.prove(actor, 'manageFactors');
    const { secondFactors } = await this.policies.effective('login', owner.orgId);
    if (!secondFactors.includes(kind)) throw factorNotAllowed();
    return owner;
  }
}

/**
 * The sign-in of the token, in the place of a session: the pages of the session must not go on with a seed that they
 * have not shown.
 */
function placeOf({ signIn }: Actor): string {
  const { sessionId = '', authTime, userEpoch } = signIn ?? {};
  return JSON.stringify(['api', sessionId, authTime, userEpoch]);
}
