import { describe, expect, it } from '@jest/globals';
import { defineExtension, type ExtensionManifest } from '../../foundation/extension/extension.js';
import { type Membership, Rights } from './rights.js';
import { ROLES } from './role.js';
import { RoleBook, roleMistakes } from './role-book.js';

class HrModule {}

const hr = (over: Partial<ExtensionManifest> = {}) =>
  defineExtension({
    id: 'hr',
    version: '1.0.0',
    gatehouse: '*',
    module: HrModule,
    permissions: [
      { name: 'ext.hr.employee.read', level: 'org', heldBy: ['ORG_OWNER_VIEWER', 'IAM_OWNER_VIEWER'] },
      { name: 'ext.hr.report.read', level: 'instance' },
    ],
    roles: [{ name: 'EXT_HR_CLERK', level: 'org', permissions: ['ext.hr.employee.read', 'user.read'] }],
    ...over,
  });

const memberOf = (role: string): Membership => ({ level: 'org', objectId: 'o1', orgId: 'o1', roles: [role] });

describe('A permission of an extension', () => {
  const book = new RoleBook([hr()]);

  it('is held by the roles that the extension names, by IAM_OWNER, and by no other', () => {
    const holders = Object.keys(ROLES).filter((role) => book.permissionsOf(role).includes('ext.hr.employee.read'));
    expect(holders).toEqual(['IAM_OWNER', 'IAM_OWNER_VIEWER', 'ORG_OWNER_VIEWER']);
    expect(Object.keys(ROLES).filter((role) => book.permissionsOf(role).includes('ext.hr.report.read'))).toEqual([
      'IAM_OWNER',
    ]);
  });

  it('leaves the roles of the product as they are otherwise', () => {
    for (const [name, { permissions }] of Object.entries(ROLES))
      expect(book.permissionsOf(name).filter((one) => !one.startsWith('ext.'))).toEqual(permissions);
  });
});

describe('A role of an extension', () => {
  it('is one of its level, and allows what it lists', () => {
    const book = new RoleBook([hr()]);
    expect(book.rolesOf('org')).toContain('EXT_HR_CLERK');
    expect(book.rolesOf('instance')).not.toContain('EXT_HR_CLERK');
    const rights = new Rights([memberOf('EXT_HR_CLERK')], book);
    expect(rights.may('ext.hr.employee.read', { orgId: 'o1' })).toBe(true);
    expect(rights.may('user.read', { orgId: 'o1' })).toBe(true);
    expect(rights.may('user.write', { orgId: 'o1' })).toBe(false);
    expect(rights.may('ext.hr.employee.read', { orgId: 'o2' })).toBe(false);
  });

  it('allows nothing where its extension is not loaded', () => {
    const rights = new Rights([memberOf('EXT_HR_CLERK')], new RoleBook());
    expect(rights.words('o1')).toEqual([]);
  });

  it('is granted by nobody who holds less', () => {
    const book = new RoleBook([hr()]);
    expect(new Rights([memberOf('ORG_OWNER')], book).covers(memberOf('EXT_HR_CLERK'))).toBe(false);
    expect(new Rights([memberOf('ORG_OWNER_VIEWER')], book).covers(memberOf('EXT_HR_CLERK'))).toBe(true);
  });
});

describe('Acting for other users', () => {
  const book = new RoleBook();
  const holders = (permission: 'user.impersonate' | 'user.impersonate.admin') =>
    Object.keys(ROLES).filter((role) => book.permissionsOf(role).includes(permission));
  const mayGrant = (role: string): boolean =>
    new Rights([memberOf(role)], book).covers(memberOf('ORG_ADMIN_IMPERSONATOR'));

  it('is allowed by the roles that exist for it alone [TEX-007]', () => {
    expect(holders('user.impersonate')).toEqual([
      'IAM_ADMIN_IMPERSONATOR',
      'IAM_END_USER_IMPERSONATOR',
      'ORG_ADMIN_IMPERSONATOR',
      'ORG_END_USER_IMPERSONATOR',
    ]);
    expect(holders('user.impersonate.admin')).toEqual(['IAM_ADMIN_IMPERSONATOR', 'ORG_ADMIN_IMPERSONATOR']);
  });

  it('is granted by those who may set the credentials of users in the same place [TEX-007]', () => {
    expect(mayGrant('ORG_OWNER')).toBe(true);
    for (const role of ['ORG_OWNER_VIEWER', 'ORG_USER_PERMISSION_EDITOR', 'ORG_ADMIN_IMPERSONATOR'])
      expect([role, mayGrant(role)]).toEqual([role, false]);
    const elsewhere = { level: 'org', objectId: 'o2', orgId: 'o2', roles: ['ORG_OWNER'] } as const;
    expect(new Rights([elsewhere], book).covers(memberOf('ORG_END_USER_IMPERSONATOR'))).toBe(false);
    const ofInstance = { level: 'instance', objectId: 'i', orgId: '', roles: ['IAM_END_USER_IMPERSONATOR'] } as const;
    expect(new Rights([memberOf('ORG_OWNER')], book).covers(ofInstance)).toBe(false);
  });
});

describe('Permissions and roles of an extension are refused', () => {
  it.each<[string, Partial<ExtensionManifest>, string]>([
    [
      'if a permission is given to a role that does not exist',
      { permissions: [{ name: 'ext.hr.a', level: 'org', heldBy: ['ORG_BOSS'] }], roles: [] },
      'The extension hr gives ext.hr.a to ORG_BOSS, which is no manager role of the instance or of organizations.',
    ],
    [
      'if a permission is given to a role of projects',
      { permissions: [{ name: 'ext.hr.a', level: 'org', heldBy: ['PROJECT_OWNER'] }], roles: [] },
      'The extension hr gives ext.hr.a to PROJECT_OWNER,',
    ],
    [
      'if a permission for the whole instance is given to a role of organizations',
      { permissions: [{ name: 'ext.hr.a', level: 'instance', heldBy: ['ORG_OWNER'] }], roles: [] },
      'The extension hr gives ext.hr.a, which is for the whole instance, to ORG_OWNER,',
    ],
    [
      'if a role of organizations wants a permission of the whole instance',
      { roles: [{ name: 'EXT_HR_A', level: 'org', permissions: ['ext.hr.report.read'] }] },
      'The role EXT_HR_A of the extension hr is one of organizations, and ext.hr.report.read is for the whole instance.',
    ],
    [
      'if a role wants more than the roles of the product at its level',
      { roles: [{ name: 'EXT_HR_A', level: 'org', permissions: ['iam.migrate'] }] },
      'The role EXT_HR_A of the extension hr wants iam.migrate, which no role of the product has at its level.',
    ],
    [
      'if a role names a permission that does not exist',
      { roles: [{ name: 'EXT_HR_A', level: 'org', permissions: ['ext.crm.read'] }] },
      'The role EXT_HR_A of the extension hr names the permission ext.crm.read, which does not exist.',
    ],
  ])('%s', (_, over, message) => {
    expect(roleMistakes([hr(over)])).toEqual([expect.stringContaining(message)]);
  });

  it('never otherwise', () => expect(roleMistakes([hr()])).toEqual([]));
});
