import { settingsViolations } from '../../../client/client-settings.js';
import { originProblem } from '../../../client/origin.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import { type Addresses, addressesOf } from './addresses.js';
import { ClientSecrets } from './client-secret.js';
import { isBuiltInClient, type Realm } from './realm.js';

/** What the clients of a realm become. */
export interface Clients {
  readonly oidcApps: object[];
  readonly apiApps: object[];
  readonly machineUsers: object[];
  /** Keycloak's users for those clients that become service users, with their ids. */
  readonly accounts: ReadonlyArray<readonly [userId: string, account: SourceObject]>;
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
const BY_SECRET = 'client-secret';
const MAX_CHARACTERS = 200;
const MAX_DESCRIPTION = 500;
const MAX_ORIGINS = 100;

/** What is known about a client before it is decided what it becomes. */
interface About {
  readonly clientId: string;
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly isPublic: boolean;
  readonly secretHash: string | undefined;
}

export async function clientsOf(realm: Realm, projectId: string, report: Report): Promise<Clients> {
  const found: Clients & { accounts: Array<readonly [string, SourceObject]> } = {
    oidcApps: [],
    apiApps: [],
    machineUsers: [],
    accounts: [],
  };
  const names = new Set<string>();
  const secrets = new ClientSecrets(realm.settings.text('id') || realm.name, report);
  const usualLifespan = realm.settings.number('accessTokenLifespan') ?? 0;
  for (const client of realm.settings.objects('clients', { what: 'Client', nameIn: 'clientId' })) {
    const clientId = client.text('clientId');
    if (isBuiltInClient(clientId, realm.name) || isLeftOut(client, clientId, report)) {
      client.skip();
      continue;
    }
    const about = await aboutOf(client, clientId, names, secrets);
    const isBearerOnly = client.flag('bearerOnly');
    const signsIn = client.flag('standardFlowEnabled', true) || client.flag('implicitFlowEnabled');
    const isMachine = client.flag('serviceAccountsEnabled') && !about.isPublic;
    if (signsIn && !isBearerOnly) {
      if (isMachine)
        report.lose('Service accounts of clients that people sign in at: add a service user for them', clientId);
      found.oidcApps.push({ ...appOf(about), app: { projectId, ...oidcAppOf(client, about, usualLifespan, report) } });
    } else if (isMachine) {
      const account = realm.serviceAccounts.get(clientId);
      const userId = account?.text('id') || about.id;
      found.machineUsers.push(machineOf(client, userId, about));
      if (account) found.accounts.push([userId, account]);
    } else {
      found.apiApps.push({
        ...appOf(about),
        app: { projectId, name: about.name, authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' },
      });
    }
    noteRest(client, clientId, report);
  }
  return found;
}

function isLeftOut(client: SourceObject, clientId: string, report: Report): boolean {
  const protocol = client.text('protocol') || OPENID;
  if (protocol !== OPENID) report.lose(`Clients of the protocol ${protocol}: left out`, clientId);
  const isId = clientId !== '' && [...clientId].length <= MAX_CHARACTERS && !/\p{Cc}/u.test(clientId);
  if (!isId) report.lose('Clients whose id is empty, too long, or holds control characters: left out', clientId);
  return protocol !== OPENID || !isId;
}

async function aboutOf(
  client: SourceObject,
  clientId: string,
  names: Set<string>,
  secrets: ClientSecrets,
): Promise<About> {
  const isPublic = client.flag('publicClient');
  const usesSecret = !isPublic && !client.flag('bearerOnly') && authenticatorOf(client) === BY_SECRET;
  return {
    clientId,
    id: client.text('id') || clientId,
    name: nameOf(client, clientId, names),
    isActive: client.flag('enabled', true),
    isPublic,
    secretHash: usesSecret ? await secrets.hashOf(client, clientId) : undefined,
  };
}

/** The display name, unless another application of the project has it. */
function nameOf(client: SourceObject, clientId: string, taken: Set<string>): string {
  const name = client.text('name').trim();
  const isUsable = name !== '' && [...name].length <= MAX_CHARACTERS && !name.includes('${') && !taken.has(name);
  const chosen = isUsable ? name : clientId;
  taken.add(chosen);
  return chosen;
}

function appOf({ id, clientId, isActive, secretHash }: About): object {
  return { appId: id, clientId, state: isActive ? 'APP_STATE_ACTIVE' : 'APP_STATE_INACTIVE', secretHash };
}

function machineOf(client: SourceObject, userId: string, { clientId, name, isActive, secretHash }: About): object {
  const description = [...client.text('description')].slice(0, MAX_DESCRIPTION).join('');
  return {
    userId,
    state: isActive ? 'USER_STATE_ACTIVE' : 'USER_STATE_INACTIVE',
    secretHash,
    user: {
      userName: clientId,
      name,
      description: description || undefined,
      accessTokenType: 'ACCESS_TOKEN_TYPE_JWT',
      accessTokenHeaderType: headerTypeOf(client.object('attributes', 'Client attribute')),
    },
  };
}

function oidcAppOf(
  client: SourceObject,
  { clientId, name, isPublic }: About,
  usualLifespan: number,
  report: Report,
): object {
  const attributes = client.object('attributes', 'Client attribute');
  const { redirectUris, postLogoutRedirectUris, devMode, clientType } = addressesOf(client, clientId, isPublic, report);
  const byCode = client.flag('standardFlowEnabled', true);
  const implicit = client.flag('implicitFlowEnabled');
  const lifespan = attributes.number('access.token.lifespan') ?? usualLifespan;
  return {
    name,
    redirectUris,
    postLogoutRedirectUris,
    additionalOrigins: originsOf(client, clientId, report),
    responseTypes: [
      ...(byCode ? ['OIDC_RESPONSE_TYPE_CODE'] : []),
      ...(implicit ? ['OIDC_RESPONSE_TYPE_ID_TOKEN', 'OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN'] : []),
    ],
    grantTypes: [
      ...(byCode ? ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'] : []),
      ...(implicit ? ['OIDC_GRANT_TYPE_IMPLICIT'] : []),
    ],
    appType: APP_TYPES[clientType],
    authMethodType: authMethodOf(client, clientId, isPublic, report),
    devMode,
    // Keycloak's tokens are signed and contain roles, and its id_tokens contain the profile.
    accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
    accessTokenHeaderType: headerTypeOf(attributes),
    accessTokenRoleAssertion: true,
    idTokenUserinfoAssertion: true,
    consentPage: client.flag('consentRequired'),
    accessTokenLifetime: lifespan > 0 ? `${Math.floor(lifespan)}s` : undefined,
    backChannelLogoutUri: backChannelOf(attributes, clientId, report),
  };
}

const APP_TYPES: Readonly<Record<Addresses['clientType'], string>> = {
  web: 'OIDC_APP_TYPE_WEB',
  user_agent: 'OIDC_APP_TYPE_USER_AGENT',
  native: 'OIDC_APP_TYPE_NATIVE',
};

function originsOf(client: SourceObject, clientId: string, report: Report): string[] {
  const origins = client
    .texts('webOrigins')
    .filter((origin) => origin !== '+' && origin !== '')
    .filter((origin) => {
      const isOrigin = originProblem(origin) === undefined;
      if (!isOrigin) report.note('Web origins that are not valid: left out', `${clientId} ${origin}`);
      return isOrigin;
    });
  return [...new Set(origins)].slice(0, MAX_ORIGINS);
}

/** Keycloak writes `JWT` unless the client is set to RFC 9068, and its resource servers expect that. */
function headerTypeOf(attributes: SourceObject): string {
  const isByRfc9068 = attributes.text('access.token.header.type.rfc9068') === 'true';
  return isByRfc9068 ? 'ACCESS_TOKEN_HEADER_TYPE_AT_JWT' : 'ACCESS_TOKEN_HEADER_TYPE_JWT';
}

function backChannelOf(attributes: SourceObject, clientId: string, report: Report): string | undefined {
  const backChannelLogoutUri = attributes.text('backchannel.logout.url');
  if (backChannelLogoutUri === '') return undefined;
  const violations = settingsViolations({
    projectId: '',
    kind: 'oidc',
    name: 'x',
    authMethod: 'none',
    backChannelLogoutUri,
  });
  if (violations.length === 0) return backChannelLogoutUri;
  report.note('Addresses for back-channel sign-out that do not fit: left out', `${clientId} ${backChannelLogoutUri}`);
  return undefined;
}

function authenticatorOf(client: SourceObject): string {
  return client.text('clientAuthenticatorType') || BY_SECRET;
}

function authMethodOf(client: SourceObject, clientId: string, isPublic: boolean, report: Report): string {
  if (isPublic) return 'OIDC_AUTH_METHOD_TYPE_NONE';
  const method = authenticatorOf(client);
  if (method === 'client-jwt')
    report.lose('Clients that authenticate by a key: register its public part here', clientId);
  else if (method !== BY_SECRET)
    report.lose(`Clients that authenticate by ${method}: by a secret here, which is generated anew`, clientId);
  return method === 'client-jwt' ? 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' : 'OIDC_AUTH_METHOD_TYPE_BASIC';
}

/** Settings without a counterpart for which the name of a member is not explanation enough. */
function noteRest(client: SourceObject, clientId: string, report: Report): void {
  if (client.flag('directAccessGrantsEnabled'))
    report.note('Clients that may exchange passwords for tokens: no client may here', clientId);
  if (!client.flag('fullScopeAllowed', true))
    report.note('Clients that see some roles only: they see all of the project', clientId);
  for (const mapper of client.objects('protocolMappers')) {
    report.note('Mappers of claims', `${clientId} ${mapper.text('name')}`);
    mapper.skip();
  }
  for (const scope of [...client.texts('defaultClientScopes'), ...client.texts('optionalClientScopes')]) {
    if (!USUAL_SCOPES.has(scope)) report.note('Scopes of clients that are no standard ones', `${clientId} ${scope}`);
  }
  client.ignore('access', 'nodeReRegistrationTimeout', 'notBefore');
  client
    .object('attributes', 'Client attribute')
    .ignore('client.secret.creation.time', 'realm_client', 'backchannel.logout.session.required');
}
