import type { MemberLevel } from '../../user/permission/member.entity.js';
import { type Field, Message, texts } from '../document/field.js';
import { idOf } from './ids.js';
import {
  type DocumentPart,
  definePart,
  forEach,
  isExportedProject,
  isExportedUser,
  listIn,
  OWNED_PROJECTS,
  type Section,
  textOf,
} from './part.js';
import { noted, quoted, refersTo, type Stage, staging, usable } from './stage.js';
import { userStage } from './user.stage.js';

/** Whether `s` is of that level and none of the objects, stored or staged, is its organization's; SQL over `o`. */
const isOfNone = (level: string, ...objects: ReadonlyArray<readonly [from: string, isOwn: string]>): string =>
  [
    `s.level = '${level}'`,
    ...objects.map(([from, isOwn]) => `NOT EXISTS (SELECT 1 FROM ${from} WHERE o.id = s.object_id AND (${isOwn}))`),
  ].join(`
          AND `);

const isForeign = (skip: boolean): string => {
  const isUsable = usable(skip, 'o');
  const isGranted = (owner: string): string => `${owner} = s._org OR o.granted_org_id = s._org`;
  return [
    isOfNone('org', [`${staging('org')} o`, isUsable], ['org o', 'true']),
    isOfNone(
      'project',
      [`${staging('project')} o`, `o._org = s._org AND ${isUsable}`],
      ['project o', 'o.org_id = s._org'],
    ),
    isOfNone(
      'project_grant',
      [`${staging('project_grant')} o`, `(${isGranted('o._org')}) AND ${isUsable}`],
      ['project_grant o JOIN project p ON p.id = o.project_id', isGranted('p.org_id')],
    ),
  ]
    .map((one) => `(${one})`)
    .join(`
        OR `);
};

/**
 * The described system repeats the managers of all projects in every organization. Those in the organization of their
 * project count.
 */
const THERE = quoted(' belong to projects of other organizations of the document, and are imported there');
const REPEATED = `WITH own AS (
    SELECT DISTINCT
      d.user_id,
      d.object_id,
      p._org
    FROM ${staging('member')} d
    JOIN ${staging('project')} p ON p.id = d.object_id AND p._org = d._org
    WHERE d.level = 'project'
  ), repeated AS (
    UPDATE ${staging('member')} s
    SET _verdict = 'repeated'
    FROM own
    WHERE s.level = 'project'
      AND s.user_id = own.user_id
      AND s.object_id = own.object_id
      AND s._org <> own._org
    RETURNING s._org
  )
  UPDATE ${staging('org')} o
  SET _notes = ${noted('o', `o._path || '.projectMembers'`, `r.count || ${THERE}`)}
  FROM (SELECT _org, count(*) FROM repeated GROUP BY 1) r
  WHERE o.id = r._org`;

/** Managers. A document never contains those of the instance. */
const memberStage: Stage = {
  table: 'member',
  name: 'a manager',
  key: ['user_id', 'level', 'object_id'],
  columns: ['roles'],
  sets: ['roles'],
  ownerOf: (t) => `CASE ${t}.level WHEN 'org' THEN ${t}.object_id ELSE s._org END`,
  prepare: [REPEATED],
  checks: [
    refersTo('user_id', userStage),
    {
      breaks: () => `s.level = 'project' AND s.object_id = (SELECT system_project_id FROM instance)`,
      says: 'is of the project of the service itself, to which nothing is imported',
      verdict: 'invalid',
    },
    {
      breaks: isForeign,
      says: 'names a project, or a grant of one, that is not of this organization',
      verdict: 'invalid',
    },
  ],
};

/** Roles of the described system without a counterpart here. */
const WITHOUT_COUNTERPART: ReadonlySet<string> = new Set(['SELF_MANAGEMENT_GLOBAL', 'ORG_DYNAMIC_CLIENT_REGISTRAR']);

/** Roles of extensions that are not loaded here. */
const isOfAbsentExtension = (role: string, { book }: Section): boolean => role.startsWith('EXT_') && !book.has(role);

const hasCounterpart = (role: string, section: Section): boolean =>
  !WITHOUT_COUNTERPART.has(role) && !isOfAbsentExtension(role, section);

/** Only managers of the instance may grant its roles; a document may not. */
function checkRoles(level: MemberLevel, roles: readonly string[], section: Section): void {
  const { faults, path, book } = section;
  const known = book.rolesOf(level);
  roles.forEach((role, index) => {
    if (!hasCounterpart(role, section)) faults.note(`${path}.roles[${index}]`, `${role} has no counterpart here`);
    else if (!known.includes(role)) faults.add(`${path}.roles[${index}]`, `must be one of ${known.join(', ')}`);
  });
}

function stageMember(
  section: Section,
  level: MemberLevel,
  userId: string,
  objectId: string,
  roles: readonly string[],
  id: string,
  done: unknown,
): void {
  checkRoles(level, roles, section);
  const type = level === 'org' ? 'org_member' : level === 'project' ? 'project_member' : 'project_grant_member';
  const kept = [...new Set(roles)].filter((role) => hasCounterpart(role, section));
  const leftOut =
    kept.length === 0 && roles.length > 0
      ? `has no role but ${roles.join(', ')}, which has no counterpart here`
      : undefined;
  section.stage(memberStage, { user_id: userId, level, object_id: objectId, roles: kept }, { type, id, done, leftOut });
}

/** A project manager listed beside the project itself. */
export function stageProjectAdmin(
  section: Section,
  projectId: string,
  { userId, roles: given }: { readonly userId: string; readonly roles: readonly string[] },
): void {
  stageMember(section, 'project', userId, projectId, given, `${section.orgId}_${projectId}_${userId}`, {
    projectId,
    userId,
  });
}

const roles = (number: number): Field<readonly string[]> => texts(number, { min: 1, max: 200, maxItems: 50 });
const sorted = (values: readonly string[]): string[] => [...values].sort();

/** An entry of `orgMembers`. */
export const ORG_MEMBER = new Message({ userId: idOf(1), roles: roles(2) }, ['userId']);

export const orgMemberPart: DocumentPart = definePart({
  member: 'orgMembers',
  number: 20,
  stages: [memberStage],
  message: ORG_MEMBER,
  take: ({ userId, roles: given }, section) =>
    stageMember(section, 'org', userId, section.orgId, given, `${section.orgId}_${userId}`, userId),
  select: `SELECT m.user_id, m.roles
    FROM member m
    WHERE m.level = 'org' AND m.object_id = :orgId AND ${isExportedUser('m.user_id')}
    ORDER BY m.user_id`,
  toEntry: (row) => ({ userId: textOf(row, 'user_id'), roles: sorted(listIn(row, 'roles')) }),
});

/** An entry of `projectMembers`. */
export const PROJECT_MEMBER = new Message({ projectId: idOf(1), userId: idOf(2), roles: roles(3) }, [
  'projectId',
  'userId',
]);

export const projectMemberPart: DocumentPart = definePart({
  member: 'projectMembers',
  number: 21,
  stages: [memberStage],
  message: PROJECT_MEMBER,
  take: ({ projectId, ...member }, section) => stageProjectAdmin(section, projectId, member),
  select: `SELECT m.user_id, m.object_id, m.roles
    FROM ${OWNED_PROJECTS} p ${forEach("SELECT * FROM member WHERE level = 'project' AND object_id = p.id")} m
    WHERE ${isExportedUser('m.user_id')} ORDER BY m.object_id, m.user_id`,
  toEntry: (row) => ({
    projectId: textOf(row, 'object_id'),
    userId: textOf(row, 'user_id'),
    roles: sorted(listIn(row, 'roles')),
  }),
});

/** An entry of `projectGrantMembers`. */
export const PROJECT_GRANT_MEMBER = new Message(
  { projectId: idOf(1), grantId: idOf(2), userId: idOf(3), roles: roles(4) },
  ['grantId', 'userId'],
);

export const projectGrantMemberPart: DocumentPart = definePart({
  member: 'projectGrantMembers',
  number: 22,
  stages: [memberStage],
  message: PROJECT_GRANT_MEMBER,
  take: ({ projectId, grantId, userId, roles: given }, section) =>
    stageMember(
      section,
      'project_grant',
      userId,
      grantId,
      given,
      `${section.orgId}_${projectId}_${grantId}_${userId}`,
      { projectId, grantId, userId },
    ),
  select: `SELECT m.user_id, m.object_id, m.roles, g.project_id
    FROM (SELECT id, project_id FROM project_grant WHERE granted_org_id = :orgId OFFSET 0) g
      ${forEach("SELECT * FROM member WHERE level = 'project_grant' AND object_id = g.id")} m
    WHERE ${isExportedUser('m.user_id')} AND ${isExportedProject('g.project_id')} ORDER BY m.object_id, m.user_id`,
  toEntry: (row) => ({
    projectId: textOf(row, 'project_id'),
    grantId: textOf(row, 'object_id'),
    userId: textOf(row, 'user_id'),
    roles: sorted(listIn(row, 'roles')),
  }),
});
