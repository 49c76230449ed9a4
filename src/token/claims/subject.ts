import { activeGrantsOf } from '../../project/user-grant/grants-of-user.js';
import { USER_JOINS, USER_MEMBERS, type UserFacts } from '../../user/user-facts.js';

/** Roles of a user in one project, granted by one organization. */
export interface RoleGrant {
  readonly projectId: string;
  readonly orgId: string;
  readonly orgDomain: string | null;
  readonly roleKeys: readonly string[];
}

/** The user of a token, with everything that claims are made of. */
export interface Subject extends UserFacts {
  /** Null if no roles were requested. */
  readonly grants: readonly RoleGrant[] | null;
  /** Values in base64; null if they were not requested. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The names of the groups that the user is a member of; null if there are none, or they were not requested. */
  readonly groups: readonly string[] | null;
}

/** Requests the grants of every project. */
export const ALL_PROJECTS: readonly string[] = ['*'];

/**
 * A `Subject` as the column `subject` of a SELECT from `user_account u`: `projects` is the placeholder of a text array
 * (null: no roles), `wantsMetadata` and `wantsGroups` are boolean expressions. Parts that are not requested cost
 * nothing, because CASE does not evaluate them.
 */
export function subjectColumn(projects: string, wantsMetadata: string, wantsGroups: string): string {
  return `json_build_object(${USER_MEMBERS},
    'grants', CASE WHEN ${projects}::text[] IS NOT NULL THEN (
      SELECT json_agg(json_build_object('projectId', g.project_id, 'orgId', g.org_id, 'orgDomain', gd.domain,
          'roleKeys', g.role_keys) ORDER BY g.id)
      FROM ${activeGrantsOf('u.id')} g LEFT JOIN org_domain gd ON gd.org_id = g.org_id AND gd.is_primary
      WHERE ${projects}::text[] = '{*}' OR g.project_id = ANY(${projects}::text[])) END,
    'metadata', CASE WHEN ${wantsMetadata} THEN (
      SELECT json_object_agg(m.key, encode(m.value, 'base64') ORDER BY m.key)
      FROM user_metadata m WHERE m.user_id = u.id) END,
    'groups', CASE WHEN ${wantsGroups} THEN (
      SELECT json_agg(gn.name ORDER BY gn.name, gn.id)
      FROM user_group_member gm JOIN user_group gn ON gn.id = gm.group_id
      WHERE gm.user_id = u.id) END) AS subject`;
}

export const SUBJECT_JOINS = USER_JOINS;
