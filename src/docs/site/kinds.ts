/** The kinds of objects that fields refer to, wherever they stand. */
const KIND_OF_FIELD: Readonly<Record<string, string>> = {
  userId: 'user',
  userIds: 'user',
  inUserIdsFilter: 'user',
  inUserIds: 'user',
  editorUserId: 'user',
  orgId: 'organization',
  organizationId: 'organization',
  grantedOrganizationId: 'organization',
  userOrganizationId: 'organization',
  orgIds: 'organization',
  excludedOrgIds: 'organization',
  grantedOrgId: 'organization',
  ownerId: 'organization',
  instanceId: 'instance',
  projectId: 'project',
  appId: 'application',
  applicationId: 'application',
  clientId: 'client',
  client_id: 'client',
  idpId: 'identity provider',
  configId: 'identity provider',
  changedByUserId: 'user',
  sessionId: 'session',
  groupId: 'group',
  groupIds: 'group',
  groupGrantId: 'group grant',
  userGrantId: 'user grant',
  authorizationIds: 'user grant',
  projectGrantId: 'project grant',
  webhookId: 'webhook',
  deliveryId: 'delivery',
  eventId: 'event',
  linkedUserId: 'linked account',
  domain: 'domain',
  domainName: 'domain',
  roleKey: 'role',
};

/** Named like an id, but none of an object here: the test of this file holds every other id to a kind. */
export const NO_REFERENCES: ReadonlySet<string> = new Set([
  'accessKeyId', // of a bucket
  'actionId', // of the described system; nothing here has one
  'actionIds',
  'aggregateId', // of anything, as the events say
  'externalUserId', // at a provider
  'operationId', // a name of the API
  'providedUserId',
  'requireAssertionId', // a switch
  'ruleOwnerId', // of anything, as its type says
  'teamId', // at Apple
  'tenantId', // at Microsoft
]);

/** The kind of the objects below a part of a path, by the end of the path; the first that fits. */
const KIND_OF_PLACE: ReadonlyArray<readonly [end: RegExp, kind: string]> = [
  [/\/app(lication)?s\/[^/]+\/keys$|\/application_keys$/, 'application key'],
  [/\/users(\/[^/]+)?\/keys$/, 'machine key'],
  [/\/(web_)?keys$/, 'signing key'],
  [/\/pats$/, 'token'],
  [/\/registration_tokens$/, 'registration token'],
  [/\/tokens\/refresh$/, 'refresh token'],
  [/\/pass(wordless|keys)$/, 'passkey'],
  [/\/u2f$/, 'security key'],
  [/\/(project_grants|administrators)$/, 'organization'], // they have no id of their own: filters name organizations
  [/\/(granted_)?projects\/[^/]+\/grants$|\/projectgrants$/, 'project grant'],
  [/\/groups\/[^/]+\/grants$/, 'group grant'],
  [/\/grants$|\/authorizations$/, 'user grant'],
  [/\/groups$/, 'group'],
  [/\/sessions$/, 'session'],
  [/\/apps(\/(oidc|api))?$|\/applications$/, 'application'],
  [/\/idps(\/(?!_)\w+)?$|\/generic_\w+$/, 'identity provider'],
  [/\/webhooks$/, 'webhook'],
  [/\/deliveries$/, 'delivery'],
  [/\/domains$/, 'domain'],
  [/\/(granted_)?projects$/, 'project'],
  [/\/orgs(\/me|\/default)?$|\/organizations$/, 'organization'],
  [/\/instances$/, 'instance'],
  [/\/jobs$/, 'job'],
  [/\/mails$/, 'e-mail'],
  [/\/(smtp|email(\/smtp)?)$/, 'SMTP configuration'],
  [/\/logout_notices$/, 'logout notice'],
  [/\/events$/, 'event'],
  [/\/users(\/(human|machine|me))?$/, 'user'],
];

/** The kind of the objects in the part of an answer or of a request with that name. */
const KIND_OF_PART: Readonly<Record<string, string>> = {
  user: 'user',
  human: 'user',
  org: 'organization',
  group: 'group',
  instance: 'instance',
  project: 'project',
  grantedProject: 'project',
  app: 'application',
  application: 'application',
  idp: 'identity provider',
  smtpConfig: 'SMTP configuration',
  webhook: 'webhook',
  u2f: 'security key',
  session: 'session',
  job: 'job',
};

/** The kind of object that a parameter of a path, or a field of a body, refers to. `path`: of the operation. */
export function kindOfParameter(whole: string, path: string): string | undefined {
  const name = whole.slice(whole.lastIndexOf('.') + 1); // a query names parts with dots
  if (name !== 'id' && name in KIND_OF_FIELD) return KIND_OF_FIELD[name];
  const at = path.indexOf(`/{${name}}`);
  if (at >= 0) return kindOfPlace(path.slice(0, at));
  if (!['id', 'grantId', 'keyId', 'tokenId'].includes(name)) return undefined;
  // In a body, only the list of grants to remove has such a field.
  return kindOfPath(path) ?? (name === 'grantId' ? 'user grant' : undefined);
}

/** The kind of object that an operation on this path is about: `/users/_search` is about users, `/users/human` too. */
export function kindOfPath(path: string): string | undefined {
  const parts = path.split('/');
  for (let length = parts.length; length > 1; length -= 1) {
    const kind = kindOfPlace(parts.slice(0, length).join('/'));
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** @param path of the request, so that the kind of a list or of one object is known by where it lies */
export function kindInAnswer(name: string, path: string): string | undefined {
  return name === 'result' || name === 'key' ? kindOfPath(path) : KIND_OF_PART[name];
}

export function kindOfSentPart(name: string): string | undefined {
  return KIND_OF_PART[name];
}

function kindOfPlace(path: string): string | undefined {
  return KIND_OF_PLACE.find(([end]) => end.test(path))?.[1];
}
