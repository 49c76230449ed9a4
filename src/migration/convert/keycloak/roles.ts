import { isObject, objectIn, objectsIn, textIn, textsIn, type Json } from '../json.js';
import type { Report } from '../report.js';
import { isBuiltInClient, type Realm } from './realm.js';

const MAX_KEY_CHARACTERS = 200;
const READ_OF_GROUP = new Set(['id', 'name', 'path', 'parentId', 'subGroups', 'subGroupCount', 'realmRoles', 'clientRoles', 'access', 'description']);
const READ_OF_ROLE = new Set(['id', 'name', 'description', 'composite', 'composites', 'clientRole', 'containerId']);

/** Roles as a user, a group or another role names them. */
interface Named {
  readonly realm: readonly string[];
  readonly client: ReadonlyArray<readonly [clientId: string, role: string]>;
}

interface Role {
  readonly displayName: string;
  readonly group: string;
  /** Whether it is a role here: those that every realm has for itself are not, but what is in them counts. */
  readonly isOurs: boolean;
  readonly includes: Named;
}

/** The keys under which the roles of a realm, of its clients and its groups are roles of one project. */
export class RoleBook {
  private readonly roles = new Map<string, Role>();
  private readonly groups = new Map<string, Named>();

  constructor(private readonly realm: Realm, private readonly report: Report) {
    const roles = objectIn(realm.settings, 'roles');
    for (const role of objectsIn(roles, 'realm')) this.learn(role, undefined);
    for (const [clientId, list] of Object.entries(objectIn(roles, 'client'))) {
      for (const role of Array.isArray(list) ? list.filter(isObject) : []) this.learn(role, clientId);
    }
    for (const group of objectsIn(realm.settings, 'groups')) this.learnGroup(group, '', { realm: [], client: [] });
  }

  /** Entries in `projectRoles`. */
  toEntries(projectId: string): object[] {
    return [...this.roles].filter(([, { isOurs }]) => isOurs).map(([roleKey, { displayName, group }]) => ({ projectId, roleKey, displayName, group }));
  }

  /** Every role that a user has: by itself, through others and through groups, sorted. */
  keysOf(user: Json): string[] {
    const found = new Set<string>();
    this.collect(namedIn(user), found);
    for (const path of textsIn(user, 'groups')) {
      const group = this.groups.get(path);
      if (!group) this.report.note('Memberships of groups that the export does not hold', `${textIn(user, 'username')} ${path}`);
      else {
        found.add(path);
        this.collect(group, found);
      }
    }
    return [...found].filter((key) => this.roles.get(key)?.isOurs === true).sort();
  }

  private collect({ realm, client }: Named, found: Set<string>): void {
    for (const key of [...realm, ...client.map(([clientId, role]) => keyOf(role, clientId))]) {
      const role = this.roles.get(key);
      if (!role || found.has(key)) continue;
      found.add(key);
      this.collect(role.includes, found);
    }
  }

  private learn(role: Json, clientId: string | undefined): void {
    const name = textIn(role, 'name');
    const key = keyOf(name, clientId);
    const composites = objectIn(role, 'composites');
    const includes = { realm: textsIn(composites, 'realm'), client: clientRolesIn(composites, 'client') };
    const isBuiltIn = clientId === undefined ? this.isBuiltInRole(name) : isBuiltInClient(clientId, this.realm.name);
    const description = textIn(role, 'description');
    this.add(key, { displayName: isShort(description) && !description.startsWith('${') ? description : name, group: clientId ?? '', isOurs: !isBuiltIn, includes });
    if (!isBuiltIn) this.report.rest('Role', key, role, READ_OF_ROLE);
  }

  private learnGroup(group: Json, parentPath: string, parent: Named): void {
    const path = textIn(group, 'path') || `${parentPath}/${textIn(group, 'name')}`;
    const own = namedIn(group);
    const all = { realm: [...parent.realm, ...own.realm], client: [...parent.client, ...own.client] };
    this.groups.set(path, all);
    this.add(path, { displayName: textIn(group, 'name') || path, group: 'Groups', isOurs: true, includes: { realm: [], client: [] } });
    this.report.rest('Group', path, group, READ_OF_GROUP);
    for (const inner of objectsIn(group, 'subGroups')) this.learnGroup(inner, path, all);
  }

  private add(key: string, role: Role): void {
    const fits = isShort(key) && !/\p{Cc}|[\p{Zl}\p{Zp}]/u.test(key);
    if (!fits || this.roles.has(key)) this.report.note(fits ? 'Roles and groups of one name: they are one role' : 'Roles and groups with names that are too long: left out', key);
    else this.roles.set(key, { ...role, displayName: isShort(role.displayName) ? role.displayName : key, group: isShort(role.group) ? role.group : '' });
  }

  private isBuiltInRole(name: string): boolean {
    const isDefault = name === textIn(objectIn(this.realm.settings, 'defaultRole'), 'name') || name === `default-roles-${this.realm.name.toLowerCase()}`;
    return isDefault || name === 'offline_access' || name === 'uma_authorization';
  }
}

function keyOf(role: string, clientId: string | undefined): string {
  return clientId === undefined ? role : `${clientId}:${role}`;
}

function namedIn(from: Json): Named {
  return { realm: textsIn(from, 'realmRoles'), client: clientRolesIn(from, 'clientRoles') };
}

function clientRolesIn(from: Json, member: string): Array<readonly [string, string]> {
  return Object.keys(objectIn(from, member)).flatMap((clientId) => textsIn(objectIn(from, member), clientId).map((role) => [clientId, role] as const));
}

function isShort(text: string): boolean {
  return text !== '' && [...text].length <= MAX_KEY_CHARACTERS;
}
