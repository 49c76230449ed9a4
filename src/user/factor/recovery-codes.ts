import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { newId } from '../../foundation/crypto/id.js';
import { smallRandomBytes } from '../../foundation/crypto/random.js';
import { plainCode } from '../../foundation/crypto/typed-code.js';
import type { Transaction } from '../../foundation/database/database.js';
import { type EncodedPassword } from '../../foundation/password/encoded-password.js';
import { passwordBusy, type Turn } from '../../foundation/password/hash-lane.js';
import { MAX_PASSWORD_CHARACTERS, PasswordHash } from '../../foundation/password/password-hash.js';
import { spellingsOf } from '../../foundation/password/typed-password.js';
import { Clock } from '../../foundation/time/clock.js';
import { UserService } from '../user.service.js';
import { UserMails } from '../user-mails.js';
import type { FactorKind } from './factor.entity.js';
import { factorExists, factorMissing } from './factor.errors.js';
import { FactorRepository } from './factor.repository.js';
import type { FactorOwner } from './factor-owner.js';

/** How many codes a user gets, and the most that one may ask for. */
export const RECOVERY_CODES = 10;
/** What codes stand in for. */
const SUBSTITUTED: readonly FactorKind[] = ['otp', 'otp_email', 'passkey', 'u2f'];
/** 10 characters, each one of 32: 50 bits, behind a slow hash. */
const SIGNS = 10;
/** A limit for all comparisons: the request itself ends after 30 s. */
const MAX_MATCH_MS = 15_000;
/** Without I, L, O and U, which look like others or make words (Crockford). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Codes on paper in case the phone is lost; each is valid once. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly factors: FactorRepository,
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly passwords: PasswordHash,
    private readonly clock: Clock,
  ) {}

  /** New codes, not stored yet. */
  make(count = RECOVERY_CODES): Secret[] {
    return Array.from({ length: count }, () => {
      const signs = [...smallRandomBytes(SIGNS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
      return new Secret(`${signs.slice(0, SIGNS / 2)}-${signs.slice(SIGNS / 2)}`);
    });
  }

  /**
   * Hashes the codes one after the other: a person does not take many places of the queue at once, and once one code is
   * refused no other is hashed in vain.
   * @throws DomainError ResourceExhausted `password.busy` when they would have to wait too long
   */
  async hash(codes: readonly Secret[], turn: Turn): Promise<EncodedPassword[]> {
    const hashes: EncodedPassword[] = [];
    for (const code of codes) hashes.push(await this.passwords.hash(code, turn));
    return hashes;
  }

  /** Requests that the user's next page shows codes. A user who has some keeps those. */
  async begin(tx: Transaction, owner: FactorOwner): Promise<void> {
    await this.factors.begin(tx, this.newFactor(owner), null, null);
  }

  /** The codes end, and the user's next page shows new ones. */
  async renew(tx: Transaction, owner: FactorOwner): Promise<void> {
    await this.end(tx, owner);
    await this.begin(tx, owner);
    await this.mails.tellAccountChanged(tx, await this.users.get(tx, owner.userId), 'recoveryCodesMade');
  }

  /**
   * Codes that the user is shown in the answer to this request, in place of those there were.
   * @throws DomainError FailedPrecondition `factor.missing` for a user without another second factor
   */
  async replace(tx: Transaction, owner: FactorOwner, hashes: readonly EncodedPassword[]): Promise<void> {
    if (!(await this.factors.holdsOneOf(tx, owner.userId, SUBSTITUTED))) throw factorMissing();
    await this.end(tx, owner);
    await this.importHashes(tx, owner, hashes, owner.userId);
    await this.mails.tellAccountChanged(tx, await this.users.get(tx, owner.userId), 'recoveryCodesMade');
  }

  /** The id of the set that the user must still save; undefined if there is none. */
  async findOwed({ userId }: FactorOwner): Promise<string | undefined> {
    return this.factors.findPendingRecovery(userId);
  }

  /**
   * Stores the codes that the user has confirmed, which were shown for this set. Returns false if others were stored
   * meanwhile, or that set has been replaced.
   */
  async confirm(
    tx: Transaction,
    owner: FactorOwner,
    set: string,
    hashes: readonly EncodedPassword[],
  ): Promise<boolean> {
    if (!(await this.factors.confirmRecovery(tx, { id: set, userId: owner.userId }, hashes))) return false;
    await this.users.change(tx, owner.userId, {}, 'user.human.recoverycodes.added', owner.userId, {
      count: hashes.length,
    });
    return true;
  }

  /**
   * The hash of the typed code; undefined if there is none. Takes a core for some milliseconds for each code.
   * @throws DomainError ResourceExhausted `password.busy` if it would have to wait too long
   */
  async match({ userId }: FactorOwner, typed: string, turn: Turn): Promise<string | undefined> {
    const candidates = spellings(typed);
    const until = performance.now() + MAX_MATCH_MS;
    for (const hash of candidates.length === 0 ? [] : await this.factors.recoveryHashes(userId)) {
      for (const candidate of candidates) {
        if (performance.now() > until) throw passwordBusy();
        if (await this.passwords.verifyUnpadded(hash, candidate, turn)) return hash;
      }
    }
    return undefined;
  }

  /** Uses up the code with this hash; false if it was used already. */
  async spend(tx: Transaction, { userId }: FactorOwner, hash: string): Promise<boolean> {
    const left = await this.factors.spendRecovery(tx, userId, hash);
    if (left === undefined) return false;
    await this.users.change(tx, userId, {}, 'user.human.recoverycode.check.succeeded', userId, { left });
    return true;
  }

  /**
   * Stores codes from another service.
   * @throws DomainError AlreadyExists `factor.exists`
   */
  async importHashes(
    tx: Transaction,
    owner: FactorOwner,
    hashes: readonly EncodedPassword[],
    editorId: string,
  ): Promise<void> {
    if (!(await this.factors.addReady(tx, this.newFactor(owner), null, hashes))) throw factorExists();
    await this.users.change(tx, owner.userId, {}, 'user.human.recoverycodes.added', editorId, { count: hashes.length });
  }

  private async end(tx: Transaction, { userId }: FactorOwner): Promise<void> {
    if (await this.factors.remove(tx, userId, 'recovery_codes'))
      await this.users.change(tx, userId, {}, 'user.human.recoverycodes.removed', userId);
  }

  private newFactor({ userId }: FactorOwner): { id: string; userId: string; kind: 'recovery_codes'; createdAt: Date } {
    return { id: newId(), userId, kind: 'recovery_codes', createdAt: this.clock.now() };
  }
}

/** Candidates: as typed, which may be another service's code; and as we write ours, regardless of case and hyphens. */
function spellings(typed: string): readonly Secret[] {
  const text = typed.trim();
  const asTyped = spellingsOf(new Secret(text));
  if (text === '' || [...text].length > MAX_PASSWORD_CHARACTERS) return [];
  const signs = plainCode(text).replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const ours = `${signs.slice(0, SIGNS / 2)}-${signs.slice(SIGNS / 2)}`;
  if (signs.length !== SIGNS) return asTyped;
  return text === ours ? [new Secret(ours)] : [new Secret(ours), ...asTyped];
}
