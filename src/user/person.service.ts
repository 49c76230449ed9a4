import { Injectable } from '@nestjs/common';
import { newId } from '../crypto/id.js';
import type { Secret } from '../crypto/secret.js';
import { Vault } from '../crypto/vault.js';
import type { Transaction } from '../database/database.js';
import type { EventMark } from '../event/journal.js';
import { emailRule, isEmail, type NewHuman } from './new-human.js';
import { phoneRule, toPhoneNumber } from './phone-number.js';
import { profileViolations, type Profile } from './profile.js';
import type { CodeKind } from './user-code.entity.js';
import { UserCodes } from './user-codes.js';
import { toNameKey } from './user-name.js';
import type { User } from './user.entity.js';
import { emailNotVerified, emailVerifiedAlready, notPerson, phoneMissing, userInitial, userInvalid, userNotInitial } from './user.errors.js';
import { UserService, lastMark, stateAfter } from './user.service.js';

export interface NewPerson extends Omit<NewHuman, 'state' | 'totpSecret'> {
  /** Seed of one-time codes, in base32. */
  readonly totpSeed?: Secret;
  /** Whether they can sign in through an identity provider: then nothing is left to set up. */
  readonly hasProvider?: boolean;
}

/** RFC 6238 §5.1 asks for the length of the hash, 32 characters for SHA-1; half of that is what some still issue. */
const SEED = /^[A-Z2-7]{16,128}$/;

/** People as managers see to them. */
@Injectable()
export class PersonService {
  constructor(
    private readonly users: UserService,
    private readonly codes: UserCodes,
    private readonly vault: Vault,
  ) {}

  /**
   * A person made by somebody else. Without a verified e-mail address or without a password the account is `initial`, and a
   * code to set it up is made.
   * @throws DomainError InvalidArgument with every violation; AlreadyExists `user.name_taken`, `user.id_taken`
   */
  async add(tx: Transaction, { totpSeed, hasProvider = false, ...person }: NewPerson, editorId: string): Promise<string> {
    const id = person.id ?? newId();
    const isSetUp = hasProvider || (person.passwordHash !== undefined && person.emailVerified === true);
    await this.users.addHuman(tx, {
      ...person, id, state: isSetUp ? 'active' : 'initial',
      ...(totpSeed === undefined ? {} : { totpSecret: this.sealSeed(id, person.orgId, totpSeed) }),
    }, editorId);
    if (!isSetUp) await this.codes.issue(tx, id, 'init');
    else if (person.emailVerified !== true) await this.codes.issue(tx, id, 'email');
    return id;
  }

  /** @throws DomainError InvalidArgument; FailedPrecondition `user.not_person` */
  async changeProfile(tx: Transaction, user: User, profile: Partial<Profile>, editorId: string): Promise<EventMark> {
    checkPerson(user);
    const violations = profileViolations(profile, '');
    if (violations.length > 0) throw userInvalid(violations);
    const { firstName = user.firstName, lastName = user.lastName } = profile;
    const displayName = profile.displayName === '' ? `${firstName} ${lastName}` : profile.displayName;
    return this.users.changeTo(tx, user, { ...profile, ...(displayName === undefined ? {} : { displayName }) }, 'user.human.profile.changed', editorId);
  }

  /**
   * The same address once more verifies it at most. Codes that went to the old address are worth nothing from then on.
   * @throws DomainError InvalidArgument; FailedPrecondition `user.not_person`
   */
  async changeEmail(tx: Transaction, user: User, email: string, isVerified: boolean, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (!isEmail(email)) throw userInvalid([{ field: 'email', description: emailRule }]);
    const emailVerified = isVerified || (user.email === email && user.emailVerified);
    if (user.email === email && user.emailVerified === emailVerified) return lastMark(user);
    const state = stateAfter({ ...user, emailVerified });
    const values = { email, emailKey: toNameKey(email), emailVerified, state };
    const mark = await this.users.change(tx, user.id, values, user.email === email ? 'user.human.email.verified' : 'user.human.email.changed', editorId, { email, emailVerified });
    await this.codes.drop(tx, user.id, ['init', 'email', 'password_reset']);
    if (state === 'initial') await this.codes.issue(tx, user.id, 'init');
    else if (!emailVerified) await this.codes.issue(tx, user.id, 'email');
    return mark;
  }

  /** @throws DomainError InvalidArgument; FailedPrecondition `user.not_person` */
  async changePhone(tx: Transaction, user: User, typed: string, isVerified: boolean, editorId: string): Promise<EventMark> {
    checkPerson(user);
    const phone = toPhoneNumber(typed);
    if (phone === undefined) throw userInvalid([{ field: 'phone', description: phoneRule }]);
    const phoneVerified = isVerified || (user.phone === phone && user.phoneVerified);
    return this.users.changeTo(tx, user, { phone, phoneVerified }, 'user.human.phone.changed', editorId);
  }

  /** @throws DomainError NotFound `user.phone_missing`; FailedPrecondition `user.not_person` */
  async removePhone(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.phone === '') throw phoneMissing();
    return this.users.change(tx, user.id, { phone: '', phoneVerified: false }, 'user.human.phone.removed', editorId);
  }

  /** A new code to set the account up, to another address if one is given. @throws DomainError FailedPrecondition `user.not_initial` */
  async resendInitialization(tx: Transaction, user: User, email: string, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.state !== 'initial') throw userNotInitial();
    const current = email === '' || email === user.email ? user : await this.withEmail(tx, user, email, editorId);
    return this.issue(tx, current, 'init', 'user.human.initialization.code.added', editorId);
  }

  /** @throws DomainError FailedPrecondition `user.initial`, `user.email_verified` */
  async resendEmailVerification(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.state === 'initial') throw userInitial();
    if (user.emailVerified) throw emailVerifiedAlready();
    return this.issue(tx, user, 'email', 'user.human.email.code.added', editorId);
  }

  /** A code to choose a new password; the old one goes on until then. @throws DomainError FailedPrecondition `user.initial`, `user.email_not_verified` */
  async requestPasswordReset(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.state === 'initial') throw userInitial();
    if (!user.emailVerified) throw emailNotVerified();
    return this.issue(tx, user, 'password_reset', 'user.human.password.code.added', editorId);
  }

  private async withEmail(tx: Transaction, user: User, email: string, editorId: string): Promise<User> {
    await this.changeEmail(tx, user, email, false, editorId);
    return this.users.get(tx, user.id);
  }

  private async issue(tx: Transaction, user: User, kind: CodeKind, eventType: string, editorId: string): Promise<EventMark> {
    await this.codes.issue(tx, user.id, kind);
    return this.users.change(tx, user.id, {}, eventType, editorId);
  }

  private sealSeed(id: string, orgId: string, seed: Secret): string {
    const text = seed.reveal().replaceAll(/[\s=-]/g, '').toUpperCase();
    if (!SEED.test(text)) throw userInvalid([{ field: 'otpCode', description: 'must be a seed of 16 to 128 characters in base32' }]);
    return this.vault.seal(text, { table: 'user_account', column: 'totp_secret', row: id, owner: orgId });
  }
}

/** @throws DomainError FailedPrecondition `user.not_person` */
export function checkPerson({ kind }: Pick<User, 'kind'>): void {
  if (kind !== 'human') throw notPerson();
}
