import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../foundation/database/columns.js';
import { type Condition, equals } from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { Listing, type Page } from '../../foundation/database/listing.js';
import type { Recorded } from '../../foundation/database/recorded.js';
import { HISTORY } from '../../foundation/database/recorded.js';
import { statement } from '../../foundation/database/statement.js';
import { userNotFound } from '../user.errors.js';
import { isOfOrg } from '../user-name.js';
import type { MemberLevel } from './member.entity.js';
import { Member } from './member.entity.js';

/** A membership of a user, and its object. */
export type MembershipEntry = Recorded & {
  readonly userId: string;
  readonly level: MemberLevel;
  readonly objectId: string;
  readonly roles: readonly string[];
  /** Name of the instance, organization or project. */
  readonly objectName: string;
  /** The organization that the object belongs to; the instance for itself. */
  readonly ownerId: string;
};

export const MEMBER_PROPERTIES = ['userId', 'level', 'objectId', 'roles', ...HISTORY] as const;

const LISTING = new Listing<MembershipEntry, 'objectId'>({
  select: `${columnsOf(Member, 'm', MEMBER_PROPERTIES)},
    coalesce(i.name, o.name, p.name, gp.name, '') AS "objectName",
    coalesce(i.id, o.id, p.org_id, g.granted_org_id, '') AS "ownerId"`,
  from: 'member m',
  joins: `LEFT JOIN instance i ON m.level = 'instance' AND i.id = m.object_id
    LEFT JOIN org o ON m.level = 'org' AND o.id = m.object_id
    LEFT JOIN project p ON m.level = 'project' AND p.id = m.object_id
    LEFT JOIN project_grant g ON m.level = 'project_grant' AND g.id = m.object_id
    LEFT JOIN project gp ON gp.id = g.project_id`,
  key: 'm.object_id',
  sort: { objectId: 'm.object_id' },
});

const USER_OF_ORG = statement(
  'member.user_of_org',
  `SELECT 1 FROM user_account WHERE id = :userId AND ${isOfOrg('user_account', ':orgId')}`,
);

/** Looks up what a user manages. */
@Injectable()
export class MembershipDirectory {
  constructor(private readonly database: Database) {}

  async list(
    userId: string,
    range: { offset: bigint; limit: number; ascending: boolean },
    where: readonly Condition[],
  ): Promise<Page<MembershipEntry>> {
    return LISTING.page(this.database, {
      ...range,
      sortBy: 'objectId',
      where: [equals('m.user_id', userId), ...where],
    });
  }

  /** @throws DomainError NotFound `user.not_found`, also for a user of another organization */
  async listOfOrg(
    orgId: string,
    userId: string,
    range: { offset: bigint; limit: number; ascending: boolean },
    where: readonly Condition[],
  ): Promise<Page<MembershipEntry>> {
    if ((await this.database.query(USER_OF_ORG, { userId, orgId })).length === 0) throw userNotFound();
    return this.list(userId, range, where);
  }
}

export function ofObject(level: MemberLevel, objectId: string): Condition {
  return (bind) => `m.level = ${bind(level)} AND m.object_id = ${bind(objectId)}`;
}

export function isOfInstance(yes: boolean): Condition {
  return () => (yes ? `m.level = 'instance'` : `m.level <> 'instance'`);
}
