import { statement, type Statement } from '../database/statement.js';
import { journalSql } from '../event/journal.js';

/** One kind of object that belongs to an organization. */
interface Owned {
  /** Appends an event for each of the organization's ($1), by an editor ($2), at a time ($3). */
  readonly events: Statement;
  /** Deletes what no foreign key ties to the organization ($1). */
  readonly remains?: Statement;
}

/**
 * What ends with an organization, what hangs on others first; a new kind of object is one entry. By statements over whole
 * sets, beside the modules that else write these tables: an organization may hold a million people.
 */
export const OWNED: readonly Owned[] = [
  owned(
    'user_grant', 'user.grant.cascade.removed',
    `SELECT g.id FROM user_grant g WHERE g.org_id = $1
     UNION SELECT g.id FROM user_grant g JOIN project p ON p.id = g.project_id AND p.org_id = $1
     UNION SELECT g.id FROM user_grant g JOIN user_account u ON u.id = g.user_id AND u.org_id = $1`,
    'DELETE FROM user_grant WHERE org_id = $1',
  ),
  owned(
    'project_grant', 'project.grant.cascade.removed', grantsOf(),
    `DELETE FROM member m WHERE m.level = 'project_grant' AND m.object_id IN (${grantsOf()})`,
  ),
  owned('client', 'client.cascade.removed', 'SELECT c.id FROM client c JOIN project p ON p.id = c.project_id AND p.org_id = $1'),
  owned(
    'project', 'project.cascade.removed', 'SELECT p.id FROM project p WHERE p.org_id = $1',
    `DELETE FROM member m WHERE m.level = 'project' AND m.object_id IN (SELECT p.id FROM project p WHERE p.org_id = $1)`,
  ),
  owned(
    'user', 'user.cascade.removed', 'SELECT u.id FROM user_account u WHERE u.org_id = $1',
    `DELETE FROM member WHERE level = 'org' AND object_id = $1`,
  ),
];

/** The project grants that an organization has given, and those that it was given. */
function grantsOf(): string {
  return `SELECT g.id FROM project_grant g WHERE g.granted_org_id = $1
    UNION SELECT g.id FROM project_grant g JOIN project p ON p.id = g.project_id AND p.org_id = $1`;
}

/** `ids` selects the ids of the organization's objects, as a column `id`. */
function owned(aggregateType: string, eventType: string, ids: string, remains?: string): Owned {
  const event = { aggregateType: `'${aggregateType}'`, aggregateId: 'o.id', type: `'${eventType}'`, orgId: '$1', editorId: '$2', at: '$3' };
  return {
    events: statement(`org_removal.${aggregateType}.events`, journalSql(event, `(${ids}) o`)),
    ...(remains === undefined ? {} : { remains: statement(`org_removal.${aggregateType}.remains`, remains) }),
  };
}
