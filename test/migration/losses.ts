/* oxlint-disable typescript/no-explicit-any -- documents are compared as they come */

/** The members that identify the entries of a list. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  orgs: ['orgId'],
  domains: ['domainName'],
  projects: ['projectId'],
  projectRoles: ['projectId', 'roleKey'],
  oidcApps: ['appId'],
  apiApps: ['appId'],
  appKeys: ['id'],
  humanUsers: ['userId'],
  machineUsers: ['userId'],
  machineKeys: ['keyId'],
  userLinks: ['userId', 'idpId'],
  userMetadata: ['id', 'key'],
  orgMetadata: ['key'],
  actions: ['actionId'],
  triggerActions: ['flowType', 'triggerType'],
  projectGrants: ['grantId'],
  userGrants: ['userId', 'projectId'],
  groups: ['groupId'],
  groupMembers: ['groupId', 'userId'],
  groupGrants: ['groupId', 'projectId'],
  orgMembers: ['userId'],
  projectMembers: ['projectId', 'userId'],
  projectGrantMembers: ['grantId', 'userId'],
  oidcIdps: ['idpId'],
  jwtIdps: ['idpId'],
  idps: ['idpId'],
};

/** The paths of everything that the first document says and the second does not. */
export function lossesBetween(before: any, after: any, at = '', name = ''): string[] {
  if (Array.isArray(before))
    return before.flatMap((entry, index) =>
      lossesOf(entry, Array.isArray(after) ? after : [], `${at}[${index}]`, name),
    );
  if (typeof before !== 'object' || before === null) return isEqual(before, after) ? [] : [at];
  if (typeof after !== 'object' || after === null) return [at];
  return Object.entries(before).flatMap(([member, value]) =>
    lossesBetween(value, after[member], at === '' ? member : `${at}.${member}`, member),
  );
}

function lossesOf(entry: any, others: readonly any[], at: string, name: string): string[] {
  if (typeof entry !== 'object' || entry === null) return others.some((other) => isEqual(entry, other)) ? [] : [at];
  const identity = IDENTITY[name] ?? ['language'];
  const match = others.find((other) => identity.every((member) => other?.[member] === entry[member]));
  return match === undefined ? [at] : lossesBetween(entry, match, at, '');
}

/** A time of protocol buffers may be written with or without fractions of a second. */
function isEqual(one: unknown, other: unknown): boolean {
  const isTime = typeof one === 'string' && typeof other === 'string' && /^\d{4}-\d\d-\d\dT/.test(one);
  return isTime ? Date.parse(one) === Date.parse(other) : one === other;
}
