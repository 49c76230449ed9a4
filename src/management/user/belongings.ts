import { type Statement, statement } from '../../foundation/database/statement.js';
import { journalSql } from '../../foundation/event/journal.js';

/**
 * Objects that others have granted to a user, and that end with the user; foreign keys delete the rows. Set-wise
 * statements, beside the modules that otherwise write these tables.
 */

/** The user who is removed, by whom and when. */
interface Ending {
  readonly userId: string;
  readonly editorId: string;
  readonly now: Date;
}

const END_GRANTS = statement<Ending>(
  'user_removal.grants',
  journalSql(
    {
      aggregateType: "'user_grant'",
      aggregateId: 'g.id',
      type: "'user.grant.cascade.removed'",
      orgId: 'g.org_id',
      editorId: ':editorId',
      at: ':now::timestamptz',
    },
    '(SELECT id, org_id FROM user_grant WHERE user_id = :userId) g',
  ),
);

const LEAVE_GROUPS = statement<Ending>(
  'user_removal.groups',
  journalSql(
    {
      aggregateType: "'group'",
      aggregateId: 'g.id',
      type: "'group.member.cascade.removed'",
      orgId: 'g.org_id',
      editorId: ':editorId',
      at: ':now::timestamptz',
      payload: "jsonb_build_object('userId', :userId::text)",
    },
    `(SELECT ug.id, ug.org_id
      FROM user_group_member m
      JOIN user_group ug ON ug.id = m.group_id
      WHERE m.user_id = :userId) g`,
  ),
);

/** A membership is recorded in the journal of its aggregate, once for each. */
const END_MEMBERSHIPS = statement<Ending>(
  'user_removal.memberships',
  journalSql(
    {
      aggregateType: 'm.level',
      aggregateId: 'm.object_id',
      editorId: ':editorId',
      at: ':now::timestamptz',
      payload: `jsonb_build_object('userId', :userId::text)`,
      type: `CASE m.level WHEN 'project_grant' THEN 'project.grant' ELSE m.level END || '.member.cascade.removed'`,
      orgId: `CASE m.level
        WHEN 'project' THEN coalesce(m.project_org_id, '')
        WHEN 'project_grant' THEN coalesce(m.granted_org_id, '')
        ELSE m.object_id END`,
    },
    `(SELECT b.level, b.object_id, p.org_id AS project_org_id, pg.granted_org_id
      FROM member b
        LEFT JOIN project p ON b.level = 'project' AND p.id = b.object_id
        LEFT JOIN project_grant pg ON b.level = 'project_grant' AND pg.id = b.object_id
      WHERE b.user_id = :userId) m`,
  ),
);

/** An event for each of them, before the user is removed. */
export const BELONGINGS: ReadonlyArray<Statement<Ending>> = [END_GRANTS, LEAVE_GROUPS, END_MEMBERSHIPS];
