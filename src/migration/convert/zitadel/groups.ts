import { groupNameProblem } from '../../../user/group/group-name.js';
import { textOf } from '../../part/part.js';
import type { Entry } from '../document.js';
import { DELETED, USERS } from './humans.js';
import type { TableFacts } from './layout.js';
import type { Source, SourceOrg } from './source.js';

const GROUPS: TableFacts = {
  table: 'groups',
  needs: ['id', 'instance_id', 'resource_owner', 'name'],
  may: ['description'],
};
const MEMBERS: TableFacts = { table: 'group_users', needs: ['group_id', 'user_id', 'instance_id', 'resource_owner'] };
const MAX_NAME_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 500;

/** The groups of an organization, which later versions have. */
export async function* groupsOf(
  { database, instance, report }: Source,
  org: SourceOrg,
): AsyncGenerator<Entry<'groups'>> {
  const found = database.layout.findIfAny(GROUPS);
  if (!found) return;
  const sql = `SELECT ${found.columns('g')} FROM ${found.name} g
    WHERE g.instance_id = :instanceId AND g.resource_owner = :orgId
    ORDER BY g.id`;
  for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id })) {
    const [groupId, given] = [textOf(row, 'id'), textOf(row, 'name')];
    const isName = groupNameProblem(given) === undefined && [...given].length <= MAX_NAME_CHARACTERS;
    if (!isName) report.note('Names of groups that are not valid here: replaced by their ids', groupId);
    const description = [...textOf(row, 'description')].slice(0, MAX_DESCRIPTION_CHARACTERS).join('');
    yield { groupId, name: isName ? given : groupId, description };
  }
}

export async function* groupMembersOf(
  { database, instance }: Source,
  org: SourceOrg,
): AsyncGenerator<Entry<'groupMembers'>> {
  const [groups, members] = [database.layout.findIfAny(GROUPS), database.layout.findIfAny(MEMBERS)];
  if (!groups || !members) return;
  const users = database.layout.find(USERS);
  const sql = `SELECT m.group_id, m.user_id
    FROM ${members.name} m
    JOIN ${groups.name} g ON g.instance_id = m.instance_id AND g.id = m.group_id
    JOIN ${users.name} u ON u.instance_id = m.instance_id AND u.id = m.user_id AND u.state <> ${DELETED}
    WHERE m.instance_id = :instanceId AND g.resource_owner = :orgId AND u.resource_owner = :orgId
    ORDER BY m.group_id, m.user_id`;
  for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id }))
    yield { groupId: textOf(row, 'group_id'), userId: textOf(row, 'user_id') };
}
