import { Injectable } from '@nestjs/common';
import { newId } from '../crypto/id.js';
import { isUniqueViolation } from '../database/database-failure.js';
import { Database, type Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import { DomainError, invalidFields } from '../error/domain-error.js';
import { Journal } from '../event/journal.js';
import { ProjectRole } from '../project/project-role.entity.js';
import { UserGrant } from './user-grant.entity.js';

export interface NewUserGrant {
  readonly userId: string;
  readonly projectId: string;
  /** The granting organization. */
  readonly orgId: string;
  readonly roleKeys: readonly string[];
}

const HOLDS_ROLE = statement(
  'user_grant.holds_role',
  `SELECT 1 FROM user_grant WHERE user_id = $1 AND project_id = $2 AND state = 'active' AND cardinality(role_keys) > 0 LIMIT 1`,
);

function grantExists(): DomainError {
  return new DomainError('AlreadyExists', 'user_grant.exists', 'The user holds a grant of this project already.');
}

@Injectable()
export class UserGrantService {
  constructor(
    private readonly journal: Journal,
    private readonly database: Database,
  ) {}

  /** Whether the user holds any role of the project, by grant of whichever organization. */
  async holdsRole(userId: string, projectId: string): Promise<boolean> {
    const rows = await this.database.query(HOLDS_ROLE, [userId, projectId]);
    return rows.length > 0;
  }


  /** @throws DomainError InvalidArgument for roles that the project lacks; AlreadyExists `user_grant.exists` */
  async add(tx: Transaction, input: NewUserGrant, editorId: string): Promise<string> {
    const known = new Set((await tx.entities.findBy(ProjectRole, { projectId: input.projectId })).map((role) => role.key));
    const unknown = input.roleKeys.filter((key) => !known.has(key));
    if (unknown.length > 0) {
      throw invalidFields(unknown.map((key) => ({ field: 'roleKeys', description: `the project has no role ${key}` })));
    }
    const id = newId();
    const mark = await this.journal.append(tx, {
      aggregateType: 'user_grant', aggregateId: id, type: 'user.grant.added', orgId: input.orgId, editorId, payload: { ...input },
    });
    try {
      await tx.entities.insert(UserGrant, {
        ...input, roleKeys: [...input.roleKeys], id,
        sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
      });
    } catch (error) {
      throw isUniqueViolation(error) ? grantExists() : error;
    }
    return id;
  }

  async remove(tx: Transaction, id: string, editorId: string): Promise<void> {
    const grant = await tx.entities.findOneByOrFail(UserGrant, { id });
    await this.journal.append(tx, {
      aggregateType: 'user_grant', aggregateId: id, type: 'user.grant.removed', orgId: grant.orgId, editorId,
    });
    await tx.entities.delete(UserGrant, { id });
  }
}
