import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import { Journal } from '../event/journal.js';
import { Member, type MemberLevel } from './member.entity.js';
import { permissionsOf, type Permission, type RoleName } from './role.js';

const FIND = statement(
  'member.of_user',
  'SELECT level, object_id AS "objectId", roles FROM member WHERE user_id = $1',
);

interface Membership {
  readonly level: MemberLevel;
  readonly objectId: string;
  readonly roles: readonly string[];
}

/** Who manages what. Asked anew for each request: a role that is taken away is gone with the next one. */
@Injectable()
export class Memberships {
  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
  ) {}

  /** The permissions that somebody holds over the whole instance. */
  async instancePermissions(userId: string): Promise<ReadonlySet<Permission>> {
    const memberships = await this.database.query<Membership>(FIND, [userId]);
    const ofInstance = memberships.filter((membership) => membership.level === 'instance');
    return new Set(ofInstance.flatMap((membership) => membership.roles.flatMap(permissionsOf)));
  }

  async add(
    tx: Transaction,
    member: { userId: string; level: MemberLevel; objectId: string; orgId: string; roles: readonly RoleName[] },
    editorId: string,
  ): Promise<void> {
    const { userId, level, objectId, orgId, roles } = member;
    const mark = await this.journal.append(tx, {
      aggregateType: level, aggregateId: objectId, type: `${level}.member.added`, orgId, editorId, payload: { userId, roles },
    });
    await tx.entities.insert(Member, {
      userId, level, objectId, roles: [...roles], sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
    });
  }

  async remove(tx: Transaction, member: { userId: string; level: MemberLevel; objectId: string; orgId: string }, editorId: string): Promise<void> {
    const { userId, level, objectId, orgId } = member;
    await this.journal.append(tx, {
      aggregateType: level, aggregateId: objectId, type: `${level}.member.removed`, orgId, editorId, payload: { userId },
    });
    await tx.entities.delete(Member, { userId, level, objectId });
  }
}
