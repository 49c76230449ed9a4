import { newId } from '../../foundation/crypto/id.js';
import { groupNameProblem } from '../../user/group/group-name.js';
import { GROUP_GRANT_IN_PATH, GROUP_IN_PATH } from '../../user/group/in-path.js';
import { toNameKey } from '../../user/user-name.js';
import { Message, text } from '../document/field.js';
import { GRANT_FIELDS, grantStage, toGrant, toGrantRow } from './grant.part.js';
import { canBeInPath, idOf, ownId } from './ids.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, forEach, isExportedProject, textOf } from './part.js';
import { inQuotes, OWN, refersTo, type Stage, staging } from './stage.js';
import { userStage } from './user.stage.js';

export const groupStage: Stage = {
  table: 'user_group',
  name: 'a group',
  key: ['id'],
  columns: ['org_id', 'name', 'name_key', 'description'],
  ownerOf: (t) => `${t}.org_id`,
  uniques: [
    {
      columns: ['org_id', 'name_key'],
      says: 'has the name',
      value: inQuotes('{}.name'),
      holder: `' of the group ' || t.id`,
    },
  ],
  checks: [canBeInPath('id', GROUP_IN_PATH), refersTo('org_id', orgStage)],
};

const memberStage: Stage = {
  table: 'user_group_member',
  name: 'a member of a group',
  key: ['group_id', 'user_id'],
  columns: [],
  ownerOf: (t) => `(SELECT o.org_id FROM user_group o WHERE o.id = ${t}.group_id)`,
  checks: [refersTo('group_id', groupStage, OWN), refersTo('user_id', userStage, OWN)],
};

/** Grants to groups, in the table of those to users. */
const groupGrantStage: Stage = grantStage({
  stagedAs: 'group_grant',
  name: 'a group grant',
  holder: 'group_id',
  checks: [
    canBeInPath('id', GROUP_GRANT_IN_PATH),
    refersTo('group_id', groupStage, OWN),
    {
      breaks: () => `EXISTS (SELECT 1 FROM ${staging('user_grant')} g WHERE g.id = s.id)`,
      says: 'has the id of a user grant',
      verdict: 'invalid',
    },
  ],
});

/** An entry of `groups`. */
export const GROUP = new Message(
  {
    groupId: ownId(1),
    name: text(2, { min: 1, max: 200, problem: groupNameProblem }),
    description: text(3, { max: 500 }),
  },
  ['name'],
);

export const groupPart: DocumentPart = definePart({
  member: 'groups',
  number: 105,
  stages: [groupStage],
  message: GROUP,
  take({ groupId, name, description }, section) {
    const id = groupId || newId();
    section.stage(
      groupStage,
      { id, org_id: section.orgId, name, name_key: toNameKey(name), description },
      { type: 'group', id, done: id },
    );
  },
  select: 'SELECT g.id, g.name, g.description FROM user_group g WHERE g.org_id = :orgId ORDER BY g.id',
  toEntry: (row) => ({
    groupId: textOf(row, 'id'),
    name: textOf(row, 'name'),
    description: textOf(row, 'description'),
  }),
});

/** An entry of `groupMembers`. */
export const GROUP_MEMBER = new Message({ groupId: idOf(1), userId: idOf(2) }, ['groupId', 'userId']);

export const groupMemberPart: DocumentPart = definePart({
  member: 'groupMembers',
  number: 106,
  stages: [memberStage],
  message: GROUP_MEMBER,
  take({ groupId, userId }, section) {
    section.stage(
      memberStage,
      { group_id: groupId, user_id: userId },
      { type: 'group_member', id: `${groupId}_${userId}`, done: { groupId, userId } },
    );
  },
  select: `SELECT m.group_id, m.user_id
    FROM (SELECT id FROM user_group WHERE org_id = :orgId ORDER BY id OFFSET 0) g
      ${forEach('SELECT * FROM user_group_member WHERE group_id = g.id')} m
    ORDER BY m.group_id, m.user_id`,
  toEntry: (row) => ({ groupId: textOf(row, 'group_id'), userId: textOf(row, 'user_id') }),
});

/** An entry of `groupGrants`. */
export const GROUP_GRANT = new Message({ groupId: idOf(1), ...GRANT_FIELDS }, ['groupId', 'projectId']);

export const groupGrantPart: DocumentPart = definePart({
  member: 'groupGrants',
  number: 107,
  stages: [groupGrantStage],
  message: GROUP_GRANT,
  take({ groupId, ...grant }, section) {
    const { projectId } = grant;
    section.stage(
      groupGrantStage,
      { ...toGrantRow(grant, section.orgId), group_id: groupId },
      { type: 'group_grant', id: `${section.orgId}_${projectId}_${groupId}`, done: { projectId, groupId } },
    );
  },
  select: `SELECT g.id, g.group_id, g.project_id, g.project_grant_id, g.role_keys, g.state FROM user_grant g
    WHERE g.org_id = :orgId AND g.group_id IS NOT NULL AND ${isExportedProject('g.project_id')} ORDER BY g.id`,
  toEntry: (row) => ({ groupId: textOf(row, 'group_id'), ...toGrant(row) }),
});
