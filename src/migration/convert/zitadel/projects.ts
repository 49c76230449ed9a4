import { ROLES } from '../../../user/permission/role.js';
import { type Stored, textOf } from '../../part/part.js';
import type { Entry } from '../document.js';
import { DELETED, USERS } from './humans.js';
import type { TableFacts } from './layout.js';
import { ORGS } from './orgs.js';
import { ACTIVE, type Source, type SourceOrg, textsIn, wordOf } from './source.js';

export const PROJECTS: TableFacts = {
  table: 'projects',
  needs: [
    'id',
    'instance_id',
    'resource_owner',
    'state',
    'name',
    'project_role_assertion',
    'project_role_check',
    'has_project_check',
    'private_labeling_setting',
  ],
};
const PROJECT_ROLES: TableFacts = {
  table: 'project_roles',
  needs: ['project_id', 'instance_id', 'resource_owner', 'role_key', 'display_name', 'group_name'],
};
const PROJECT_GRANTS: TableFacts = {
  table: 'project_grants',
  needs: ['grant_id', 'instance_id', 'resource_owner', 'state', 'project_id', 'granted_org_id', 'granted_role_keys'],
};
const USER_GRANTS: TableFacts = {
  table: 'user_grants',
  needs: ['id', 'instance_id', 'resource_owner', 'state', 'user_id', 'project_id', 'grant_id', 'roles'],
  may: ['resource_owner_user', 'resource_owner_project', 'granted_org'],
};
const MEMBER = ['user_id', 'instance_id', 'roles'];
const ORG_MEMBERS: TableFacts = { table: 'org_members', needs: [...MEMBER, 'org_id'], may: ['user_resource_owner'] };
const PROJECT_MEMBERS: TableFacts = {
  table: 'project_members',
  needs: [...MEMBER, 'project_id'],
  may: ['user_resource_owner'],
};
const GRANT_MEMBERS: TableFacts = {
  table: 'project_grant_members',
  needs: [...MEMBER, 'project_id', 'grant_id'],
  may: ['user_resource_owner', 'granted_org'],
};
const INSTANCE_MEMBERS: TableFacts = { table: 'instance_members', needs: MEMBER, may: ['id', 'user_resource_owner'] };

const LABELING = {
  0: 'unspecified',
  1: 'enforce_project_resource_owner_policy',
  2: 'allow_login_user_resource_owner_policy',
} as const;
const REMOVED = 3;

/** The projects, roles, grants and managers of an instance, organization by organization. */
export class ProjectReader {
  /**
   * @param orgIds the organizations that are converted
   * @param isEvery whether they are all that there are
   */
  constructor(
    private readonly source: Source,
    private readonly orgIds: ReadonlySet<string>,
    private readonly isEvery: boolean,
  ) {}

  async projectsOf(org: SourceOrg): Promise<Array<Entry<'projects'>>> {
    const { database, instance } = this.source;
    const { name, columns } = database.layout.find(PROJECTS);
    const rows = await database.all(
      `SELECT ${columns('p')} FROM ${name} p
       WHERE p.instance_id = :instanceId AND p.resource_owner = :orgId AND p.id <> :systemProjectId AND p.state < ${REMOVED}
       ORDER BY p.id`,
      { instanceId: instance.id, orgId: org.id, systemProjectId: instance.systemProjectId },
    );
    return rows.map((row) => ({
      projectId: textOf(row, 'id'),
      state: wordOf(ACTIVE, row['state']) ?? 'active',
      project: {
        name: textOf(row, 'name'),
        projectRoleAssertion: row['project_role_assertion'] === true,
        projectRoleCheck: row['project_role_check'] === true,
        hasProjectCheck: row['has_project_check'] === true,
        privateLabelingSetting: wordOf(LABELING, row['private_labeling_setting']) ?? 'unspecified',
      },
    }));
  }

  async *rolesOf(org: SourceOrg): AsyncGenerator<Entry<'projectRoles'>> {
    const { database, instance } = this.source;
    const { name, columns } = database.layout.find(PROJECT_ROLES);
    const sql = `SELECT ${columns('r')} FROM ${name} r
      WHERE r.instance_id = :instanceId AND ${this.isOwn('r.project_id')}
      ORDER BY r.project_id, r.role_key`;
    for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id }))
      yield {
        projectId: textOf(row, 'project_id'),
        roleKey: textOf(row, 'role_key'),
        displayName: textOf(row, 'display_name'),
        group: textOf(row, 'group_name'),
      };
  }

  async *grantsOf(org: SourceOrg): AsyncGenerator<Entry<'projectGrants'>> {
    const { database, instance, report } = this.source;
    const { name, columns } = database.layout.find(PROJECT_GRANTS);
    const sql = `SELECT ${columns('g')}, ${this.knownRoles('g.project_id', 'g.granted_role_keys')} AS known_roles
      FROM ${name} g
      WHERE g.instance_id = :instanceId AND ${this.isOwn('g.project_id')} AND g.state < ${REMOVED}
      ORDER BY g.grant_id`;
    for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id })) {
      const [grantId, grantedOrgId] = [textOf(row, 'grant_id'), textOf(row, 'granted_org_id')];
      if (!this.orgIds.has(grantedOrgId) || grantedOrgId === org.id) {
        report.lose(
          'Grants of projects to organizations that are not converted: left out',
          `${grantId} ${grantedOrgId}`,
        );
        continue;
      }
      yield {
        grantId,
        state: wordOf(ACTIVE, row['state']) ?? 'active',
        projectGrant: {
          projectId: textOf(row, 'project_id'),
          grantedOrgId,
          roleKeys: this.rolesIn(row, 'granted_role_keys', grantId),
        },
      };
    }
  }

  /** The roles that an organization gave to users, be they its own or of others. */
  async *userGrantsOf(org: SourceOrg): AsyncGenerator<Entry<'userGrants'>> {
    const { database, instance, report } = this.source;
    const { name, columns } = database.layout.find(USER_GRANTS);
    const grants = database.layout.find(PROJECT_GRANTS);
    const sql = `SELECT
        ${columns('g')},
        ${this.knownRoles('g.project_id', 'g.roles')} AS known_roles,
        ${this.ownerOf('g.project_id')} AS project_owner,
        (
          SELECT p.granted_role_keys FROM ${grants.name} p
          WHERE p.instance_id = g.instance_id AND p.grant_id = g.grant_id AND p.granted_org_id = g.resource_owner
            AND p.state < ${REMOVED}
        ) AS granted_roles,
        ${this.isThere('g.user_id')} AS has_user
      FROM ${name} g
      WHERE g.instance_id = :instanceId AND g.resource_owner = :orgId AND g.project_id <> :systemProjectId AND g.state < ${REMOVED}
      ORDER BY g.id`;
    for await (const row of database.rows(sql, {
      instanceId: instance.id,
      orgId: org.id,
      systemProjectId: instance.systemProjectId,
    })) {
      const [id, userId, projectId] = [textOf(row, 'id'), textOf(row, 'user_id'), textOf(row, 'project_id')];
      const isOwn = textOf(row, 'project_owner') === org.id;
      const granted: unknown = row['granted_roles'];
      const isPossible = row['has_user'] === true && (isOwn || (Array.isArray(granted) && this.isConverted(row)));
      if (!isPossible) {
        report.note('Grants of roles whose user, project or project grant is not converted, or is gone: left out', id);
        continue;
      }
      const roleKeys = this.rolesIn(row, 'roles', id);
      const kept = isOwn ? roleKeys : roleKeys.filter((role) => (granted as unknown[]).includes(role));
      if (kept.length < roleKeys.length)
        report.lose('Roles of users that were not granted with the project: left out', id);
      yield {
        id,
        userId,
        projectId,
        projectGrantId: isOwn ? '' : textOf(row, 'grant_id'),
        roleKeys: kept,
        state: wordOf(ACTIVE, row['state']) ?? 'active',
      };
    }
  }

  async *orgMembersOf(org: SourceOrg): AsyncGenerator<Entry<'orgMembers'>> {
    const { database, instance } = this.source;
    const { name, columns } = database.layout.find(ORG_MEMBERS);
    const sql = `SELECT ${columns('m')}, ${this.isThere('m.user_id')} AS has_user FROM ${name} m
      WHERE m.instance_id = :instanceId AND m.org_id = :orgId ORDER BY m.user_id`;
    for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id })) {
      const member = this.memberIn(row, 'org', org.name);
      if (member) yield member;
    }
  }

  async *projectMembersOf(org: SourceOrg): AsyncGenerator<Entry<'projectMembers'>> {
    const { database, instance } = this.source;
    const { name, columns } = database.layout.find(PROJECT_MEMBERS);
    const sql = `SELECT ${columns('m')}, ${this.isThere('m.user_id')} AS has_user FROM ${name} m
      WHERE m.instance_id = :instanceId AND ${this.isOwn('m.project_id')} ORDER BY m.project_id, m.user_id`;
    for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id })) {
      const projectId = textOf(row, 'project_id');
      const member = this.memberIn(row, 'project', projectId);
      if (member) yield { projectId, ...member };
    }
  }

  /** Managers of a grant are of the organization to which it was given. */
  async *grantMembersOf(org: SourceOrg): AsyncGenerator<Entry<'projectGrantMembers'>> {
    const { database, instance } = this.source;
    const { name, columns } = database.layout.find(GRANT_MEMBERS);
    const grants = database.layout.find(PROJECT_GRANTS);
    const sql = `SELECT ${columns('m')}, ${this.isThere('m.user_id')} AS has_user
      FROM ${name} m
      JOIN ${grants.name} g ON g.instance_id = m.instance_id AND g.grant_id = m.grant_id AND g.state < ${REMOVED}
      WHERE m.instance_id = :instanceId AND g.granted_org_id = :orgId AND ${this.ofConverted(this.ownerOf('g.project_id'))}
      ORDER BY m.grant_id, m.user_id`;
    for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id })) {
      const [projectId, grantId] = [textOf(row, 'project_id'), textOf(row, 'grant_id')];
      const member = this.memberIn(row, 'project_grant', grantId);
      if (member) yield { projectId, grantId, ...member };
    }
  }

  /** A document never makes managers of an instance. */
  async reportInstanceMembers(): Promise<void> {
    const { database, instance, report } = this.source;
    const found = database.layout.findIfAny(INSTANCE_MEMBERS);
    if (!found) return;
    const users = database.layout.find(USERS);
    const rows = await database.all(
      `SELECT m.roles, u.username
       FROM ${found.name} m
       JOIN ${users.name} u ON u.instance_id = m.instance_id AND u.id = m.user_id AND u.state <> ${DELETED}
       WHERE m.instance_id = :instanceId
       ORDER BY u.username`,
      { instanceId: instance.id },
    );
    for (const row of rows)
      report.lose(
        'Managers of the instance: grant their roles by hand',
        `${textOf(row, 'username')} ${textsIn(row, 'roles').join(' ')}`,
      );
  }

  private memberIn(
    row: Stored,
    level: 'org' | 'project' | 'project_grant',
    where: string,
  ): { readonly userId: string; readonly roles: readonly string[] } | undefined {
    const { report } = this.source;
    const userId = textOf(row, 'user_id');
    if (row['has_user'] !== true) {
      report.note('Managers who are not converted, or are gone: left out', `${userId} ${where}`);
      return undefined;
    }
    const given = textsIn(row, 'roles');
    const known = given.filter((role) => (ROLES as Readonly<Record<string, { level: string }>>)[role]?.level === level);
    for (const role of given.filter((one) => !known.includes(one)))
      report.note('Roles of managers without a counterpart', `${userId} ${role}`);
    return known.length === 0 && given.length > 0 ? undefined : { userId, roles: [...new Set(known)] };
  }

  /** Roles that the project still has: removed ones may stay behind in grants. */
  private rolesIn(row: Stored, column: string, example: string): string[] {
    const known = new Set(textsIn(row, 'known_roles'));
    const given = textsIn(row, column);
    if (given.some((role) => !known.has(role)))
      this.source.report.note('Grants of roles that their project does not have: left out', example);
    return [...new Set(given.filter((role) => known.has(role)))];
  }

  private isConverted(row: Stored): boolean {
    return this.orgIds.has(textOf(row, 'project_owner'));
  }

  private get projects(): string {
    return this.source.database.layout.find(PROJECTS).name;
  }

  private ownerOf(projectId: string): string {
    return `(
          SELECT o.resource_owner FROM ${this.projects} o
          WHERE o.instance_id = :instanceId AND o.id = ${projectId} AND o.state < ${REMOVED}
        )`;
  }

  /** Whether the project is one of `:orgId`, and not that of the service itself. */
  private isOwn(projectId: string): string {
    const system = quoted(this.source.instance.systemProjectId);
    return `(${this.ownerOf(projectId)} = :orgId AND ${projectId} <> ${system})`;
  }

  private knownRoles(projectId: string, keys: string): string {
    const { name } = this.source.database.layout.find(PROJECT_ROLES);
    return `ARRAY(
          SELECT k.role_key FROM ${name} k
          WHERE k.instance_id = :instanceId AND k.project_id = ${projectId} AND k.role_key = ANY(${keys})
        )`;
  }

  /** Whether the user is of an organization that is converted. */
  private isThere(userId: string): string {
    const { name } = this.source.database.layout.find(USERS);
    return `EXISTS (
          SELECT 1 FROM ${name} h
          WHERE h.instance_id = :instanceId AND h.id = ${userId} AND h.state <> ${DELETED}
            AND ${this.ofConverted('h.resource_owner')}
        )`;
  }

  /** Whether it is the id of an organization that is converted. There may be very many. */
  private ofConverted(orgId: string): string {
    if (!this.isEvery) return `${orgId} IN (${[...this.orgIds].map(quoted).join(', ')})`;
    const { name } = this.source.database.layout.find(ORGS);
    return `EXISTS (SELECT 1 FROM ${name} f WHERE f.instance_id = :instanceId AND f.id = ${orgId} AND f.org_state IN (1, 2))`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
