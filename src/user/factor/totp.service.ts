import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { newId } from '../../foundation/crypto/id.js';
import { type SealedPlace, Vault } from '../../foundation/crypto/vault.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { Logger } from '../../foundation/log/logger.js';
import { Clock } from '../../foundation/time/clock.js';
import { UserService } from '../user.service.js';
import { UserMails } from '../user-mails.js';
import { factorExists, seedInvalid } from './factor.errors.js';
import { FactorRepository, type SealedFactor } from './factor.repository.js';
import type { FactorOwner } from './factor-owner.js';
import { RecoveryCodes } from './recovery-codes.js';
import { newSeed, parseSeed, stepOfCode } from './totp.js';

const RESEALED_AT_ONCE = 500;

/** Time-based one-time codes from an authenticator app (RFC 6238). */
@Injectable()
export class TotpService {
  constructor(
    private readonly database: Database,
    private readonly factors: FactorRepository,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /**
   * A new seed for an app, replacing one whose set-up was not finished.
   * @param sessionId where it is set up: the first code must come from there
   * @throws DomainError AlreadyExists `factor.exists`
   */
  async begin(tx: Transaction, owner: FactorOwner, sessionId: string): Promise<Secret> {
    const seed = newSeed();
    const factor = { id: newId(), userId: owner.userId, kind: 'otp' as const, createdAt: this.clock.now() };
    if (!(await this.factors.begin(tx, factor, sessionId, this.sealSeed(owner, seed)))) throw factorExists();
    await this.users.change(tx, owner.userId, {}, 'user.human.mfa.otp.added', owner.userId);
    return seed;
  }

  /** The seed that is being set up in this session. */
  async findPendingSeed(owner: FactorOwner, sessionId: string): Promise<Secret | undefined> {
    const sealed = await this.factors.findSecret(this.database, owner.userId, 'pending', sessionId);
    return sealed === undefined ? undefined : this.openSeed(owner, sealed);
  }

  /**
   * Whether the code proves that the app has the seed, which activates the factor and uses the code up. In case the
   * phone is lost, recovery codes come on the user's next page.
   */
  async confirm(tx: Transaction, owner: FactorOwner, sessionId: string, code: string): Promise<boolean> {
    const sealed = await this.factors.findSecret(tx, owner.userId, 'pending', sessionId);
    const step = sealed === undefined ? undefined : stepOfCode(this.openSeed(owner, sealed), code, this.clock.now());
    if (sealed === undefined || step === undefined) return false;
    if (!(await this.factors.confirmTotp(tx, owner.userId, sessionId, sealed, step))) return false;
    await this.users.change(tx, owner.userId, {}, 'user.human.mfa.otp.verified', owner.userId);
    await this.recoveryCodes.begin(tx, owner);
    await this.mails.tellAccountChanged(tx, await this.users.get(tx, owner.userId), 'otpAdded');
    return true;
  }

  /** Whether this is a code of the app that was not used before. */
  async spend(tx: Transaction, owner: FactorOwner, code: string): Promise<boolean> {
    const sealed = await this.factors.findSecret(tx, owner.userId, 'ready');
    const step = sealed === undefined ? undefined : stepOfCode(this.openSeed(owner, sealed), code, this.clock.now());
    return step !== undefined && (await this.factors.spendStep(tx, owner.userId, step));
  }

  /**
   * A seed that the user's app already has. `field` names it in the request.
   * @throws DomainError InvalidArgument; AlreadyExists `factor.exists`
   */
  async importSeed(
    tx: Transaction,
    owner: FactorOwner,
    seed: Secret,
    editorId: string,
    field = 'otpCode',
  ): Promise<void> {
    const parsed = parseSeed(seed.reveal());
    if (!parsed) throw seedInvalid(field);
    const factor = { id: newId(), userId: owner.userId, kind: 'otp' as const, createdAt: this.clock.now() };
    if (!(await this.factors.addReady(tx, factor, this.sealSeed(owner, parsed), []))) throw factorExists();
    await this.users.change(tx, owner.userId, {}, 'user.human.mfa.otp.added', editorId);
  }

  /**
   * Seals every seed under today's master key: the former one may be removed afterwards. A seed that cannot be read
   * stays as it is, and its user needs another factor.
   */
  async reseal(tx: Transaction): Promise<void> {
    for (let after = ''; ; ) {
      const sealed = await this.factors.findSealed(tx, after, RESEALED_AT_ONCE);
      const old = sealed.filter(({ secret }) => !this.vault.isCurrent(secret));
      await this.factors.reseal(
        tx,
        old.flatMap((factor) => this.resealed(factor)),
      );
      const last = sealed.at(-1);
      if (!last || sealed.length < RESEALED_AT_ONCE) return;
      after = last.id;
    }
  }

  private resealed(factor: SealedFactor): ReadonlyArray<Pick<SealedFactor, 'id' | 'secret'>> {
    const seed = this.vault.find(factor.secret, placeOf(factor));
    if (seed !== undefined) return [{ id: factor.id, secret: this.sealSeed(factor, new Secret(seed)) }];
    this.log.error(
      { factorId: factor.id, userId: factor.userId },
      'the seed of an authenticator app cannot be read with MASTER_KEY and MASTER_KEY_PREVIOUS; remove the factor of this user',
    );
    return [];
  }

  /** In the format of `auth_factor.secret`, for bulk inserts. */
  sealSeed(owner: FactorOwner, seed: Secret): string {
    return this.vault.seal(seed.reveal(), placeOf(owner));
  }

  openSeed(owner: FactorOwner, sealed: string): Secret {
    return new Secret(this.vault.open(sealed, placeOf(owner)));
  }
}

/** A place per user, not per row: a user has one seed, which moves to another service with the user's id. */
function placeOf({ userId, orgId }: FactorOwner): SealedPlace {
  return { table: 'auth_factor', column: 'secret', row: userId, owner: orgId };
}
