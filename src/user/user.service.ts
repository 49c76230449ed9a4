import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type QueryDeepPartialEntity, Repository } from 'typeorm';
import { sha256 } from '../foundation/crypto/digest.js';
import { newId } from '../foundation/crypto/id.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { changedValues, definedValues } from '../foundation/database/changed-values.js';
import type { Database, Transaction } from '../foundation/database/database.js';
import { isUniqueViolation } from '../foundation/database/database-failure.js';
import { statement } from '../foundation/database/statement.js';
import { type EventMark, Journal, lastMark } from '../foundation/event/journal.js';
import type { EncodedPassword } from '../foundation/password/encoded-password.js';
import { Clock } from '../foundation/time/clock.js';
import { toStoredEmail } from '../org/email-address.js';
import type { SignInAccount } from './account.js';
import { saidEmail, UNVERIFIED_EMAIL } from './address-proof.js';
import { findDouble, isApplication } from './client-ids.js';
import { NameScopeService } from './name-scope.service.js';
import { isUserName, type NewHuman, newHumanViolations, userNameRule } from './new-human.js';
import { toPhoneNumber } from './phone-number.js';
import { EMPTY_PROFILE } from './profile.js';
import { User, type UserState } from './user.entity.js';
import {
  userDomainElsewhere,
  userIdTaken,
  userInvalid,
  userNameTaken,
  userNotFound,
  userNotInState,
  userStateUnchanged,
} from './user.errors.js';
import { type AddedBy, type NameQuestion, type NewUserRow, UserRepository } from './user.repository.js';
import { UserMails } from './user-mails.js';
import { toNameKey } from './user-name.js';
import { UserRules } from './user-rules.js';

/**
 * Computed by the database: two concurrent raises must not become one, or tokens issued between them would stay valid.
 */
export const NEXT_EPOCH = (): string => 'token_epoch + 1';

/** A name goes to the organization that owns its domain, whatever rules say about the one that is left. */
const DOMAIN_CLAIMED = 'user.domain.claimed';

const DROP_REMOVAL = statement('user.drop_removal', 'DELETE FROM account_removal WHERE user_id = :userId RETURNING 1');

/** A user who was just added, and the mark of the first event. */
export interface AddedUser {
  readonly id: string;
  readonly mark: EventMark;
}

type Computed = 'userNameKey' | 'reservedScope' | 'creationDate' | 'changeDate';
/** A new user of any kind, before the name is checked. */
type NewUser =
  | Omit<Extract<NewUserRow, { kind: 'human' }>, Computed>
  | Omit<Extract<NewUserRow, { kind: 'service' }>, Computed>;

/** What humans and service users have in common: names, states and removal; also the password of a sign-in. */
@Injectable()
export class UserService {
  constructor(
    @InjectRepository(User) private readonly rows: Repository<User>,
    private readonly users: UserRepository,
    private readonly nameScopes: NameScopeService,
    private readonly mails: UserMails,
    private readonly rules: UserRules,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
  ) {}

  /** The user with this login name, in any state. `orgId` empty: in any organization. */
  async findByLoginName(loginName: string, orgId = ''): Promise<SignInAccount | undefined> {
    return this.users.findByLoginName(loginName, orgId);
  }

  /** @throws DomainError InvalidArgument with every violation; AlreadyExists `user.name_taken`, `user.id_taken` */
  async addHuman(tx: Transaction, input: NewHuman, editorId: string): Promise<AddedUser> {
    const violations = newHumanViolations(input);
    if (violations.length > 0) throw userInvalid(violations);
    const passwordHash = input.passwordHash ?? null;
    const { firstName, lastName } = input.profile;
    const email = toStoredEmail(input.email);
    const at = this.clock.now();
    const isToBeProved = input.emailToBeProved === true && toNameKey(input.userName) === toNameKey(email);
    return this.insert(
      tx,
      {
        ...EMPTY_PROFILE,
        ...input.profile,
        displayName: input.profile.displayName || `${firstName} ${lastName}`,
        id: input.id ?? newId(),
        orgId: input.orgId,
        kind: 'human',
        state: input.state ?? (passwordHash === null ? 'initial' : 'active'),
        userName: input.userName,
        email,
        emailKey: toNameKey(email),
        ...(input.emailVerified === true ? saidEmail(at) : UNVERIFIED_EMAIL),
        phone: toPhoneNumber(input.phone ?? '') ?? '',
        phoneVerified: input.phoneVerified ?? false,
        phoneVerifiedAt: input.phoneVerified === true ? at : null,
        passwordHash,
        passwordChangedAt: passwordHash === null ? null : at,
        passwordChangeRequired: input.passwordChangeRequired ?? false,
      },
      { eventType: 'user.human.added', editorId },
      isToBeProved,
    );
  }

  /**
   * Inserts a user of any kind with its first event.
   * @throws DomainError AlreadyExists `user.name_taken`, `user.id_taken`; FailedPrecondition `user.domain_elsewhere`;
   * InvalidArgument `user.rule_refused`
   */
  async insert(tx: Transaction, user: NewUser, by: AddedBy, isToBeProved = false): Promise<AddedUser> {
    const reservedScope = await this.checkName(tx, { ...user, isToBeProved });
    await this.rules.checkNew(tx, user, by.editorId);
    const at = this.clock.now();
    const row = {
      ...user,
      reservedScope,
      userNameKey: toNameKey(user.userName),
      creationDate: at,
      changeDate: at,
    };
    try {
      return { id: user.id, mark: { sequence: await this.users.insert(tx, row, by), at } };
    } catch (error) {
      if (isUniqueViolation(error, 'user_account_name_key')) throw userNameTaken();
      throw isUniqueViolation(error, 'user_account_pkey') ? userIdTaken() : error;
    }
  }

  /**
   * @throws DomainError InvalidArgument; AlreadyExists `user.name_taken`; FailedPrecondition `user.domain_elsewhere`
   */
  async rename(tx: Transaction, user: User, userName: string, editorId: string): Promise<EventMark> {
    if (!isUserName(userName)) throw userInvalid([{ field: 'userName', description: userNameRule }]);
    if (user.userName === userName) return lastMark(user);
    const isFree =
      user.kind === 'human' ||
      !((await isApplication(tx, [userName])) || (await findDouble(tx, { id: user.id, userName })));
    if (!isFree) throw userNameTaken();
    const nameScope = await this.checkName(tx, { ...user, userName });
    try {
      return await this.change(
        tx,
        user.id,
        { userName, userNameKey: toNameKey(userName), reservedScope: nameScope },
        'user.username.changed',
        editorId,
        { userName },
      );
    } catch (error) {
      throw isUniqueViolation(error, 'user_account_name_key') ? userNameTaken() : error;
    }
  }

  /** Whether the name is not available for a new user of that kind. */
  async isNameTaken(
    tx: Transaction,
    { kind, orgId, userName }: Pick<User, 'kind' | 'orgId' | 'userName'>,
  ): Promise<boolean> {
    const { isTaken, hasNamesake, isAddressOfAnother } = await this.users.nameFacts(tx, { kind, orgId, userName });
    return isTaken || hasNamesake || isAddressOfAnother;
  }

  /**
   * Whether the user's password is still the one that was read with this epoch, which every change of it raises. If so,
   * it does not change until the transaction ends.
   */
  async isUnchangedSince(tx: Transaction, id: string, userEpoch: number): Promise<boolean> {
    return (
      (await tx.of(this.rows).findOne({
        where: { id, tokenEpoch: userEpoch },
        lock: { mode: 'for_no_key_update' },
      })) !== null
    );
  }

  /**
   * Stores a new password and ends every token issued so far; a user who had a password is notified by mail. The caller
   * must end the sessions, because it knows which one continues.
   * @throws DomainError NotFound `user.not_found`
   */
  async setPassword(
    tx: Transaction,
    who: string | User,
    passwordHash: EncodedPassword,
    options: { changeRequired: boolean },
    editorId: string,
  ): Promise<EventMark> {
    const user = await this.rowOf(tx, who);
    const mark = await this.change(
      tx,
      user,
      {
        passwordHash,
        passwordOrigin: null,
        passwordChangeRequired: options.changeRequired,
        state: stateAfter({ ...user, passwordHash }),
        passwordChangedAt: this.clock.now(),
        failedPasswordChecks: 0,
        tokenEpoch: NEXT_EPOCH,
      },
      'user.human.password.changed',
      editorId,
      { changeRequired: options.changeRequired },
    );
    await this.mails.dropCodes(tx, user.id, ['password_reset', ...(user.emailVerified ? ['init' as const] : [])]);
    if (user.passwordHash !== null) await this.mails.tellPasswordChanged(tx, user);
    return mark;
  }

  /**
   * Rehashes the same password with today's parameters and records which hash it had; nothing else changes, and there
   * is no event.
   */
  async upgradePasswordHash(
    tx: Transaction,
    id: string,
    oldHash: string,
    passwordHash: EncodedPassword,
  ): Promise<void> {
    await tx.of(this.rows).update({ id, passwordHash: oldHash }, { passwordHash, passwordOrigin: sha256(oldHash) });
  }

  /** Ends every token issued so far, with the commit, and every code. The caller ends the sessions. */
  async endTokens(tx: Transaction, id: string, editorId: string): Promise<EventMark> {
    return this.change(tx, id, { tokenEpoch: NEXT_EPOCH }, 'user.tokens.ended', editorId);
  }

  /**
   * A manager who opens the account of a user who wanted to delete it keeps it; one who deactivates it takes over the
   * decision, and the user can no longer take it back.
   * @throws DomainError NotFound `user.not_found`; FailedPrecondition `user.state_unchanged`
   */
  async changeState(tx: Transaction, who: string | User, state: UserState, editorId: string): Promise<EventMark> {
    const user = await this.rowOf(tx, who);
    const isKept = (await tx.query(DROP_REMOVAL, { userId: user.id })).length > 0;
    if (user.state === state && !isKept) throw userStateUnchanged(state);
    const isOpen = state === 'active' || state === 'initial';
    const awaitsSetUp = !isOpen && isUnfinished(user);
    // Unlocking an account resets its attempts; tokens issued before the lock stay invalid.
    const besides = isOpen ? { failedPasswordChecks: 0, failedCodeChecks: 0 } : { tokenEpoch: NEXT_EPOCH };
    return this.change(tx, user, { state, awaitsSetUp, ...besides }, `user.state.${state}`, editorId);
  }

  /** @throws DomainError FailedPrecondition `user.state_unchanged` */
  async deactivate(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    return this.changeState(tx, user, 'inactive', editorId);
  }

  /** @throws DomainError FailedPrecondition `user.not_in_state` */
  async reactivate(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    if (user.state !== 'inactive') throw userNotInState('inactive');
    return this.changeState(tx, user, stateOnceOpen(user), editorId);
  }

  /** @throws DomainError FailedPrecondition `user.not_in_state`: accounts that are shut stay as they are */
  async lock(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    if (user.state !== 'active' && user.state !== 'initial') throw userNotInState('active');
    return this.changeState(tx, user, 'locked', editorId);
  }

  /** @throws DomainError FailedPrecondition `user.not_in_state` */
  async unlock(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    if (user.state !== 'locked') throw userNotInState('locked');
    return this.changeState(tx, user, stateOnceOpen(user), editorId);
  }

  /**
   * Removes the user and what belongs to it; its tokens become invalid with the commit.
   * @throws DomainError NotFound
   */
  async remove(tx: Transaction, id: string, editorId: string): Promise<EventMark> {
    const user = await this.get(tx, id);
    const mark = await this.journal.append(tx, {
      aggregateType: 'user',
      aggregateId: id,
      type: 'user.removed',
      orgId: user.orgId,
      editorId,
    });
    await tx.of(this.rows).delete({ id });
    await this.changes.announce(tx, 'service-user', EVERYTHING);
    return mark;
  }

  /**
   * Changes a user: records the event, updates the row, and notifies the caches of service users.
   * @throws DomainError InvalidArgument `user.rule_refused`
   */
  async change(
    tx: Transaction,
    who: string | User,
    values: QueryDeepPartialEntity<User>,
    eventType: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    const row = await this.rowOf(tx, who);
    const { id, orgId, kind } = row;
    if (eventType !== DOMAIN_CLAIMED) await this.rules.checkChange(tx, row, values, editorId);
    const mark = await this.journal.append(tx, {
      aggregateType: 'user',
      aggregateId: id,
      type: eventType,
      orgId,
      editorId,
      payload,
    });
    await tx.of(this.rows).update({ id }, { ...values, sequence: mark.sequence, changeDate: mark.at });
    // Cached by name and by id; service users change rarely, so all of them are dropped.
    if (kind === 'service') await this.changes.announce(tx, 'service-user', EVERYTHING);
    return mark;
  }

  /** Applies the values that differ; if none does, nothing is written, and the mark is that of the last change. */
  async changeTo(
    tx: Transaction,
    user: User,
    values: Partial<User>,
    eventType: string,
    editorId: string,
  ): Promise<EventMark> {
    const changed = changedValues(user, definedValues(values));
    const fields = Object.keys(changed);
    if (fields.length === 0) return lastMark(user);
    return this.change(tx, user, changed, eventType, editorId, { fields });
  }

  async get(tx: Transaction, id: string): Promise<User> {
    const user = await tx.of(this.rows).findOneBy({ id });
    if (!user) throw userNotFound();
    return user;
  }

  /**
   * A user of the organization, locked until the transaction ends, so that decisions remain valid.
   * @throws DomainError NotFound `user.not_found`
   */
  async getOf(tx: Transaction, orgId: string, id: string): Promise<User> {
    const user = await this.findOf(tx, orgId, id);
    if (!user) throw userNotFound();
    return user;
  }

  /** Like `getOf`, but returns undefined if there is no such user. */
  async findOf(tx: Transaction, orgId: string, id: string): Promise<User | undefined> {
    return (await tx.of(this.rows).findOne({ where: { id, orgId }, lock: { mode: 'for_no_key_update' } })) ?? undefined;
  }

  /** The row itself, where the caller has read it in the same transaction. */
  /** Like `findOf`, without a lock. */
  async readOf(on: Transaction | Database, orgId: string, id: string): Promise<User | undefined> {
    return (await on.of(this.rows).findOneBy({ id, orgId })) ?? undefined;
  }

  private async rowOf(tx: Transaction, who: string | User): Promise<User> {
    return typeof who === 'string' ? this.get(tx, who) : who;
  }

  /** Returns the scope in which the name is reserved. */
  private async checkName(tx: Transaction, user: NameQuestion & Pick<User, 'id'>): Promise<string> {
    const { nameScope, ...facts } = await this.users.nameFacts(tx, user);
    if (facts.hasNamesake || facts.isAddressOfAnother) throw userNameTaken();
    // A user who must also type a domain of the organization cannot be mistaken for another.
    if (user.kind === 'human' && nameScope === '' && facts.isAtDomainOfAnother) throw userDomainElsewhere();
    if (facts.isReserved) await this.nameScopes.makeWay(tx, user, nameScope);
    return nameScope;
  }
}

/** An account is set up once its e-mail address is verified and it has a password. */
export function stateAfter(user: Pick<User, 'state' | 'emailVerified' | 'passwordHash'>): UserState {
  return user.state === 'initial' && user.emailVerified && user.passwordHash !== null ? 'active' : user.state;
}

/** Whether the account waits to be set up, now or once it is opened again. */
export function isUnfinished({ state, awaitsSetUp }: Pick<User, 'state' | 'awaitsSetUp'>): boolean {
  return state === 'initial' || awaitsSetUp;
}

/** Managers may have set the account up while it was shut. */
function stateOnceOpen(user: User): UserState {
  return user.awaitsSetUp ? stateAfter({ ...user, state: 'initial' }) : 'active';
}
