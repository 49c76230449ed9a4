import { APP_IN_PATH, CLIENT_ID_IN_PATH } from '../../../project/client/in-path.js';
import { USER_IN_PATH } from '../../../user/in-path.js';
import type { Entry } from '../document.js';
import { distinct } from '../doubles.js';
import { keptId } from '../made-id.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import { ClientSecrets } from './client-secret.js';
import { authenticatorOf, BY_SECRET, headerTypeOf, type KnownClient, usesSecret } from './known-client.js';
import { oidcAppOf } from './oidc-app.js';
import { isBuiltInClient, type Realm } from './realm.js';

/** The objects that the clients of a realm become. */
export interface Clients {
  readonly oidcApps: Array<Entry<'oidcApps'>>;
  readonly apiApps: Array<Entry<'apiApps'>>;
  readonly machineUsers: Array<Entry<'machineUsers'>>;
  /** Keycloak's users for those clients that become service users, with their ids. */
  readonly accounts: Array<readonly [userId: string, account: SourceObject]>;
}

const USUAL_SCOPES = new Set([
  'web-origins',
  'acr',
  'profile',
  'roles',
  'email',
  'basic',
  'address',
  'phone',
  'offline_access',
  'microprofile-jwt',
  'organization',
  'role_list',
  'service_account',
]);
const OPENID = 'openid-connect';
const MAX_CHARACTERS = 200;
const MAX_DESCRIPTION = 500;

export async function clientsOf(realm: Realm, projectId: string, report: Report): Promise<Clients> {
  const clients: Clients = { oidcApps: [], apiApps: [], machineUsers: [], accounts: [] };
  const names = new Set<string>();
  const secrets = new ClientSecrets(realm.orgId, report);
  const sources = realm.settings.objects('clients', { what: 'Client', nameIn: 'clientId' });
  for (const source of distinct(sources, 'Clients', (client) => client.text('clientId'), report)) {
    const clientId = source.text('clientId');
    if (isBuiltInClient(clientId, realm.name) || isLeftOut(source, clientId, report)) {
      source.skip();
      continue;
    }
    add(clients, await knownClient(source, clientId, names, secrets), realm, projectId, report);
    noteRest(source, clientId, report);
  }
  return clients;
}

/** An application that users sign in to, a service user, or an API that asks about tokens only. */
function add(clients: Clients, client: KnownClient, realm: Realm, projectId: string, report: Report): void {
  const { source, clientId, name } = client;
  const isMachine = source.flag('serviceAccountsEnabled') && !client.isPublic;
  if (signsIn(source)) {
    if (isMachine)
      report.lose('Service accounts of clients that users sign in to: add a service user for them', clientId);
    const usualLifespan = realm.settings.number('accessTokenLifespan') ?? 0;
    clients.oidcApps.push({
      ...appOf(client, realm, report),
      app: { projectId, ...oidcAppOf(client, usualLifespan, report) },
    });
  } else if (isMachine) {
    if (authenticatorOf(source) !== BY_SECRET)
      report.lose(
        `Service users that authenticate with ${authenticatorOf(source)}: add a key to them, or generate a secret`,
        clientId,
      );
    const account = realm.serviceAccounts.get(clientId);
    const userId = keptId(account?.text('id') || client.id, USER_IN_PATH, realm.orgId, report);
    clients.machineUsers.push(machineOf(client, userId));
    if (account) clients.accounts.push([userId, account]);
  } else {
    clients.apiApps.push({
      ...appOf(client, realm, report),
      app: { projectId, name, authMethodType: 'client_secret_basic' },
    });
  }
}

function signsIn(source: SourceObject): boolean {
  const isBearerOnly = source.flag('bearerOnly');
  return (source.flag('standardFlowEnabled', true) || source.flag('implicitFlowEnabled')) && !isBearerOnly;
}

function isLeftOut(source: SourceObject, clientId: string, report: Report): boolean {
  const protocol = source.text('protocol') || OPENID;
  if (protocol !== OPENID) report.lose(`Clients of the protocol ${protocol}: left out`, clientId);
  const isId =
    clientId !== '' &&
    CLIENT_ID_IN_PATH.problem(clientId) === undefined &&
    [...clientId].length <= MAX_CHARACTERS &&
    !/\p{Cc}/u.test(clientId);
  if (!isId)
    report.lose(
      'Clients whose id is empty, too long, a dot or two, or contains control characters: left out',
      clientId,
    );
  return protocol !== OPENID || !isId;
}

async function knownClient(
  source: SourceObject,
  clientId: string,
  names: Set<string>,
  secrets: ClientSecrets,
): Promise<KnownClient> {
  return {
    source,
    clientId,
    isPublic: source.flag('publicClient'),
    id: source.text('id') || clientId,
    name: nameOf(source, clientId, names),
    isActive: source.flag('enabled', true),
    secretHash: usesSecret(source) ? await secrets.hashOf(source, clientId) : undefined,
  };
}

/** The display name, unless another application of the project has it. */
function nameOf(source: SourceObject, clientId: string, taken: Set<string>): string {
  const name = source.caption('name').trim();
  const isUsable = name !== '' && [...name].length <= MAX_CHARACTERS && !taken.has(name);
  const chosen = isUsable ? name : clientId;
  taken.add(chosen);
  return chosen;
}

function appOf(
  { id, clientId, isActive, secretHash }: KnownClient,
  { orgId }: Realm,
  report: Report,
): Pick<Entry<'apiApps'>, 'appId' | 'clientId' | 'state' | 'secretHash'> {
  return {
    appId: keptId(id, APP_IN_PATH, orgId, report),
    clientId,
    state: isActive ? 'active' : 'inactive',
    secretHash,
  };
}

function machineOf(client: KnownClient, userId: string): Entry<'machineUsers'> {
  const { source, clientId, name, isActive, secretHash } = client;
  return {
    userId,
    state: isActive ? 'active' : 'inactive',
    secretHash,
    user: {
      userName: clientId,
      name,
      description: [...source.caption('description')].slice(0, MAX_DESCRIPTION).join(''),
      accessTokenType: 'jwt',
      accessTokenHeaderType: headerTypeOf(client),
    },
  };
}

/** Settings without a counterpart for which the name of a member is not explanation enough. */
function noteRest(source: SourceObject, clientId: string, report: Report): void {
  if (source.flag('directAccessGrantsEnabled'))
    report.note('Clients that may exchange passwords for tokens: not supported', clientId);
  if (!source.flag('fullScopeAllowed', true))
    report.note('Clients limited to some roles: see all roles of the project', clientId);
  for (const mapper of source.objects('protocolMappers')) {
    report.note('Mappers of claims', `${clientId} ${mapper.text('name')}`);
    mapper.skip();
  }
  for (const scope of [...source.texts('defaultClientScopes'), ...source.texts('optionalClientScopes')]) {
    if (!USUAL_SCOPES.has(scope)) report.note('Non-standard scopes of clients', `${clientId} ${scope}`);
  }
  source.ignore('access', 'nodeReRegistrationTimeout', 'notBefore');
  source
    .object('attributes', 'Client attribute')
    .ignore('client.secret.creation.time', 'realm_client', 'backchannel.logout.session.required');
}
