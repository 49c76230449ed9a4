import { newId } from '../../foundation/crypto/id.js';
import { isThere } from '../../foundation/database/is-there.js';
import { PROJECT_IN_PATH, ROLE_IN_PATH } from '../../project/in-path.js';
import { PRIVATE_LABELING_SETTING, PROJECT_STATE } from '../../project/project.enums.js';
import { resourceKeyOf, resourceProblem } from '../../project/resource-uri.js';
import { choice, flag, Message, part, parts, text, texts } from '../document/field.js';
import { canBeInPath, idOf, ownId } from './ids.js';
import { stageProjectAdmin } from './member.part.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, flagOf, forEach, notSystem, OWNED_PROJECTS, textOf } from './part.js';
import { type Check, inQuotes, OWN, refersTo, type Stage, staging } from './stage.js';

const blank = (name: string): string | undefined => (name.trim() === '' ? 'must not be blank' : undefined);

const COLUMNS = [
  'org_id',
  'name',
  'state',
  'project_role_assertion',
  'project_role_check',
  'has_project_check',
  'private_labeling_setting',
];

export const projectStage: Stage = {
  table: 'project',
  name: 'a project',
  key: ['id'],
  ownerOf: (t) => `${t}.org_id`,
  columns: COLUMNS,
  uniques: [
    {
      columns: ['org_id', 'name'],
      says: 'has the name',
      value: inQuotes('{}.name'),
      holder: `', which the project ' || t.id || ' of the same organization has here'`,
    },
  ],
  checks: [canBeInPath('id', PROJECT_IN_PATH), refersTo('org_id', orgStage)],
};

/** Checks what belongs to a project: the system project is neither exported nor changed by an import. */
export const notOfSystem = (column = 'project_id'): Check => ({
  breaks: () => `s.${column} = (SELECT system_project_id FROM instance)`,
  says: 'belongs to the project of the service itself, to which nothing is imported',
  verdict: 'invalid',
});

/** The key of a row is made from its URI, by the rules of the noun. */
const resourceStage: Stage = {
  table: 'project_resource',
  name: 'a protected resource',
  key: ['key'],
  columns: ['project_id', 'uri'],
  ownerOf: (t) => `(SELECT o.org_id FROM project o WHERE o.id = ${t}.project_id)`,
  checks: [
    notOfSystem(),
    refersTo('project_id', projectStage, OWN),
    {
      // Resources and client ids are both audiences: a token for one must not pass as a token for the other (RFC 9700
      // §2.3).
      breaks: () =>
        `${isThere('client t', 't.client_id = s.uri')} OR ${isThere(`${staging('client')} t`, 't.client_id = s.uri')}`,
      says: 'is the client id of an application',
      verdict: 'conflict',
    },
  ],
};

const roleStage: Stage = {
  table: 'project_role',
  name: 'a role',
  key: ['project_id', 'key'],
  columns: ['display_name', 'role_group'],
  ownerOf: (t) => `(SELECT o.org_id FROM project o WHERE o.id = ${t}.project_id)`,
  checks: [canBeInPath('key', ROLE_IN_PATH), notOfSystem(), refersTo('project_id', projectStage, OWN)],
};

/** An entry of `projects`. */
export const PROJECT = new Message(
  {
    projectId: ownId(1),
    project: part(
      2,
      new Message(
        {
          name: text(1, { min: 1, max: 200, problem: blank }),
          projectRoleAssertion: flag(2),
          projectRoleCheck: flag(3),
          hasProjectCheck: flag(4),
          privateLabelingSetting: choice(5, PRIVATE_LABELING_SETTING),
          resourceUris: texts(104, { min: 1, max: 500, maxItems: 50 }),
          // Absent from exports, but present in requests that were put into a document.
          admins: parts(
            6,
            new Message({ userId: idOf(1), roles: texts(3, { min: 1, max: 200, maxItems: 50 }) }, ['userId']),
          ),
        },
        ['name'],
      ),
    ),
    state: choice(100, PROJECT_STATE),
  },
  ['project'],
);

export const projectPart: DocumentPart = definePart({
  member: 'projects',
  number: 10,
  stages: [projectStage, resourceStage],
  message: PROJECT,
  take({ projectId, project, state }, section) {
    const id = projectId || newId();
    section.stage(
      projectStage,
      {
        id,
        org_id: section.orgId,
        name: project?.name,
        state: state === 'unspecified' ? 'active' : state,
        project_role_assertion: project?.projectRoleAssertion,
        project_role_check: project?.projectRoleCheck,
        has_project_check: project?.hasProjectCheck,
        private_labeling_setting: project?.privateLabelingSetting,
      },
      { type: 'project', id, done: id },
    );
    project?.resourceUris.forEach((uri, index) => {
      section.faults.addProblem(`${section.path}.project.resourceUris[${index}]`, resourceProblem(uri, section.issuer));
      section.stage(
        resourceStage,
        { key: resourceKeyOf(uri) ?? uri, project_id: id, uri },
        { type: 'project_resource', id: `${id}_${uri}` },
      );
    });
    project?.admins.forEach((admin, index) =>
      stageProjectAdmin({ ...section, path: `${section.path}.project.admins[${index}]` }, id, admin),
    );
  },
  select: `SELECT id, ${COLUMNS.join(', ')},
      ARRAY(SELECT r.uri FROM project_resource r WHERE r.project_id = project.id ORDER BY r.key) AS resource_uris
    FROM project
    WHERE org_id = :orgId AND ${notSystem('id')}
    ORDER BY id`,
  toEntry: (row) => ({
    projectId: textOf(row, 'id'),
    state: row['state'] as 'active',
    project: {
      name: textOf(row, 'name'),
      projectRoleAssertion: flagOf(row, 'project_role_assertion'),
      projectRoleCheck: flagOf(row, 'project_role_check'),
      hasProjectCheck: flagOf(row, 'has_project_check'),
      privateLabelingSetting: row['private_labeling_setting'] as 'unspecified',
      resourceUris: row['resource_uris'] as string[],
      admins: [],
    },
  }),
});

/** An entry of `projectRoles`. */
export const PROJECT_ROLE = new Message(
  { projectId: idOf(1), roleKey: idOf(2), displayName: text(3, { max: 200 }), group: text(4, { max: 200 }) },
  ['projectId', 'roleKey'],
);

export const projectRolePart: DocumentPart = definePart({
  member: 'projectRoles',
  number: 11,
  stages: [roleStage],
  // If it has no display name, the role is shown by its key: the described system writes such roles but refuses to read
  // them again.
  message: PROJECT_ROLE,
  take({ projectId, roleKey, displayName, group }, section) {
    const id = `${projectId}_${roleKey}`;
    section.stage(
      roleStage,
      { project_id: projectId, key: roleKey, display_name: displayName || roleKey, role_group: group },
      { type: 'project_role', id, done: id },
    );
  },
  select: `SELECT r.project_id, r.key, r.display_name, r.role_group
    FROM ${OWNED_PROJECTS} p ${forEach('SELECT * FROM project_role WHERE project_id = p.id')} r
    ORDER BY r.project_id, r.key`,
  toEntry: (row) => ({
    projectId: textOf(row, 'project_id'),
    roleKey: textOf(row, 'key'),
    displayName: textOf(row, 'display_name'),
    group: textOf(row, 'role_group'),
  }),
});
