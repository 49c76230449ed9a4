/** The organization that a membership's object belongs to, in a SELECT from `member m` with `MEMBERSHIP_JOINS`. */
export const MEMBERSHIP_ORG = `CASE m.level
     WHEN 'org' THEN m.object_id
     WHEN 'project' THEN p.org_id
     WHEN 'project_grant' THEN g.granted_org_id
     ELSE '' END`;

export const MEMBERSHIP_JOINS = `LEFT JOIN project p ON m.level = 'project' AND p.id = m.object_id
   LEFT JOIN project_grant g ON m.level = 'project_grant' AND g.id = m.object_id`;

/** All memberships of a user as one JSON value: a list of `Membership`. `userId` is an SQL expression. */
export function membershipsOf(userId: string): string {
  return `(
   SELECT coalesce(
     json_agg(json_build_object(
       'level', m.level,
       'objectId', m.object_id,
       'roles', m.roles,
       'orgId', ${MEMBERSHIP_ORG})),
     '[]')
   FROM member m
   ${MEMBERSHIP_JOINS}
   WHERE m.user_id = ${userId})`;
}
