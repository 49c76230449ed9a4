/**
 * The grants of which a user has the roles now, as a derived table for FROM with all columns of `user_grant`: their own
 * grants, and those of the groups that they belong to. What was granted through a project grant counts only while that
 * is active. `userId` and `projectId` are SQL expressions; without a project, those of all projects. Each half is a
 * look-up by an index that begins with its holder; OFFSET 0 keeps a planner without statistics from reading all of one.
 */
export function activeGrantsOf(userId: string, projectId?: string): string {
  const ofProject = projectId === undefined ? '' : ` AND ag.project_id = ${projectId}`;
  const isInForce = `ag.state = 'active' AND (ag.project_grant_id IS NULL OR ap.state = 'active')`;
  return `(
      SELECT ag.*
      FROM user_grant ag
      LEFT JOIN project_grant ap ON ap.id = ag.project_grant_id
      WHERE ag.user_id = ${userId}${ofProject} AND ${isInForce}
      UNION ALL
      SELECT ag.*
      FROM user_group_member am
      CROSS JOIN LATERAL (SELECT * FROM user_grant WHERE group_id = am.group_id OFFSET 0) ag
      LEFT JOIN project_grant ap ON ap.id = ag.project_grant_id
      WHERE am.user_id = ${userId}${ofProject} AND ${isInForce})`;
}
