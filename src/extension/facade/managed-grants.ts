import type { Database } from '../../foundation/database/database.js';
import { type SqlTransaction, transactionOrDatabase } from '../../foundation/extension/sql.js';
import type { UserGrants } from '../../management/project/user-grants.js';
import { userGrantFilter } from '../../project/user-grant/user-grant-directory.js';
import { actorOf, type Caller } from './caller.js';
import { type Excerpt, rangeOf } from './filter.js';

/** Who holds roles: a user, or every member of a group. @public */
export type GrantTo = { readonly userId: string } | { readonly groupId: string };

/** Roles that a user or a group holds in a project. Members may be added in a minor version. @public */
export interface ManagedGrant {
  readonly id: string;
  readonly projectId: string;
  /** The grant of the project to the organization; undefined for a project of its own. */
  readonly projectGrantId?: string;
  readonly roleKeys: readonly string[];
  readonly state: 'active' | 'inactive';
}

/** @public */
export interface NewManagedGrant {
  readonly to: GrantTo;
  readonly projectId: string;
  /** Which grant of the project, if the organization has several. */
  readonly projectGrantId?: string;
  readonly roleKeys: readonly string[];
}

/**
 * The roles that an organization grants to users and groups, as a caller may manage them: permissions `user.grant.*`,
 * also of managers of one project. Each method takes part in a transaction that it is given, and has one of its own
 * otherwise. Inject it by this class.
 * @public
 */
export abstract class ManagedGrants {
  /** Those that the caller may read. @throws DomainError NotFound `group.not_found` */
  abstract list(
    caller: Caller,
    to: GrantTo,
    excerpt: Excerpt,
  ): Promise<{ readonly grants: readonly ManagedGrant[]; readonly total: number }>;

  /**
   * @returns its id
   * @throws DomainError NotFound; InvalidArgument for roles that the project does not have; PermissionDenied;
   * AlreadyExists `user_grant.exists`, `group_grant.exists`
   */
  abstract add(caller: Caller, grant: NewManagedGrant, tx?: SqlTransaction): Promise<string>;

  /** @throws DomainError NotFound `user_grant.not_found`; InvalidArgument; PermissionDenied */
  abstract change(
    caller: Caller,
    to: GrantTo,
    grantId: string,
    roleKeys: readonly string[],
    tx?: SqlTransaction,
  ): Promise<void>;

  /** @throws DomainError NotFound `user_grant.not_found`; PermissionDenied */
  abstract remove(caller: Caller, to: GrantTo, grantId: string, tx?: SqlTransaction): Promise<void>;
}

/** The façade over the product's use cases, which check the permissions: they depend on the project. */
export class SharedManagedGrants extends ManagedGrants {
  constructor(
    private readonly database: Database,
    private readonly grants: UserGrants,
  ) {
    super();
  }

  override async list(
    caller: Caller,
    to: GrantTo,
    excerpt: Excerpt,
  ): Promise<{ readonly grants: readonly ManagedGrant[]; readonly total: number }> {
    const actor = actorOf(caller);
    const request = { ...rangeOf(excerpt), sortBy: 'id', ascending: true, where: [] } as const;
    const { rows, total } =
      'groupId' in to
        ? await this.grants.listOfGroup(actor, to.groupId, request)
        : await this.grants.list(actor, [userGrantFilter.user(to.userId)], false, request);
    const grants = rows.map(({ id, projectId, projectGrantId, roleKeys, state }) => ({
      id,
      projectId,
      roleKeys,
      state,
      ...(projectGrantId === null ? {} : { projectGrantId }),
    }));
    return { grants, total: Number(total) };
  }

  override async add(
    caller: Caller,
    { to: holder, projectId, projectGrantId = '', roleKeys }: NewManagedGrant,
    tx?: SqlTransaction,
  ): Promise<string> {
    const input = { holder, projectId, projectGrantId, roleKeys };
    return (await this.grants.add(actorOf(caller), input, transactionOrDatabase(tx, this.database))).id;
  }

  override async change(
    caller: Caller,
    to: GrantTo,
    grantId: string,
    roleKeys: readonly string[],
    tx?: SqlTransaction,
  ): Promise<void> {
    await this.grants.change(actorOf(caller), { ...to, grantId }, roleKeys, transactionOrDatabase(tx, this.database));
  }

  override async remove(caller: Caller, to: GrantTo, grantId: string, tx?: SqlTransaction): Promise<void> {
    await this.grants.remove(actorOf(caller), { ...to, grantId }, transactionOrDatabase(tx, this.database));
  }
}
