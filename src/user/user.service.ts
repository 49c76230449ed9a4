import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { newId } from '../crypto/id.js';
import type { EncodedPassword } from '../crypto/password-hash.js';
import { ChangeChannel, EVERYTHING } from '../database/change-channel.js';
import { isUniqueViolation } from '../database/database-failure.js';
import type { Transaction } from '../database/database.js';
import { Journal, type EventMark } from '../event/journal.js';
import type { SignInAccount } from './account.js';
import { Clock } from '../time/clock.js';
import { NameScopeService } from './name-scope.service.js';
import { newHumanViolations, type NewHuman, type Profile } from './new-human.js';
import { UserMetadata } from './user-metadata.entity.js';
import { toNameKey } from './user-name.js';
import { User, type UserState } from './user.entity.js';
import { userIdTaken, userInvalid, userNameTaken, userNotFound, userStateUnchanged } from './user.errors.js';
import { UserRepository } from './user.repository.js';

/** Counted by the database: two raises at once must not become one, or tokens issued between them would live on. */
export const NEXT_EPOCH = (): string => 'token_epoch + 1';

/** People: their names, profiles, passwords and states; what all users have in common. */
@Injectable()
export class UserService {
  constructor(
    private readonly users: UserRepository,
    private readonly nameScopes: NameScopeService,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
  ) {}

  /** The person whom this login name means, in any state. `orgId` empty: in any organization. */
  async findByLoginName(loginName: string, orgId = ''): Promise<SignInAccount | undefined> {
    return this.users.findByLoginName(loginName, orgId);
  }

  /** @throws DomainError InvalidArgument with every violation; AlreadyExists `user.name_taken`, `user.id_taken` */
  async addHuman(tx: Transaction, input: NewHuman, editorId: string): Promise<string> {
    const violations = newHumanViolations(input);
    if (violations.length > 0) throw userInvalid(violations);
    const passwordHash = input.passwordHash ?? null;
    const { firstName, lastName } = input.profile;
    return this.insert(tx, {
      ...input.profile,
      displayName: input.profile.displayName || `${firstName} ${lastName}`,
      id: input.id ?? newId(),
      orgId: input.orgId,
      kind: 'human',
      state: passwordHash === null ? 'initial' : 'active',
      userName: input.userName,
      email: input.email,
      emailKey: toNameKey(input.email),
      emailVerified: input.emailVerified ?? false,
      phone: input.phone ?? '',
      phoneVerified: input.phoneVerified ?? false,
      passwordHash,
      passwordChangedAt: passwordHash === null ? null : this.clock.now(),
      passwordChangeRequired: input.passwordChangeRequired ?? false,
    }, 'user.human.added', editorId);
  }

  /** Inserts any kind of user with its first event. @throws DomainError AlreadyExists `user.name_taken`, `user.id_taken` */
  async insert(
    tx: Transaction,
    user: Partial<User> & Pick<User, 'id' | 'orgId' | 'kind' | 'userName'>,
    eventType: string,
    editorId: string,
  ): Promise<string> {
    const nameScope = user.kind === 'human' ? await this.nameScopes.of(tx, user.orgId) : '';
    if (await this.users.hasNamesake(tx, user.userName, user.orgId, nameScope)) throw userNameTaken();
    const mark = await this.journal.append(tx, {
      aggregateType: 'user', aggregateId: user.id, type: eventType, orgId: user.orgId, editorId,
      payload: { userName: user.userName },
    });
    try {
      await tx.entities.insert(User, {
        ...user, nameScope, userNameKey: toNameKey(user.userName),
        sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
      });
    } catch (error) {
      if (isUniqueViolation(error, 'user_account_name_key')) throw userNameTaken();
      throw isUniqueViolation(error, 'user_account_pkey') ? userIdTaken() : error;
    }
    return user.id;
  }

  /** @throws DomainError NotFound `user.not_found` */
  async changeProfile(tx: Transaction, id: string, profile: Partial<Profile>, editorId: string): Promise<void> {
    await this.change(tx, id, profile, 'user.human.profile.changed', editorId, { fields: Object.keys(profile) });
  }

  /**
   * Stores a new password and cuts off every token issued so far. Ending sessions is the caller's: it knows which
   * one goes on.
   * @throws DomainError NotFound `user.not_found`
   */
  async setPassword(
    tx: Transaction,
    id: string,
    passwordHash: EncodedPassword,
    options: { changeRequired: boolean },
    editorId: string,
  ): Promise<void> {
    const user = await this.get(tx, id);
    await this.change(
      tx, id,
      {
        passwordHash,
        passwordChangeRequired: options.changeRequired,
        state: user.state === 'initial' ? 'active' : user.state,
        passwordChangedAt: this.clock.now(),
        failedPasswordChecks: 0,
        tokenEpoch: NEXT_EPOCH,
      },
      'user.human.password.changed', editorId, { changeRequired: options.changeRequired },
    );
  }

  /** Stores the same password under today's hash parameters; nothing else changes, and nothing is journaled. */
  async upgradePasswordHash(tx: Transaction, id: string, oldHash: string, passwordHash: EncodedPassword): Promise<void> {
    await tx.entities.update(User, { id, passwordHash: oldHash }, { passwordHash });
  }

  /** @throws DomainError NotFound `user.not_found`; FailedPrecondition `user.state_unchanged` */
  async changeState(tx: Transaction, id: string, state: UserState, editorId: string): Promise<void> {
    const user = await this.get(tx, id);
    if (user.state === state) throw userStateUnchanged(state);
    // Whoever unlocks an account gives all its tries back.
    await this.change(tx, id, state === 'active' ? { state, failedPasswordChecks: 0 } : { state }, `user.state.${state}`, editorId);
  }

  /** Removes the user and what belongs to it; its tokens are dead with the commit. @throws DomainError NotFound */
  async remove(tx: Transaction, id: string, editorId: string): Promise<void> {
    const user = await this.get(tx, id);
    await this.journal.append(tx, {
      aggregateType: 'user', aggregateId: id, type: 'user.removed', orgId: user.orgId, editorId,
    });
    await tx.entities.delete(User, { id });
    await this.changes.announce(tx, 'service-user', EVERYTHING);
  }

  async setMetadata(tx: Transaction, id: string, key: string, value: Buffer, editorId: string): Promise<void> {
    const mark = await this.change(tx, id, {}, 'user.metadata.set', editorId, { key });
    await tx.entities.upsert(
      UserMetadata, { userId: id, key, value, sequence: mark.sequence, changeDate: mark.at }, ['userId', 'key'],
    );
  }

  /** One change of one user: its event, its row, and word to whoever caches service users. */
  async change(
    tx: Transaction,
    id: string,
    values: QueryDeepPartialEntity<User>,
    eventType: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    const user = await this.get(tx, id);
    const mark = await this.journal.append(tx, {
      aggregateType: 'user', aggregateId: id, type: eventType, orgId: user.orgId, editorId, payload,
    });
    await tx.entities.update(User, { id }, { ...values, sequence: mark.sequence, changeDate: mark.at });
    // Cached by name and by id; service users change rarely, so forgetting all of them is the plain thing.
    if (user.kind === 'service') await this.changes.announce(tx, 'service-user', EVERYTHING);
    return mark;
  }

  async get(tx: Transaction, id: string): Promise<User> {
    const user = await tx.entities.findOneBy(User, { id });
    if (!user) throw userNotFound();
    return user;
  }
}
