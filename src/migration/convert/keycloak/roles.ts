import { ROLE_IN_PATH } from '../../../project/in-path.js';
import { groupNameProblem } from '../../../user/group/group-name.js';
import { toNameKey } from '../../../user/user-name.js';
import type { Entry } from '../document.js';
import { distinct } from '../doubles.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import { isBuiltInClient, type Realm } from './realm.js';

const MAX_KEY_CHARACTERS = 200;

/** Roles as named by a user, a group or another role. */
interface Named {
  readonly realm: readonly string[];
  readonly client: ReadonlyArray<readonly [clientId: string, role: string]>;
}

interface Role {
  readonly displayName: string;
  readonly group: string;
  /** Whether it becomes a role here: Keycloak's built-in roles do not, but the roles they include count. */
  readonly isOurs: boolean;
  readonly includes: Named;
}

interface Group {
  readonly id: string;
  readonly description: string;
  /** Roles of the group and of those around it. */
  readonly roles: Named;
}

const ORGANIZATIONS = 'Organizations';
const NOTHING: Named = { realm: [], client: [] };

/**
 * Gives the roles of a realm and its clients unique keys as roles of one project, and its groups their paths as names.
 */
export class RoleBook {
  private readonly roles = new Map<string, Role>();
  /** By path. */
  private readonly groups = new Map<string, Group>();
  private readonly groupKeys = new Set<string>();
  /** Keys of roles by the names of members, in lower case. */
  private readonly organizations = new Map<string, readonly string[]>();
  private readonly defaultRole: string;

  constructor(
    private readonly realm: Realm,
    private readonly report: Report,
  ) {
    this.defaultRole = defaultRoleOf(realm);
    const roles = realm.settings.object('roles');
    const nameOf = (role: SourceObject): string => role.text('name');
    const ofRealm = roles.objects('realm', { what: 'Role', nameIn: 'name' });
    for (const role of distinct(ofRealm, 'Roles', nameOf, report)) this.learn(role, undefined);
    const ofClients = roles.object('client');
    for (const clientId of ofClients.keys()) {
      const ofClient = ofClients.objects(clientId, { what: 'Role', nameIn: 'name', within: `${clientId}:` });
      for (const role of distinct(ofClient, 'Roles', nameOf, report)) this.learn(role, clientId);
    }
    const composites = [...this.roles.values()];
    for (const { includes } of composites) this.define(includes);
    this.learnGroups(realm.settings, 'groups', '', NOTHING);
    this.learnOrganizations();
  }

  /** Entries of `projectRoles`; complete once `keysOf` was called for every user. */
  toEntries(projectId: string): Array<Entry<'projectRoles'>> {
    return [...this.roles]
      .filter(([, { isOurs }]) => isOurs)
      .map(([roleKey, { displayName, group }]) => ({ projectId, roleKey, displayName, group }));
  }

  /** Entries of `groups`. */
  toGroups(): Array<Entry<'groups'>> {
    return [...this.groups].map(([name, { id, description }]) => ({ groupId: id, name, description }));
  }

  /** Entries of `groupGrants`: every role of a group, whether direct, through another role or of a group around it. */
  toGroupGrants(projectId: string): Array<Entry<'groupGrants'>> {
    return [...this.groups.values()].flatMap(({ id, roles }) => {
      const found = new Set<string>();
      this.collect(roles, found);
      const roleKeys = this.ours(found);
      return roleKeys.length === 0 ? [] : [{ id: `${id}:realm`, groupId: id, projectId, roleKeys }];
    });
  }

  /** The ids of the groups that name the user as a member. */
  groupsOf(user: SourceObject, report: Report): string[] {
    return user.texts('groups').flatMap((path) => {
      const group = this.groups.get(path);
      if (group) return [group.id];
      report.lose('Memberships of groups that are missing from the export', `${user.label.name} ${path}`);
      return [];
    });
  }

  /** Every role of a user besides those of groups, whether direct or through another role; sorted. */
  keysOf(user: SourceObject): string[] {
    const found = new Set<string>();
    this.collect(this.define(namedIn(user)), found);
    for (const name of [user.text('username'), user.text('id')])
      for (const key of this.organizations.get(name.toLowerCase()) ?? []) found.add(key);
    return this.ours(found);
  }

  private ours(keys: ReadonlySet<string>): string[] {
    return [...keys].filter((key) => this.roles.get(key)?.isOurs === true).sort();
  }

  private collect({ realm, client }: Named, found: Set<string>): void {
    for (const key of [...realm, ...client.map(([clientId, role]) => keyOf(role, clientId))]) {
      const role = this.roles.get(key);
      if (!role || found.has(key)) continue;
      found.add(key);
      this.collect(role.includes, found);
    }
  }

  /** Keycloak's own import creates roles that a user or group names but the file does not define. */
  private define(named: Named): Named {
    const all: ReadonlyArray<readonly [string, string | undefined]> = [
      ...named.realm.map((role) => [role, undefined] as const),
      ...named.client.map(([clientId, role]) => [role, clientId] as const),
    ];
    for (const [name, clientId] of all) {
      const key = keyOf(name, clientId);
      if (name === '' || this.roles.has(key)) continue;
      const isOurs = !this.isBuiltIn(name, clientId);
      if (!this.add(key, { displayName: name, group: clientId ?? '', isOurs, includes: NOTHING })) continue;
      if (isOurs)
        this.report.note(
          'Roles that the realm refers to but does not define: created without other roles in them',
          key,
        );
    }
    return named;
  }

  private learn(role: SourceObject, clientId: string | undefined): void {
    const name = role.text('name');
    const composites = role.object('composites');
    const includes = { realm: composites.texts('realm'), client: clientRolesIn(composites.object('client')) };
    const isOurs = !this.isBuiltIn(name, clientId);
    const description = role.caption('description');
    const displayName = isShort(description) ? description : name;
    this.add(keyOf(name, clientId), { displayName, group: clientId ?? '', isOurs, includes });
    role.ignore('id', 'composite', 'clientRole', 'containerId');
    if (!isOurs) role.skip();
  }

  /**
   * Since Keycloak 26 members of a realm may be in organizations. Here a user is in one, so that each becomes a role.
   */
  private learnOrganizations(): void {
    const organizations = this.realm.settings.objects('organizations', { what: 'Organization', nameIn: 'name' });
    for (const organization of organizations) {
      const name = organization.text('alias') || organization.text('name');
      const key = `organization:${name}`;
      organization.ignore('id');
      if (
        name === '' ||
        !this.add(key, {
          displayName: organization.text('name'),
          group: ORGANIZATIONS,
          isOurs: true,
          includes: NOTHING,
        })
      ) {
        organization.skip();
        this.report.lose('Organizations without a name: left out', organization.label.name);
        continue;
      }
      this.report.lose(
        `Organizations: each becomes a role of its members in the role group ${ORGANIZATIONS}; its domains, its providers and its own login are left out: make an organization of it where they matter`,
        name,
      );
      for (const domain of organization.objects('domains'))
        this.report.lose(
          'Domains of organizations: add them to an organization and prove them',
          `${name} ${domain.text('name')}`,
        );
      if (!organization.flag('enabled', true))
        this.report.lose('Organizations that are disabled: their members get no role', name);
      for (const member of organization.objects('members')) {
        const userName = (member.text('username') || member.text('id')).toLowerCase();
        member.ignore('membershipType', 'id');
        if (organization.flag('enabled', true))
          this.organizations.set(userName, [...(this.organizations.get(userName) ?? []), key]);
      }
    }
  }

  private learnGroups(from: SourceObject, member: string, parentPath: string, parent: Named): void {
    const pathOf = (group: SourceObject): string => group.text('path') || `${parentPath}/${group.text('name')}`;
    const groups = from.objects(member, { what: 'Group', nameIn: 'path' });
    for (const group of distinct(groups, 'Groups', pathOf, this.report)) {
      if (group.isPlaceholder('path') || group.isPlaceholder('name')) {
        group.skip();
        this.report.lose('Groups whose name is a placeholder: left out', group.label.name);
      } else this.learnGroup(group, pathOf(group), parent);
    }
  }

  private learnGroup(group: SourceObject, path: string, parent: Named): void {
    const own = this.define(namedIn(group));
    const roles = { realm: [...parent.realm, ...own.realm], client: [...parent.client, ...own.client] };
    const description = group.caption('description');
    const id = group.text('id') || `${this.realm.orgId}:group:${path}`;
    group.text('name');
    if (!isNamed(path) || groupNameProblem(path) !== undefined || !isShort(id))
      this.report.lose('Groups with names that are empty or too long: left out', path);
    else if (this.groupKeys.has(toNameKey(path)))
      this.report.lose('Groups whose names differ in upper and lower case only: the first one is kept', path);
    else {
      this.groupKeys.add(toNameKey(path));
      this.groups.set(path, { id, description: isShort(description) ? description : '', roles });
    }
    group.ignore('parentId', 'subGroupCount', 'access');
    this.learnGroups(group, 'subGroups', path, roles);
  }

  /** @returns whether it is valid as a role here */
  private add(key: string, role: Role): boolean {
    const canBeInPath = ROLE_IN_PATH.problem(key) === undefined;
    const fits = canBeInPath && isNamed(key);
    if (!canBeInPath)
      this.report.lose(
        'Roles whose name has another meaning in the paths of the API: left out; rename them first',
        key,
      );
    else if (!fits) this.report.lose('Roles with names that are empty or too long: left out', key);
    else if (this.roles.has(key))
      this.report.lose('Roles with the same name: become one role, which all have who had any of them', key);
    else {
      const displayName = isShort(role.displayName) ? role.displayName : key;
      this.roles.set(key, { ...role, displayName, group: isShort(role.group) ? role.group : '' });
    }
    return fits;
  }

  private isBuiltIn(name: string, clientId: string | undefined): boolean {
    if (clientId !== undefined) return isBuiltInClient(clientId, this.realm.name);
    const isDefault = name === this.defaultRole || name === `default-roles-${this.realm.name.toLowerCase()}`;
    return isDefault || name === 'offline_access' || name === 'uma_authorization';
  }
}

function defaultRoleOf({ settings }: Realm): string {
  const role = settings.object('defaultRole');
  role.ignore('id', 'description', 'composite', 'clientRole', 'containerId');
  return role.text('name');
}

function keyOf(role: string, clientId: string | undefined): string {
  return clientId === undefined ? role : `${clientId}:${role}`;
}

function namedIn(from: SourceObject): Named {
  return { realm: from.texts('realmRoles'), client: clientRolesIn(from.object('clientRoles')) };
}

function clientRolesIn(byClient: SourceObject): Array<readonly [string, string]> {
  return byClient.keys().flatMap((clientId) => byClient.texts(clientId).map((role) => [clientId, role] as const));
}

/** Whether a role or a group can have the name. */
function isNamed(text: string): boolean {
  return isShort(text) && !/\p{Cc}|[\p{Zl}\p{Zp}]/u.test(text);
}

function isShort(text: string): boolean {
  return text !== '' && [...text].length <= MAX_KEY_CHARACTERS;
}
