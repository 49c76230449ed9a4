import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { takeLockOn } from '../../foundation/database/advisory-lock.js';
import { columnsOf } from '../../foundation/database/columns.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { isUniqueViolation } from '../../foundation/database/database-failure.js';
import type { Recorded } from '../../foundation/database/recorded.js';
import { type Queryable, statement } from '../../foundation/database/statement.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { type EventMark, Journal } from '../../foundation/event/journal.js';
import { User } from '../user.entity.js';
import { isInState } from '../user-name.js';
import { type Actor, checkMayChangeOwnSignIn } from './actor.js';
import { hasAllRights } from './calling-application.js';
import { Member, type MemberLevel } from './member.entity.js';
import { MEMBERSHIP_JOINS, MEMBERSHIP_ORG } from './membership-column.js';
import {
  lastOrgOwner,
  lastOwner,
  memberExists,
  memberNotFound,
  memberUserMissing,
  roleTooStrong,
  userTooStrong,
} from './permission.errors.js';
import { type Membership, Rights } from './rights.js';
import { RoleBook } from './role-book.js';

const FIND = statement(
  'member.of_user',
  `SELECT ${columnsOf(Member, 'm', ['level', 'objectId', 'roles'])}, ${MEMBERSHIP_ORG} AS "orgId"
   FROM member m
   ${MEMBERSHIP_JOINS}
   WHERE m.user_id = :userId`,
).rows<Membership>();

/** The memberships of an organization's users. */
const FIND_OF_ORG = statement(
  'member.of_users_of_org',
  `SELECT ${columnsOf(Member, 'm', ['userId', 'level', 'objectId', 'roles'])}, ${MEMBERSHIP_ORG} AS "orgId"
   FROM user_account u
   JOIN member m ON m.user_id = u.id
   ${MEMBERSHIP_JOINS}
   WHERE u.org_id = :orgId`,
).rows<MembershipOfUser>();

/** The memberships of users who can sign in through an identity provider. */
const FIND_OF_LINKED = statement(
  'member.of_users_linked',
  `SELECT ${columnsOf(Member, 'm', ['userId', 'level', 'objectId', 'roles'])}, ${MEMBERSHIP_ORG} AS "orgId"
   FROM idp_link l
   JOIN member m ON m.user_id = l.user_id
   ${MEMBERSHIP_JOINS}
   WHERE l.idp_id = :idpId`,
).rows<MembershipOfUser>();

const FIND_OTHER_OWNER = statement(
  'member.other_owners',
  `SELECT 1
   FROM member m
   JOIN user_account u ON u.id = m.user_id AND ${isInState('u', 'active')}
   JOIN org o ON o.id = u.org_id AND o.state = 'active'
   WHERE m.level = 'instance' AND m.object_id = (SELECT id FROM instance) AND 'IAM_OWNER' = ANY (m.roles)
     AND m.user_id <> ALL (:userIds)
   LIMIT 1`,
);

/** An organization of which nobody else who can sign in is an owner. */
const FIND_SOLELY_OWNED = statement(
  'member.solely_owned',
  `SELECT o.name
   FROM member m
   JOIN org o ON o.id = m.object_id
   WHERE m.user_id = :userId AND m.level = 'org' AND 'ORG_OWNER' = ANY (m.roles)
     AND NOT EXISTS (
       SELECT 1
       FROM member x
       JOIN user_account u ON u.id = x.user_id AND ${isInState('u', 'active')}
       JOIN org uo ON uo.id = u.org_id AND uo.state = 'active'
       WHERE x.level = 'org' AND x.object_id = m.object_id AND 'ORG_OWNER' = ANY (x.roles)
         AND x.user_id <> m.user_id)
   LIMIT 1`,
).rows<{ name: string }>();

/** The object of a membership. */
export interface MemberObject {
  readonly level: MemberLevel;
  readonly objectId: string;
  /** See `Membership.orgId`; for the instance its id, as the owner of its events. */
  readonly orgId: string;
}

/** The aggregate of a level's events. */
const AGGREGATE = { instance: 'instance', org: 'org', project: 'project', project_grant: 'project_grant' } as const;
const EVENT = {
  instance: 'instance.member',
  org: 'org.member',
  project: 'project.member',
  project_grant: 'project.grant.member',
} as const;

/** Who manages what. Read anew for each request: a role that is removed is ineffective from the next one on. */
@Injectable()
export class Memberships {
  constructor(
    @InjectRepository(Member) private readonly rows: Repository<Member>,
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly book: RoleBook,
  ) {}

  async rightsOf(userId: string, on: Queryable = this.database): Promise<Rights> {
    return new Rights(await this.of(userId, on), this.book);
  }

  /**
   * Nobody may create or change credentials of a user with more rights: whatever the user may do, the actor must be
   * allowed to do. People may change their own, but not through any application that they have allowed to administer:
   * it would sign in as them from then on, with all the rights that it was not given.
   * @throws DomainError PermissionDenied `permission.user_too_strong`, `application.not_trusted`
   */
  async checkNotStronger(tx: Queryable, actor: Actor, userId: string): Promise<void> {
    if (actor.userId === userId) {
      checkMayChangeOwnSignIn(actor);
      return;
    }
    const memberships = await this.of(userId, tx);
    if (!memberships.every((membership) => actor.rights.covers(membership))) throw userTooStrong();
  }

  /**
   * Like `checkNotStronger`, for all users of an organization.
   * @throws DomainError PermissionDenied `permission.user_too_strong`
   */
  async checkNobodyStronger(tx: Queryable, actor: Actor, orgId: string): Promise<void> {
    checkEach(actor, await tx.query(FIND_OF_ORG, { orgId }));
  }

  /**
   * Like `checkNotStronger`, for all users of a provider: anyone who controls its tokens can sign in as any of them.
   * @throws DomainError PermissionDenied `permission.user_too_strong`
   */
  async checkNobodyLinkedStronger(tx: Queryable, actor: Actor, idpId: string): Promise<void> {
    checkEach(actor, await tx.query(FIND_OF_LINKED, { idpId }));
  }

  /**
   * Nobody may grant a role with more rights than their own.
   * @throws DomainError InvalidArgument for roles that the level does not have; PermissionDenied
   * `permission.role_too_strong`
   */
  checkMayGive(actor: Actor, { level, objectId, orgId }: MemberObject, roles: readonly string[]): void {
    const unknown = roles.filter((role) => !this.book.isOf(level, role));
    if (unknown.length > 0)
      throw invalidFields(
        unknown.map((role) => ({ field: 'roles', description: `the role ${role} does not exist at this level` })),
      );
    const tooStrong = roles.find((role) => !actor.rights.covers({ level, objectId, orgId, roles: [role] }));
    if (tooStrong !== undefined) throw roleTooStrong(tooStrong);
  }

  /** @throws DomainError FailedPrecondition `member.user_missing`; AlreadyExists `member.exists` */
  async add(
    tx: Transaction,
    member: MemberObject & { userId: string; roles: readonly string[] },
    editorId: string,
  ): Promise<EventMark> {
    const { userId, level, objectId, roles } = member;
    if (!(await tx.of(this.users).existsBy({ id: userId }))) throw memberUserMissing();
    const mark = await this.append(tx, member, 'added', editorId, { userId, roles });
    try {
      await tx.of(this.rows).insert({
        userId,
        level,
        objectId,
        roles: [...roles],
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
    } catch (error) {
      throw isUniqueViolation(error) ? memberExists() : error;
    }
    return mark;
  }

  /**
   * Replaces the roles; the same roles again change nothing. The actor must be allowed to grant both the old and the
   * new ones.
   * @throws DomainError NotFound `member.not_found`; PermissionDenied; FailedPrecondition `member.last_owner`
   */
  async change(
    tx: Transaction,
    actor: Actor,
    object: MemberObject,
    userId: string,
    roles: readonly string[],
  ): Promise<Recorded> {
    const member = await this.get(tx, object, userId);
    this.checkMayGive(actor, object, this.known(member));
    if (sameRoles(member.roles, roles)) return member;
    if (!roles.includes('IAM_OWNER')) await this.checkOwnerRemains(tx, [userId], member.roles);
    const mark = await this.append(tx, object, 'changed', actor.userId, { userId, roles });
    const change = { roles: [...roles], sequence: mark.sequence, changeDate: mark.at };
    await tx.of(this.rows).update({ userId, level: object.level, objectId: object.objectId }, change);
    return { ...member, ...change };
  }

  /** @throws DomainError NotFound `member.not_found`; PermissionDenied; FailedPrecondition `member.last_owner` */
  async remove(tx: Transaction, actor: Actor, object: MemberObject, userId: string): Promise<EventMark> {
    const member = await this.get(tx, object, userId);
    this.checkMayGive(actor, object, this.known(member));
    await this.checkOwnerRemains(tx, [userId], member.roles);
    const mark = await this.append(tx, object, 'removed', actor.userId, { userId });
    await tx.of(this.rows).delete({ userId, level: object.level, objectId: object.objectId });
    return mark;
  }

  /** Removes all memberships of an object that is removed, with an event for each. */
  async removeAllOf(tx: Transaction, object: MemberObject, editorId: string): Promise<void> {
    const { level, objectId } = object;
    for (const { userId } of await tx.of(this.rows).findBy({ level, objectId })) {
      await this.append(tx, object, 'cascade.removed', editorId, { userId });
    }
    await tx.of(this.rows).delete({ level, objectId });
  }

  /**
   * Ensures that the instance keeps an active IAM_OWNER other than these users, if one of them is one. Locks that until
   * the transaction ends.
   * @throws DomainError FailedPrecondition `member.last_owner`
   */
  async checkOwnerRemains(tx: Transaction, userIds: readonly string[], roles?: readonly string[]): Promise<void> {
    if (roles && !roles.includes('IAM_OWNER')) return;
    await takeLockOn(tx, 'instance-owners');
    if ((await tx.query(FIND_OTHER_OWNER, { userIds })).length === 0) throw lastOwner();
  }

  /**
   * Ensures that the instance and each organization keep an active owner without this user. Locks that until the
   * transaction ends.
   * @throws DomainError FailedPrecondition `member.last_owner`, `member.last_org_owner`
   */
  async checkOwnersRemain(tx: Transaction, userId: string): Promise<void> {
    const held = (await this.of(userId, tx)).flatMap(({ roles }) => roles);
    await this.checkOwnerRemains(tx, [userId], held);
    if (!held.includes('ORG_OWNER')) return;
    await takeLockOn(tx, 'org-owners');
    const [org] = await tx.query(FIND_SOLELY_OWNED, { userId });
    if (org) throw lastOrgOwner(org.name);
  }

  /**
   * The roles without those of extensions that are not loaded: they allow nothing, and must not keep the others from
   * being changed.
   */
  private known({ roles }: Member): string[] {
    return roles.filter((role) => this.book.has(role));
  }

  private async of(userId: string, on: Queryable): Promise<Membership[]> {
    return on.query(FIND, { userId });
  }

  private async get(tx: Transaction, { level, objectId }: MemberObject, userId: string): Promise<Member> {
    const member = await tx.of(this.rows).findOne({
      where: { userId, level, objectId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!member) throw memberNotFound();
    return member;
  }

  private async append(
    tx: Transaction,
    object: MemberObject,
    what: string,
    editorId: string,
    payload: Record<string, unknown>,
  ): Promise<EventMark> {
    const { level, objectId, orgId } = object;
    return this.journal.append(tx, {
      aggregateType: AGGREGATE[level],
      aggregateId: objectId,
      type: `${EVENT[level]}.${what}`,
      orgId,
      editorId,
      payload,
    });
  }
}

type MembershipOfUser = Membership & { readonly userId: string };

/** A person is as strong as themselves only if the application leaves them all of their rights. */
function checkEach({ userId, application, rights }: Actor, memberships: readonly MembershipOfUser[]): void {
  const isWhole = !application || hasAllRights(application);
  if (!memberships.every((membership) => (isWhole && membership.userId === userId) || rights.covers(membership)))
    throw userTooStrong();
}

function sameRoles(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}
