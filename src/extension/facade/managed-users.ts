import type { Secret } from '../../foundation/config/secret.js';
import type { Database, Transaction } from '../../foundation/database/database.js';
import { type SqlTransaction, selectionOf, transactionOrDatabase } from '../../foundation/extension/sql.js';
import type { ManagedUsers as ProductManagedUsers } from '../../management/user/managed-users.js';
import type { Newcomers } from '../../management/user/newcomers.js';
import type { PersonService } from '../../user/person.service.js';
import type { User } from '../../user/user.entity.js';
import type { UserService } from '../../user/user.service.js';
import type { UserDirectory } from '../../user/user-directory.js';
import type { UserSearch } from '../../user/user-search.js';
import { actorWith, type Caller } from './caller.js';
import {
  type Excerpt,
  type MomentComparison,
  rangeOf,
  type SelectedIds,
  type TextComparison,
  textMatchOf,
} from './filter.js';

/** A user as managers see it, in whatever state. Members may be added in a minor version. @public */
export interface ManagedUser {
  readonly id: string;
  readonly orgId: string;
  readonly kind: 'human' | 'service';
  /** `initial`: not set up yet. `locked`: after too many wrong passwords, or by a manager. */
  readonly state: 'initial' | 'active' | 'inactive' | 'locked';
  readonly userName: string;
  readonly firstName: string;
  readonly middleName: string;
  readonly lastName: string;
  readonly nickName: string;
  /** For a service user, its name. */
  readonly displayName: string;
  readonly preferredLanguage: string;
  /** Of the time zone database: `Europe/Paris`. */
  readonly timeZone: string;
  readonly profileUrl: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phone: string;
  readonly phoneVerified: boolean;
  readonly createdAt: Date;
  readonly changedAt: Date;
  /** Grows with each change. */
  readonly sequence: bigint;
}

/** The profile of a human user. @public */
export interface ManagedProfile {
  /** 1 to 200 characters. */
  readonly firstName: string;
  /** 1 to 200 characters. */
  readonly lastName: string;
  readonly middleName?: string;
  readonly nickName?: string;
  /** First and last name if it is absent or empty. */
  readonly displayName?: string;
  readonly preferredLanguage?: string;
  readonly timeZone?: string;
  readonly profileUrl?: string;
}

/** A human user to add. @public */
export interface NewManagedUser extends ManagedProfile {
  readonly userName: string;
  readonly email: string;
  /** Whether the caller knows that the address is the user's. */
  readonly emailVerified?: boolean;
  /** `+41791234567` */
  readonly phone?: string;
  /** It must satisfy the rules of the organization; needs `user.credential.write`. */
  readonly password?: Secret;
  /** Whether a mail with a code to set the account up, or to verify the address, is sent. */
  readonly invite?: boolean;
}

/** What changes; what is absent stays. An empty `phone` removes the number. @public */
export type ManagedUserChange = Partial<Omit<NewManagedUser, 'password' | 'invite'>>;

/** Which users a list shows. @public */
export type UserFilter =
  | TextComparison<'userName' | 'email' | 'firstName' | 'lastName' | 'nickName' | 'displayName'>
  | { readonly field: 'phone'; readonly is: 'equal'; readonly value: string }
  | MomentComparison
  | { readonly field: 'id'; readonly in: readonly string[] }
  | { readonly field: 'kind'; readonly in: ReadonlyArray<ManagedUser['kind']> }
  | { readonly field: 'state'; readonly in: ReadonlyArray<ManagedUser['state']> }
  | { readonly memberOf: string }
  | SelectedIds
  | { readonly all: readonly UserFilter[] }
  | { readonly any: readonly UserFilter[] }
  | { readonly not: UserFilter };

/** @public */
export interface UserQuery extends Excerpt {
  readonly where?: UserFilter;
}

/**
 * Users of an organization, as a caller may manage them there: each method checks the permission of the caller, and
 * nobody changes a user who may do more. Each takes part in a transaction that it is given, and has one of its own
 * otherwise. Inject it by this class.
 * @public
 */
export abstract class ManagedUsers {
  /** `user.read` */
  abstract find(caller: Caller, userId: string, tx?: SqlTransaction): Promise<ManagedUser | undefined>;

  /**
   * In the order of their creation, with the exact total; `user.read`.
   * @throws DomainError DeadlineExceeded `list.too_slow`
   */
  abstract list(
    caller: Caller,
    query: UserQuery,
  ): Promise<{ readonly users: readonly ManagedUser[]; readonly total: number }>;

  /**
   * Adds a human user; `user.write`.
   * @throws DomainError InvalidArgument; AlreadyExists `user.name_taken`; FailedPrecondition `user.domain_elsewhere`
   */
  abstract add(caller: Caller, user: NewManagedUser, tx?: SqlTransaction): Promise<ManagedUser>;

  /**
   * Changes a human user; `user.write`. No mail is sent.
   * @param make what changes, of the user as it is, who is locked until the transaction ends; it may throw
   * @throws DomainError NotFound `user.not_found`; InvalidArgument; AlreadyExists `user.name_taken`; PermissionDenied
   * `permission.user_too_strong`; FailedPrecondition
   */
  abstract change(
    caller: Caller,
    userId: string,
    make: (user: ManagedUser) => ManagedUserChange | Promise<ManagedUserChange>,
    tx?: SqlTransaction,
  ): Promise<ManagedUser>;

  /**
   * Closes an account that is not closed yet, and ends its sessions and tokens; `user.write`.
   * @throws DomainError NotFound `user.not_found`; PermissionDenied `permission.user_too_strong`; FailedPrecondition
   * `member.last_owner`
   */
  abstract deactivate(caller: Caller, userId: string, tx?: SqlTransaction): Promise<ManagedUser>;

  /**
   * Opens an account that was deactivated; one that is open or locked stays as it is. `user.write`
   * @throws DomainError NotFound `user.not_found`; PermissionDenied `permission.user_too_strong`
   */
  abstract reactivate(caller: Caller, userId: string, tx?: SqlTransaction): Promise<ManagedUser>;

  /**
   * Removes the user with everything that belongs to it; `user.delete`.
   * @throws DomainError NotFound `user.not_found`; PermissionDenied `permission.user_too_strong`; FailedPrecondition
   * `member.last_owner`
   */
  abstract remove(caller: Caller, userId: string, tx?: SqlTransaction): Promise<void>;

  /**
   * Sets a password, and ends all sessions and tokens; `user.credential.write`.
   * @throws DomainError InvalidArgument for a password that breaks the rules of the organization
   */
  abstract setPassword(
    caller: Caller,
    userId: string,
    password: Secret,
    options: { readonly changeRequired: boolean },
    tx?: SqlTransaction,
  ): Promise<void>;
}

/** The façade over the product's use cases. */
export class SharedManagedUsers extends ManagedUsers {
  constructor(
    private readonly database: Database,
    private readonly managed: ProductManagedUsers,
    private readonly newcomers: Newcomers,
    private readonly users: UserService,
    private readonly persons: PersonService,
    private readonly directory: UserDirectory,
  ) {
    super();
  }

  override async find(caller: Caller, userId: string, tx?: SqlTransaction): Promise<ManagedUser | undefined> {
    const { orgId } = actorWith(caller, 'user.read');
    const on = transactionOrDatabase(tx, this.database);
    const user = await this.users.readOf(on, orgId, userId);
    return user && toManaged(user);
  }

  override async list(
    caller: Caller,
    { where, ...excerpt }: UserQuery,
  ): Promise<{ readonly users: readonly ManagedUser[]; readonly total: number }> {
    const { orgId } = actorWith(caller, 'user.read');
    const searches = where === undefined ? [] : [toSearch(where)];
    const range = { ...rangeOf(excerpt), sortBy: 'creationDate', ascending: true } as const;
    const { rows, total } = await this.directory.list(orgId, searches, range);
    return { users: rows.map(toManaged), total: Number(total) };
  }

  override async add(caller: Caller, user: NewManagedUser, tx?: SqlTransaction): Promise<ManagedUser> {
    const actor = actorWith(caller, 'user.write');
    const { userName, email, emailVerified = false, phone, password, invite = false, ...profile } = user;
    if (password) actorWith(caller, 'user.credential.write');
    return transactionOrDatabase(tx, this.database).transaction(async (on) => {
      const newcomer = {
        userName,
        email,
        emailVerified,
        profile: toProfile(profile),
        isSilent: !invite,
        ...(phone === undefined ? {} : { phone }),
        ...(password === undefined ? {} : { password: { secret: password, field: 'password' } }),
      };
      const { id } = await this.newcomers.add(actor, newcomer, on);
      return this.get(on, id);
    });
  }

  override async change(
    caller: Caller,
    userId: string,
    make: (user: ManagedUser) => ManagedUserChange | Promise<ManagedUserChange>,
    tx?: SqlTransaction,
  ): Promise<ManagedUser> {
    const actor = actorWith(caller, 'user.write');
    const change = async (on: Transaction, user: User): Promise<ManagedUser> => {
      const { userName, email, emailVerified, phone, ...profile } = await make(toManaged(user));
      if (userName !== undefined) await this.users.rename(on, user, userName, actor.userId);
      if (Object.keys(profile).length > 0) await this.persons.changeProfile(on, user, toProfile(profile), actor.userId);
      if (email !== undefined || emailVerified !== undefined) {
        const isVerified = emailVerified ?? false;
        await this.persons.changeEmail(on, user, email ?? user.email, isVerified, actor.userId, { isSilent: true });
      }
      if (phone === '' && user.phone !== '') await this.persons.removePhone(on, user, actor.userId);
      if (phone !== undefined && phone !== '') await this.persons.changePhone(on, user, phone, false, actor.userId);
      return this.get(on, userId);
    };
    return this.managed.change(actor, userId, change, transactionOrDatabase(tx, this.database));
  }

  override async deactivate(caller: Caller, userId: string, tx?: SqlTransaction): Promise<ManagedUser> {
    const actor = actorWith(caller, 'user.write');
    return transactionOrDatabase(tx, this.database).transaction(async (on) => {
      const user = await this.users.getOf(on, actor.orgId, userId);
      if (user.state !== 'inactive') await this.managed.deactivate(actor, userId, on);
      return this.get(on, userId);
    });
  }

  override async reactivate(caller: Caller, userId: string, tx?: SqlTransaction): Promise<ManagedUser> {
    const actor = actorWith(caller, 'user.write');
    const reactivate = async (on: Transaction, user: User): Promise<ManagedUser> => {
      if (user.state === 'inactive') await this.users.reactivate(on, user, actor.userId);
      return this.get(on, userId);
    };
    return this.managed.change(actor, userId, reactivate, transactionOrDatabase(tx, this.database));
  }

  override async remove(caller: Caller, userId: string, tx?: SqlTransaction): Promise<void> {
    await this.managed.remove(actorWith(caller, 'user.delete'), userId, transactionOrDatabase(tx, this.database));
  }

  override async setPassword(
    caller: Caller,
    userId: string,
    password: Secret,
    options: { readonly changeRequired: boolean },
    tx?: SqlTransaction,
  ): Promise<void> {
    await this.managed.setPassword(
      actorWith(caller, 'user.credential.write'),
      userId,
      password,
      options,
      transactionOrDatabase(tx, this.database),
    );
  }

  private async get(tx: Transaction, userId: string): Promise<ManagedUser> {
    return toManaged(await this.users.get(tx, userId));
  }
}

function toManaged(user: Pick<User, KnownMember>): ManagedUser {
  return {
    id: user.id,
    orgId: user.orgId,
    kind: user.kind,
    state: user.state,
    userName: user.userName,
    firstName: user.firstName,
    middleName: user.middleName,
    lastName: user.lastName,
    nickName: user.nickName,
    displayName: user.kind === 'service' ? user.serviceName : user.displayName,
    preferredLanguage: user.preferredLanguage,
    timeZone: user.zoneinfo,
    profileUrl: user.profileUrl,
    email: user.email,
    emailVerified: user.emailVerified,
    phone: user.phone,
    phoneVerified: user.phoneVerified,
    createdAt: user.creationDate,
    changedAt: user.changeDate,
    sequence: user.sequence,
  };
}

type KnownMember =
  | Exclude<keyof ManagedUser, 'timeZone' | 'createdAt' | 'changedAt'>
  | 'serviceName'
  | 'zoneinfo'
  | 'creationDate'
  | 'changeDate';

function toProfile<P extends Partial<ManagedProfile>>({
  timeZone,
  ...profile
}: P): Omit<P, 'timeZone'> & { readonly zoneinfo?: string } {
  return { ...profile, ...(timeZone === undefined ? {} : { zoneinfo: timeZone }) };
}

/** The filter in the words of the product. */
function toSearch(filter: UserFilter): UserSearch {
  if ('all' in filter) return { allOf: filter.all.map(toSearch) };
  if ('any' in filter) return { anyOf: filter.any.map(toSearch) };
  if ('not' in filter) return { not: toSearch(filter.not) };
  if ('memberOf' in filter) return { by: 'group', id: filter.memberOf };
  if ('idIn' in filter) return { by: 'select', ids: selectionOf(filter.idIn.sql, filter.idIn.values) };
  switch (filter.field) {
    case 'id':
      return { by: 'id', oneOf: filter.in };
    case 'kind':
    case 'state': {
      const { field } = filter;
      return { anyOf: filter.in.map((is) => ({ by: field, is })) };
    }
    case 'phone':
      return { by: 'phone', is: filter.value };
    case 'createdAt':
      return { by: 'creationDate', how: filter.is, at: filter.value };
    case 'changedAt':
      return { by: 'changeDate', how: filter.is, at: filter.value };
    default:
      return { by: filter.field, how: textMatchOf(filter), text: filter.value };
  }
}
