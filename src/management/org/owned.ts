import { type Statement, statement } from '../../foundation/database/statement.js';
import { type EventExpressions, journalSql } from '../../foundation/event/journal.js';

/** One kind of object that belongs to an organization. */
interface Owned {
  /** Appends an event for each of the organization's. */
  readonly events: Statement<Removal>;
  /** Deletes what no foreign key ties to the organization. */
  readonly remains?: Statement<Pick<Removal, 'orgId'>>;
}

/** The organization that is removed, by whom and when. */
interface Removal {
  readonly orgId: string;
  readonly editorId: string;
  readonly now: Date;
}

/**
 * The objects that are removed with an organization, dependent ones first; a new kind of object is one entry. Set-wise
 * statements, beside the modules that otherwise write these tables: an organization may contain a million users.
 */
export const OWNED: readonly Owned[] = [
  ended(
    'memberships',
    {
      aggregateType: 'o.level',
      aggregateId: 'o.object_id',
      orgId: 'o.owner_id',
      payload: "jsonb_build_object('userId', o.user_id)",
      type: `CASE o.level WHEN 'project_grant' THEN 'project.grant' ELSE o.level END || '.member.cascade.removed'`,
    },
    `SELECT m.user_id, m.level, m.object_id,
        row_number() OVER (PARTITION BY m.level, m.object_id ORDER BY m.user_id) AS ordinal,
        CASE m.level
          WHEN 'project' THEN coalesce(p.org_id, '')
          WHEN 'project_grant' THEN coalesce(g.granted_org_id, '')
          ELSE m.object_id END AS owner_id
      FROM (${membershipsOf()}) m
        LEFT JOIN project p ON m.level = 'project' AND p.id = m.object_id
        LEFT JOIN project_grant g ON m.level = 'project_grant' AND g.id = m.object_id`,
  ),
  credentials('machine_key', 'user.service.key.removed', 'keyId'),
  credentials('personal_access_token', 'user.personal_access_token.removed', 'tokenId'),
  ended(
    'idp_link',
    {
      aggregateType: "'user'",
      aggregateId: 'o.user_id',
      orgId: ':orgId',
      type: "'user.human.externalidp.cascade.removed'",
      payload: "jsonb_build_object('idpConfigId', o.idp_id, 'userId', o.external_user_id)",
    },
    `SELECT l.user_id, l.idp_id, l.external_user_id,
        row_number() OVER (PARTITION BY l.user_id ORDER BY l.idp_id, l.external_user_id) AS ordinal
      FROM user_account u
      JOIN idp_link l ON l.user_id = u.id
      WHERE u.org_id = :orgId`,
  ),
  owned(
    'user_grant',
    'user.grant.cascade.removed',
    `SELECT g.id FROM user_grant g WHERE g.org_id = :orgId
     UNION
     SELECT g.id FROM user_grant g JOIN project p ON p.id = g.project_id AND p.org_id = :orgId
     UNION
     SELECT g.id FROM user_grant g JOIN user_account u ON u.id = g.user_id AND u.org_id = :orgId`,
    'DELETE FROM user_grant WHERE org_id = :orgId',
  ),
  owned('group', 'group.cascade.removed', 'SELECT g.id FROM user_group g WHERE g.org_id = :orgId'),
  owned(
    'project_grant',
    'project.grant.cascade.removed',
    grantsOf(),
    `DELETE FROM member m
     WHERE m.level = 'project_grant' AND m.object_id IN (${grantsOf()})`,
  ),
  owned(
    'client',
    'client.cascade.removed',
    'SELECT c.id FROM client c JOIN project p ON p.id = c.project_id AND p.org_id = :orgId',
  ),
  owned(
    'project',
    'project.cascade.removed',
    'SELECT p.id FROM project p WHERE p.org_id = :orgId',
    `DELETE FROM member m
     WHERE m.level = 'project' AND m.object_id IN (SELECT p.id FROM project p WHERE p.org_id = :orgId)`,
  ),
  owned(
    'user',
    'user.cascade.removed',
    'SELECT u.id FROM user_account u WHERE u.org_id = :orgId',
    `DELETE FROM member WHERE level = 'org' AND object_id = :orgId`,
  ),
];

/** Project grants given and received by the organization. */
function grantsOf(): string {
  return `SELECT g.id FROM project_grant g WHERE g.granted_org_id = :orgId
    UNION
    SELECT g.id FROM project_grant g JOIN project p ON p.id = g.project_id AND p.org_id = :orgId`;
}

/** Memberships of the organization's users anywhere, and of others in its objects. */
function membershipsOf(): string {
  const of = (level: string, ids: string): string =>
    `SELECT b.user_id, b.level, b.object_id FROM member b WHERE b.level = '${level}' AND b.object_id IN (${ids})`;
  return `SELECT b.user_id, b.level, b.object_id
    FROM user_account u
    JOIN member b ON b.user_id = u.id
    WHERE u.org_id = :orgId
    UNION
    ${of('org', ':orgId')}
    UNION
    ${of('project', 'SELECT p.id FROM project p WHERE p.org_id = :orgId')}
    UNION
    ${of('project_grant', grantsOf())}`;
}

function credentials(table: string, eventType: string, idName: string): Owned {
  const event = {
    aggregateType: "'user'",
    aggregateId: 'o.user_id',
    orgId: ':orgId',
    type: `'${eventType}'`,
    payload: `jsonb_build_object('${idName}', o.id)`,
  };
  return ended(
    table,
    event,
    `SELECT c.user_id, c.id, row_number() OVER (PARTITION BY c.user_id ORDER BY c.id) AS ordinal
      FROM user_account u
      JOIN ${table} c ON c.user_id = u.id
      WHERE u.org_id = :orgId`,
  );
}

/**
 * The events of objects that end with their user, or with what they are about, by foreign key or below: `rows` numbers
 * those of one aggregate as `ordinal`.
 */
function ended(name: string, event: Omit<EventExpressions, 'editorId' | 'at' | 'ordinal'>, rows: string): Owned {
  return {
    events: statement<Removal>(
      `org_removal.${name}.events`,
      journalSql({ ...event, editorId: ':editorId', at: ':now', ordinal: 'o.ordinal' }, `(${rows}) o`),
    ),
  };
}

/** `ids` selects the ids of the organization's objects, as a column `id`. */
function owned(aggregateType: string, eventType: string, ids: string, remains?: string): Owned {
  const event = {
    aggregateType: `'${aggregateType}'`,
    aggregateId: 'o.id',
    type: `'${eventType}'`,
    orgId: ':orgId',
    editorId: ':editorId',
    at: ':now',
  };
  return {
    events: statement<Removal>(`org_removal.${aggregateType}.events`, journalSql(event, `(${ids}) o`)),
    ...(remains === undefined
      ? {}
      : { remains: statement<Pick<Removal, 'orgId'>>(`org_removal.${aggregateType}.remains`, remains) }),
  };
}
