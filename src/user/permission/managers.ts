import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../foundation/database/columns.js';
import {
  type Condition,
  equals,
  isAmong,
  type ListFilter,
  type SearchedText,
  type TextMatch,
  textMatches,
} from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../../foundation/database/listing.js';
import type { Recorded } from '../../foundation/database/recorded.js';
import { statement } from '../../foundation/database/statement.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { User } from '../user.entity.js';
import { NAMES_SHOWN } from '../user-columns.js';
import { SEARCHED_OF_USER } from '../user-search.js';
import type { Actor } from './actor.js';
import { Member } from './member.entity.js';
import { MEMBER_PROPERTIES } from './membership-directory.js';
import { type MemberObject, Memberships } from './memberships.js';
import { managedObjectNotFound, memberUserMissing } from './permission.errors.js';

/** A member as shown: roles and user. */
export type MemberEntry = Member & {
  readonly preferredLoginName: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly userType: 'human' | 'service';
  readonly userOrgId: string;
};

export type MemberColumn = 'userId' | 'creationDate' | 'changeDate' | 'userOrgId';

const LISTING = new Listing<MemberEntry, MemberColumn>({
  select: `${columnsOf(Member, 'm', MEMBER_PROPERTIES)},
    ${columnsOf(User, 'u', ['email', 'firstName', 'lastName'])},
    u.kind AS "userType",
    u.org_id AS "userOrgId",
    ${NAMES_SHOWN}`,
  from: 'member m JOIN user_account u ON u.id = m.user_id',
  key: 'm.user_id',
  sort: { userId: 'm.user_id', creationDate: 'm.creation_date', changeDate: 'm.change_date', userOrgId: 'u.org_id' },
});

const ORG_OF_USER = statement(
  'member.org_of_user',
  'SELECT org_id AS "orgId" FROM user_account WHERE id = :userId',
).rows<{ orgId: string }>();

const PROJECT_OF_ORG = statement(
  'member.project_of_org',
  'SELECT 1 FROM project WHERE id = :projectId AND org_id = :orgId',
);
/**
 * Selects the grants of both sides: the organization that owns the project and the one that it was granted to have
 * managers of a grant; each appoints its own users.
 */
const GRANT_SEEN_BY_ORG = statement(
  'member.grant_seen_by_org',
  `SELECT g.granted_org_id AS "orgId"
   FROM project_grant g
   JOIN project p ON p.id = g.project_id
   WHERE g.id = :grantId AND g.project_id = :projectId AND :orgId IN (p.org_id, g.granted_org_id)`,
).rows<{ orgId: string }>();

/** The managers of the instance, of an organization, a project or a project grant. */
@Injectable()
export class Managers {
  constructor(
    private readonly database: Database,
    private readonly memberships: Memberships,
  ) {}

  /**
   * The user must belong to the organization of the call, or to one whose users the actor may read: otherwise a list of
   * managers would reveal anybody, and managers of that user could not change one who manages something elsewhere.
   * @throws DomainError InvalidArgument; PermissionDenied; FailedPrecondition `member.user_missing`; AlreadyExists
   * `member.exists`
   */
  async add(actor: Actor, object: MemberObject, userId: string, roles: readonly string[]): Promise<EventMark> {
    this.memberships.checkMayGive(actor, object, roles);
    return this.database.transaction(async (tx) => {
      const [user] = await tx.query(ORG_OF_USER, { userId });
      if (!user || (user.orgId !== actor.orgId && !actor.rights.may('user.read', { orgId: user.orgId })))
        throw memberUserMissing();
      return this.memberships.add(tx, { ...object, userId, roles }, actor.userId);
    });
  }

  /**
   * @throws DomainError InvalidArgument; PermissionDenied; NotFound `member.not_found`; FailedPrecondition
   * `member.last_owner`
   */
  async change(actor: Actor, object: MemberObject, userId: string, roles: readonly string[]): Promise<Recorded> {
    this.memberships.checkMayGive(actor, object, roles);
    return this.database.transaction((tx) => this.memberships.change(tx, actor, object, userId, roles));
  }

  /** @throws DomainError PermissionDenied; NotFound `member.not_found`; FailedPrecondition `member.last_owner` */
  async remove(actor: Actor, object: MemberObject, userId: string): Promise<EventMark> {
    return this.database.transaction((tx) => this.memberships.remove(tx, actor, object, userId));
  }

  async list(object: MemberObject, request: ListRequest<MemberColumn>): Promise<Page<MemberEntry>> {
    const where = [equals('m.level', object.level), equals('m.object_id', object.objectId), ...request.where];
    return LISTING.page(this.database, { ...request, where });
  }

  /** @throws DomainError NotFound `project.not_found`, also for a project of another organization */
  async project(orgId: string, projectId: string): Promise<MemberObject> {
    if ((await this.database.query(PROJECT_OF_ORG, { projectId, orgId })).length === 0)
      throw managedObjectNotFound('project');
    return { level: 'project', objectId: projectId, orgId };
  }

  /** @throws DomainError NotFound `project_grant.not_found` */
  async projectGrant(orgId: string, projectId: string, grantId: string): Promise<MemberObject> {
    const [grant] = await this.database.query(GRANT_SEEN_BY_ORG, { grantId, projectId, orgId });
    if (!grant) throw managedObjectNotFound('project_grant');
    return { level: 'project_grant', objectId: grantId, orgId: grant.orgId };
  }
}

function ofUsers(field: SearchedText, how: TextMatch, text: string): ListFilter {
  const matches = textMatches(field, how, text);
  return isAmong('m.user_id', (bind) => `SELECT u.id AS value FROM user_account u WHERE ${matches(bind)}`);
}

/** Filters for a list of members. */
export const memberWhere = {
  firstName: (how: TextMatch, text: string): ListFilter => ofUsers(SEARCHED_OF_USER.firstName, how, text),
  lastName: (how: TextMatch, text: string): ListFilter => ofUsers(SEARCHED_OF_USER.lastName, how, text),
  email: (how: TextMatch, text: string): ListFilter => ofUsers(SEARCHED_OF_USER.email, how, text),
  userId: (id: string): Condition => equals('m.user_id', id),
} as const;
