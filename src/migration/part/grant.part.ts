import { newId } from '../../foundation/crypto/id.js';
import { PROJECT_GRANT_IN_PATH } from '../../project/in-path.js';
import { PROJECT_GRANT_STATE } from '../../project/project.enums.js';
import { USER_GRANT_IN_PATH } from '../../project/user-grant/in-path.js';
import { USER_GRANT_STATE } from '../../project/user-grant/user-grant.enums.js';
import { choice, type EntryOf, Message, part, texts } from '../document/field.js';
import { canBeInPath, idIfAny, idOf, ownId } from './ids.js';
import { orgStage } from './org.part.js';
import {
  type DocumentPart,
  definePart,
  forEach,
  isExportedProject,
  isExportedUser,
  listIn,
  OWNED_PROJECTS,
  type Stored,
  textOf,
} from './part.js';
import { notOfSystem, projectStage } from './project.part.js';
import { type Check, OWN, type Row, refersTo, type Stage, staging, usable } from './stage.js';
import { userStage } from './user.stage.js';

const ROLE_KEYS = texts(3, { min: 1, max: 200 });

/**
 * Whether the project lacks the role `k`. Looks up one role at a time: for NOT EXISTS, the planner would collect all
 * roles of the project for each row.
 */
const roleUnknown = (skip: boolean): string =>
  `coalesce(
      (
        SELECT true FROM ${staging('project_role')} r
        WHERE r.project_id = s.project_id AND r.key = k AND ${usable(skip)}
        LIMIT 1
      ),
      (SELECT true FROM project_role r WHERE r.project_id = s.project_id AND r.key = k)
    ) IS NULL`;
const given = staging('project_grant');

const projectGrantStage: Stage = {
  table: 'project_grant',
  name: 'a project grant',
  key: ['id'],
  columns: ['project_id', 'granted_org_id', 'role_keys', 'state'],
  sets: ['role_keys'],
  ownerOf: (t) => `(SELECT o.org_id FROM project o WHERE o.id = ${t}.project_id)`,
  uniques: [
    {
      columns: ['project_id', 'granted_org_id'],
      says: 'grants a project to an organization that has it',
      holder: `' by the grant ' || t.id`,
    },
  ],
  checks: [
    canBeInPath('id', PROJECT_GRANT_IN_PATH),
    notOfSystem(),
    refersTo('project_id', projectStage, OWN),
    refersTo('granted_org_id', orgStage),
    {
      breaks: () => 's.granted_org_id = s._org',
      says: 'grants a project to the organization that owns it',
      verdict: 'invalid',
    },
    {
      breaks: (skip) => `EXISTS (SELECT 1 FROM unnest(s.role_keys) k WHERE ${roleUnknown(skip)})`,
      says: 'names a role that the project does not have',
      verdict: 'invalid',
    },
  ],
};

const ownProject = (skip: boolean): string =>
  `EXISTS (
      SELECT 1 FROM ${staging('project')} r
      WHERE r.id = s.project_id AND r._org = s._org AND ${usable(skip)}
    )
    OR EXISTS (SELECT 1 FROM project r WHERE r.id = s.project_id AND r.org_id = s._org)`;

/** Whether the role `k` was not granted with the project. */
const roleNotGranted = (skip: boolean): string =>
  `NOT EXISTS (
      SELECT 1 FROM ${given} g
      WHERE g.id = s.project_grant_id AND k = ANY (g.role_keys) AND ${usable(skip, 'g')}
    )
    AND NOT EXISTS (SELECT 1 FROM project_grant g WHERE g.id = s.project_grant_id AND k = ANY (g.role_keys))`;

/** Who holds the roles of a grant, and how a refusal calls it. */
interface GrantStage {
  readonly stagedAs: string;
  readonly name: string;
  /** The column of the holder. */
  readonly holder: string;
  readonly checks: readonly Check[];
}

/** Grants to holders of one kind: all are in one table. */
export function grantStage({ stagedAs, name, holder, checks }: GrantStage): Stage {
  const staged = staging(stagedAs);
  return {
    table: 'user_grant',
    stagedAs,
    name,
    key: [holder, 'project_id', 'org_id'],
    columns: ['id', 'project_grant_id', 'role_keys', 'state'],
    sets: ['role_keys'],
    uncompared: ['id', 'project_grant_id'],
    ownerOf: (t) => `${t}.org_id`,
    // A project of another organization is reached through its project grant, whatever the document says: there is only
    // one.
    resolve: (skip) => [
      `UPDATE ${staged} s
       SET project_grant_id = coalesce(
         (SELECT g.id FROM project_grant g WHERE g.project_id = s.project_id AND g.granted_org_id = s._org),
         (
           SELECT g.id FROM ${given} g
           WHERE g.project_id = s.project_id AND g.granted_org_id = s._org AND ${usable(skip, 'g')}
           LIMIT 1
         )
       )
       WHERE NOT (${ownProject(skip)})`,
      `UPDATE ${staged} s
       SET project_grant_id = NULL
       WHERE ${ownProject(skip)}`,
    ],
    uniques: [{ columns: ['id'], says: 'has the id of another grant' }],
    checks: [
      notOfSystem(),
      refersTo('org_id', orgStage),
      ...checks,
      refersTo('project_id', projectStage),
      {
        breaks: (skip) => `s.project_grant_id IS NULL AND NOT (${ownProject(skip)})`,
        says: 'names a project that is neither of this organization nor granted to it',
        verdict: 'invalid',
      },
      {
        breaks: (skip) => `EXISTS (
          SELECT 1 FROM unnest(s.role_keys) k
          WHERE CASE WHEN s.project_grant_id IS NULL THEN ${roleUnknown(skip)} ELSE ${roleNotGranted(skip)} END
        )`,
        says: 'names a role that the project does not have, or that was not granted with it',
        verdict: 'invalid',
      },
    ],
  };
}

const userGrantStage = grantStage({
  stagedAs: 'user_grant',
  name: 'a user grant',
  holder: 'user_id',
  checks: [canBeInPath('id', USER_GRANT_IN_PATH), refersTo('user_id', userStage)],
});

/** An entry of `projectGrants`. */
export const PROJECT_GRANT = new Message(
  {
    grantId: ownId(1),
    projectGrant: part(
      2,
      new Message({ projectId: idOf(1), grantedOrgId: idOf(2), roleKeys: ROLE_KEYS }, ['projectId', 'grantedOrgId']),
    ),
    state: choice(100, PROJECT_GRANT_STATE),
  },
  ['projectGrant'],
);

export const projectGrantPart: DocumentPart = definePart({
  member: 'projectGrants',
  number: 18,
  stages: [projectGrantStage],
  message: PROJECT_GRANT,
  take({ grantId, projectGrant, state }, section) {
    if (!projectGrant) return;
    const id = grantId || newId();
    const { projectId, grantedOrgId, roleKeys } = projectGrant;
    section.stage(
      projectGrantStage,
      {
        id,
        project_id: projectId,
        granted_org_id: grantedOrgId,
        role_keys: [...new Set(roleKeys)],
        state: state === 'unspecified' ? 'active' : state,
      },
      {
        type: 'project_grant',
        id: `${section.orgId}_${projectId}_${grantedOrgId}`,
        done: { grantId: id, projectId, orgId: grantedOrgId },
      },
    );
  },
  select: `SELECT g.id, g.project_id, g.granted_org_id, g.role_keys, g.state
    FROM ${OWNED_PROJECTS} p ${forEach('SELECT * FROM project_grant WHERE project_id = p.id')} g
    WHERE g.granted_org_id = ANY(:orgIds::text[]) ORDER BY g.id`,
  toEntry: (row) => ({
    grantId: textOf(row, 'id'),
    state: row['state'] as 'active',
    projectGrant: {
      projectId: textOf(row, 'project_id'),
      grantedOrgId: textOf(row, 'granted_org_id'),
      roleKeys: [...listIn(row, 'role_keys')].sort(),
    },
  }),
});

/** The members that the grants of users and of groups have in common. */
export const GRANT_FIELDS = {
  projectId: idOf(2),
  projectGrantId: idIfAny(3),
  roleKeys: { ...ROLE_KEYS, number: 4 },
  id: ownId(100),
  state: choice(101, USER_GRANT_STATE),
};

/** A grant as its columns, without that of the holder. */
export function toGrantRow(grant: EntryOf<typeof GRANT_FIELDS>, orgId: string): Row {
  return {
    id: grant.id || newId(),
    project_id: grant.projectId,
    org_id: orgId,
    project_grant_id: grant.projectGrantId || null,
    role_keys: [...new Set(grant.roleKeys)],
    state: grant.state === 'unspecified' ? 'active' : grant.state,
  };
}

/** A stored grant as its members, without that of the holder. */
export function toGrant(row: Stored): EntryOf<typeof GRANT_FIELDS> {
  return {
    projectId: textOf(row, 'project_id'),
    projectGrantId: textOf(row, 'project_grant_id'),
    roleKeys: [...listIn(row, 'role_keys')].sort(),
    id: textOf(row, 'id'),
    state: row['state'] as 'active',
  };
}

/** An entry of `userGrants`. */
export const USER_GRANT = new Message({ userId: idOf(1), ...GRANT_FIELDS }, ['userId', 'projectId']);

export const userGrantPart: DocumentPart = definePart({
  member: 'userGrants',
  number: 19,
  stages: [userGrantStage],
  message: USER_GRANT,
  take({ userId, ...grant }, section) {
    const { projectId } = grant;
    section.stage(
      userGrantStage,
      { ...toGrantRow(grant, section.orgId), user_id: userId },
      { type: 'user_grant', id: `${section.orgId}_${projectId}_${userId}`, done: { projectId, userId } },
    );
  },
  select: `SELECT g.id, g.user_id, g.project_id, g.project_grant_id, g.role_keys, g.state FROM user_grant g
    WHERE g.org_id = :orgId AND ${isExportedUser('g.user_id')} AND ${isExportedProject('g.project_id')} ORDER BY g.id`,
  toEntry: (row) => ({ userId: textOf(row, 'user_id'), ...toGrant(row) }),
});
