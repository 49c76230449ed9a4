import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { Clock } from '../../foundation/time/clock.js';
import { secondsAfter } from '../../foundation/time/duration.js';
import type { LoginPolicy } from '../../org/policy/login-policy.entity.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { SelfServicePolicy } from '../../org/policy/self-service-policy.entity.js';
import { SessionService } from '../../session/session.service.js';
import type { FactorKind } from '../../user/factor/factor.entity.js';
import { FactorService } from '../../user/factor/factor.service.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import { type Actor, checkMayChangeOwnSignIn } from '../../user/permission/actor.js';
import type { User } from '../../user/user.entity.js';
import { selfServiceClosed } from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';
import { UserDirectory, type UserEntry } from '../../user/user-directory.js';
import { accountOfPeople, STEP_UP_SECONDS, secondFactorMissing, signInTooOld, tokenDead } from './my-account.errors.js';

/** The settings that the self-service policy leaves to users, or not. */
export type SelfServiceSetting = Exclude<
  {
    [Name in keyof SelfServicePolicy]: SelfServicePolicy[Name] extends boolean ? Name : never;
  }[keyof SelfServicePolicy],
  undefined
>;

/**
 * The account of the caller, for the caller. Only people have one; what signs them in changes only with a token from a
 * new sign-in with every factor that they hold (RFC 9470, ACC-011): a stolen token must not become a stolen account.
 */
@Injectable()
export class MyAccount {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
    private readonly directory: UserDirectory,
    private readonly factors: FactorService,
    private readonly passkeys: PasskeyService,
    private readonly sessions: SessionService,
    private readonly policies: PolicyService,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError PermissionDenied `account.of_people` */
  async read({ ownOrgId, userId }: Actor): Promise<UserEntry> {
    const entry = await this.directory.get(ownOrgId, userId);
    if (entry.kind !== 'human') throw accountOfPeople();
    return entry;
  }

  /**
   * A change of what anybody may do who has the token.
   * @throws DomainError PermissionDenied `account.of_people`, `user.self_service_closed`
   */
  async change<T>(
    actor: Actor,
    setting: SelfServiceSetting,
    work: (tx: Transaction, user: User) => Promise<T>,
  ): Promise<T> {
    await this.checkOpen(await this.read(actor), setting);
    return this.database.transaction(async (tx) => work(tx, await this.users.getOf(tx, actor.ownOrgId, actor.userId)));
  }

  /**
   * A change of what signs the user in.
   * @throws DomainError as above; Unauthenticated `token.sign_in_too_old`, `token.second_factor_missing`
   */
  async changeProved<T>(
    actor: Actor,
    setting: SelfServiceSetting,
    work: (tx: Transaction, user: User) => Promise<T>,
  ): Promise<T> {
    await this.prove(actor, setting);
    return this.make(actor, work);
  }

  /**
   * The change alone, by a caller who was proved when the request arrived. Whatever has ended the token or its session
   * since comes first: a request that waits for a reset of the password must not be carried out after it (ACC-015). A
   * second factor that was set up meanwhile comes first as well.
   * @throws DomainError Unauthenticated `token.dead`, `token.second_factor_missing`
   */
  async make<T>(actor: Actor, work: (tx: Transaction, user: User) => Promise<T>): Promise<T> {
    checkMayChangeOwnSignIn(actor);
    return this.database.transaction(async (tx) => {
      if (!(await this.isStillSignedIn(tx, actor))) throw tokenDead();
      if (actor.signIn?.isTwice !== true && (await this.isSecondFactorHeld(actor, tx))) throw secondFactorMissing();
      return work(tx, await this.users.getOf(tx, actor.ownOrgId, actor.userId));
    });
  }

  /** The proof alone, for changes with slow work or a count of attempts before them. */
  async prove(actor: Actor, setting: SelfServiceSetting): Promise<UserEntry> {
    const entry = await this.read(actor);
    checkMayChangeOwnSignIn(actor);
    await this.checkOpen(entry, setting);
    const isHeld = await this.isSecondFactorHeld(actor);
    const since = secondsAfter(this.clock.now(), -STEP_UP_SECONDS);
    if (actor.signIn === undefined || actor.signIn.authTime < since)
      throw isHeld ? secondFactorMissing() : signInTooOld();
    if (isHeld && !actor.signIn.isTwice) throw secondFactorMissing();
    return entry;
  }

  /**
   * Checks the factors that a removal leaves, in its transaction: a user who has no second factor left where one is
   * required must set one up at the next sign-in, and so could anybody who knows the password (ACC-006).
   * @throws DomainError FailedPrecondition `factor.required`
   */
  async checkFactorLeft(tx: Transaction, { id, orgId }: User): Promise<void> {
    const policy = await this.policies.effective('login', orgId);
    if (policy.forceMfa || policy.forceMfaLocalOnly) await this.factors.checkHeld(tx, id, kindsThatCount(policy));
  }

  /** Checks the sign-in, and locks the user. */
  private async isStillSignedIn(tx: Transaction, { userId, signIn }: Actor): Promise<boolean> {
    if (signIn === undefined) return false;
    const { userEpoch, sessionId: id } = signIn;
    return id === undefined
      ? this.users.isUnchangedSince(tx, userId, userEpoch)
      : this.sessions.hold(tx, { id, userId, userEpoch });
  }

  private async checkOpen({ orgId }: UserEntry, setting: SelfServiceSetting): Promise<void> {
    if (!(await this.policies.effective('selfService', orgId))[setting]) throw selfServiceClosed(setting);
  }

  /** Whether the user has a second factor, by the rule of the account page: keys of another domain do not count. */
  private async isSecondFactorHeld({ userId, ownOrgId }: Actor, on?: Transaction): Promise<boolean> {
    const kinds: readonly string[] = kindsThatCount(await this.policies.effective('login', ownOrgId));
    const codes = (await this.factors.listSole(userId, on)).filter(({ state }) => state === 'ready');
    const keys = (await this.passkeys.list(userId, on)).filter((key) => this.passkeys.worksHere(key));
    return [...codes, ...keys].some(({ kind }) => kinds.includes(kind));
  }
}

/** The second factors of the policy; a passkey is one as a security key, and where it stands for both factors. */
function kindsThatCount({ secondFactors, multiFactors, passwordlessType }: LoginPolicy): FactorKind[] {
  const isPasskeyEnough = multiFactors.includes('u2f_with_verification') && passwordlessType === 'allowed';
  return [
    ...(['otp', 'otp_email', 'u2f'] as const).filter((kind) => secondFactors.includes(kind)),
    ...(isPasskeyEnough || secondFactors.includes('u2f') ? (['passkey'] as const) : []),
  ];
}
