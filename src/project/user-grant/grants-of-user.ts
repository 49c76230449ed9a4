/**
 * The grants of a user as a derived table for FROM with all columns of `user_grant`: their own, and those of the groups
 * that they belong to. `userId` is an SQL expression; `condition` is one over the grant `ag` and its project grant
 * `ap`, if it has one. Each half is a look-up by an index that begins with its holder; OFFSET 0 keeps a planner without
 * statistics from reading all of one.
 */
export function grantsOf(userId: string, condition = 'true'): string {
  return `(
      SELECT ag.*
      FROM user_grant ag
      LEFT JOIN project_grant ap ON ap.id = ag.project_grant_id
      WHERE ag.user_id = ${userId} AND ${condition}
      UNION ALL
      SELECT ag.*
      FROM user_group_member am
      CROSS JOIN LATERAL (SELECT * FROM user_grant WHERE group_id = am.group_id OFFSET 0) ag
      LEFT JOIN project_grant ap ON ap.id = ag.project_grant_id
      WHERE am.user_id = ${userId} AND ${condition})`;
}

/**
 * Those of which the user has the roles now: what was granted through a project grant counts only while that is active.
 * `projectId` is an SQL expression; without it, those of all projects.
 */
export function activeGrantsOf(userId: string, projectId?: string): string {
  const ofProject = projectId === undefined ? '' : `ag.project_id = ${projectId} AND `;
  return grantsOf(userId, `${ofProject}ag.state = 'active' AND (ag.project_grant_id IS NULL OR ap.state = 'active')`);
}
