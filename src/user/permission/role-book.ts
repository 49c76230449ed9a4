import type { Extension, ExtRole } from '../../foundation/extension/extension.js';
import type { MemberLevel } from './member.entity.js';
import { type AnyPermission, type ExtPermissionName, PERMISSIONS, ROLES } from './role.js';

interface KnownRole {
  readonly level: MemberLevel;
  readonly permissions: readonly AnyPermission[];
}

/** Every manager role that members can have: those of the product, and those of the extensions that are loaded. */
export class RoleBook {
  private readonly roles: ReadonlyMap<string, KnownRole>;

  constructor(extensions: ReadonlyArray<Pick<Extension, 'permissions' | 'roles'>> = []) {
    const roles = new Map<string, KnownRole>(
      Object.entries(ROLES).map(([name, role]) => [
        name,
        { level: role.level, permissions: [...role.permissions, ...extPermissionsHeldBy(name, extensions)] },
      ]),
    );
    for (const { name, level, permissions } of extensions.flatMap((extension) => extension.roles))
      roles.set(name, { level, permissions: permissions as readonly AnyPermission[] });
    this.roles = roles;
  }

  /** The roles that members of a level can have. */
  rolesOf(level: MemberLevel): string[] {
    return [...this.roles].filter(([, role]) => role.level === level).map(([name]) => name);
  }

  /** Whether members of any level can have it. */
  has(role: string): boolean {
    return this.roles.has(role);
  }

  /** Whether members of that level can have it. */
  isOf(level: MemberLevel, role: string): boolean {
    return this.roles.get(role)?.level === level;
  }

  /** Empty for an unknown role, such as one of an extension that is not loaded. */
  permissionsOf(role: string): readonly AnyPermission[] {
    return this.roles.get(role)?.permissions ?? [];
  }
}

function extPermissionsHeldBy(
  role: string,
  extensions: ReadonlyArray<Pick<Extension, 'permissions'>>,
): ExtPermissionName[] {
  return extensions.flatMap(({ permissions }) =>
    permissions.filter(({ heldBy = [] }) => role === 'IAM_OWNER' || heldBy.includes(role)).map(({ name }) => name),
  );
}

/**
 * What is wrong with the permissions and roles of extensions, each in a sentence with its remedy. A permission of the
 * product is never added to a role of the product, and a role of an extension gets no more than roles of the product at
 * its level allow.
 */
export function roleMistakes(extensions: readonly Extension[]): string[] {
  return extensions.flatMap((extension) => [...permissionMistakes(extension), ...extRoleMistakes(extension)]);
}

function permissionMistakes({ id, permissions }: Extension): string[] {
  return permissions.flatMap(({ name, level, heldBy = [] }) =>
    heldBy.flatMap((role) => {
      const known = (ROLES as Readonly<Record<string, { readonly level: MemberLevel } | undefined>>)[role];
      if (!known || (known.level !== 'instance' && known.level !== 'org'))
        return [
          `The extension ${id} gives ${name} to ${role}, which is no manager role of the instance or of organizations. Name one such as ORG_OWNER.`,
        ];
      if (level === 'instance' && known.level === 'org')
        return [
          `The extension ${id} gives ${name}, which is for the whole instance, to ${role}, a role of organizations. Remove that role, or make the permission one of organizations.`,
        ];
      return [];
    }),
  );
}

function extRoleMistakes({ id, permissions, roles }: Extension): string[] {
  const own = new Map(permissions.map((permission) => [permission.name as string, permission.level]));
  const mistakeOf = (role: ExtRole, permission: string): string | undefined => {
    const level = own.get(permission);
    if (level === 'instance' && role.level === 'org')
      return `The role ${role.name} of the extension ${id} is one of organizations, and ${permission} is for the whole instance. Remove it from the role.`;
    if (level !== undefined || productPermissionsAt(role.level).has(permission)) return undefined;
    return (PERMISSIONS as readonly string[]).includes(permission)
      ? `The role ${role.name} of the extension ${id} wants ${permission}, which no role of the product has at its level. Remove it from the role.`
      : `The role ${role.name} of the extension ${id} names the permission ${permission}, which does not exist. Declare it among the permissions of the extension.`;
  };
  return roles.flatMap((role) => role.permissions.flatMap((permission) => mistakeOf(role, permission) ?? []));
}

function productPermissionsAt(level: MemberLevel): ReadonlySet<string> {
  return new Set(Object.values(ROLES).flatMap((role) => (role.level === level ? role.permissions : [])));
}
