import type { MemberLevel } from '../../permission/member.entity.js';
import { rolesOf } from '../../permission/role.js';
import { Message, texts, type Field } from '../document/field.js';
import { refersTo, staging, usable, type Stage } from '../stage.js';
import { idOf } from './ids.js';
import { OWNED_PROJECTS, definePart, forEach, isExportedProject, isExportedUser, listIn, textOf, type Part, type Section } from './part.js';
import { userStage } from './user.stage.js';

const MINE = (table: string, level: string, owner: string): string => `(s.level = '${level}' AND NOT EXISTS (SELECT 1 FROM ${table} WHERE o.id = s.object_id AND (${owner})))`;

/** Managers; those of the instance never come with a document. */
const memberStage: Stage = {
  table: 'member', name: 'a manager', key: ['user_id', 'level', 'object_id'], columns: ['roles'], sets: ['roles'],
  ownerOf: (t) => `CASE ${t}.level WHEN 'org' THEN ${t}.object_id ELSE s._org END`,
  checks: [
    refersTo('user_id', userStage),
    {
      breaks: () => `s.level = 'project' AND s.object_id = (SELECT system_project_id FROM instance)`, says: 'is of the project of the service itself, to which nothing is imported', verdict: 'invalid',
    },
    {
      breaks: (skip) => [
        `${MINE(`${staging('org')} o`, 'org', usable(skip, 'o'))} AND ${MINE('org o', 'org', 'true')}`,
        `${MINE(`${staging('project')} o`, 'project', `o._org = s._org AND ${usable(skip, 'o')}`)} AND ${MINE('project o', 'project', 'o.org_id = s._org')}`,
        `${MINE(`${staging('project_grant')} o`, 'project_grant', `(o._org = s._org OR o.granted_org_id = s._org) AND ${usable(skip, 'o')}`)}
         AND ${MINE('project_grant o JOIN project p ON p.id = o.project_id', 'project_grant', 'p.org_id = s._org OR o.granted_org_id = s._org')}`,
      ].map((one) => `(${one})`).join(' OR '),
      says: 'names a project, or a grant of one, that is not of this organization', verdict: 'invalid',
    },
  ],
};

/** Nobody but the instance's own managers gives roles of the instance, and a document least of all. */
function checkRoles(level: MemberLevel, roles: readonly string[], section: Section): void {
  const known: readonly string[] = rolesOf(level);
  roles.forEach((role, index) => { if (!known.includes(role)) section.faults.add(`${section.path}.roles[${index}]`, `must be one of ${known.join(', ')}`); });
}

function stageMember(section: Section, level: MemberLevel, userId: string, objectId: string, roles: readonly string[], id: string, done: unknown): void {
  checkRoles(level, roles, section);
  const type = level === 'org' ? 'org_member' : level === 'project' ? 'project_member' : 'project_grant_member';
  section.stage(memberStage, { user_id: userId, level, object_id: objectId, roles: [...new Set(roles)] }, { type, id, done });
}

/** A manager of a project that the document names beside the project itself. */
export function stageProjectAdmin(section: Section, projectId: string, { userId, roles: given }: { readonly userId: string; readonly roles: readonly string[] }): void {
  stageMember(section, 'project', userId, projectId, given, `${section.orgId}_${projectId}_${userId}`, { projectId, userId });
}

const roles = (number: number): Field<readonly string[]> => texts(number, { min: 1, max: 200, maxItems: 50 });
const sorted = (values: readonly string[]): string[] => [...values].sort();

export const orgMemberPart: Part = definePart({
  member: 'orgMembers', number: 20, stages: [memberStage], message: new Message({ userId: idOf(1), roles: roles(2) }, ['userId']),
  take: ({ userId, roles: given }, section) => stageMember(section, 'org', userId, section.orgId, given, `${section.orgId}_${userId}`, userId),
  select: `SELECT m.user_id, m.roles FROM member m WHERE m.level = 'org' AND m.object_id = $1 AND ${isExportedUser('m.user_id')} ORDER BY m.user_id`,
  tell: (row) => ({ userId: textOf(row, 'user_id'), roles: sorted(listIn(row, 'roles')) }),
});

export const projectMemberPart: Part = definePart({
  member: 'projectMembers', number: 21, stages: [memberStage], message: new Message({ projectId: idOf(1), userId: idOf(2), roles: roles(3) }, ['projectId', 'userId']),
  take: ({ projectId, ...member }, section) => stageProjectAdmin(section, projectId, member),
  select: `SELECT m.user_id, m.object_id, m.roles
    FROM ${OWNED_PROJECTS} p ${forEach("SELECT * FROM member WHERE level = 'project' AND object_id = p.id")} m
    WHERE ${isExportedUser('m.user_id')} ORDER BY m.object_id, m.user_id`,
  tell: (row) => ({ projectId: textOf(row, 'object_id'), userId: textOf(row, 'user_id'), roles: sorted(listIn(row, 'roles')) }),
});

export const projectGrantMemberPart: Part = definePart({
  member: 'projectGrantMembers', number: 22, stages: [memberStage],
  message: new Message({ projectId: idOf(1), grantId: idOf(2), userId: idOf(3), roles: roles(4) }, ['grantId', 'userId']),
  take: ({ projectId, grantId, userId, roles: given }, section) =>
    stageMember(section, 'project_grant', userId, grantId, given, `${section.orgId}_${projectId}_${grantId}_${userId}`, { projectId, grantId, userId }),
  select: `SELECT m.user_id, m.object_id, m.roles, g.project_id
    FROM (SELECT id, project_id FROM project_grant WHERE granted_org_id = $1 OFFSET 0) g
      ${forEach("SELECT * FROM member WHERE level = 'project_grant' AND object_id = g.id")} m
    WHERE ${isExportedUser('m.user_id')} AND ${isExportedProject('g.project_id')} ORDER BY m.object_id, m.user_id`,
  tell: (row) => ({ projectId: textOf(row, 'project_id'), grantId: textOf(row, 'object_id'), userId: textOf(row, 'user_id'), roles: sorted(listIn(row, 'roles')) }),
});
