import { settingsViolations } from '../../../client/client-settings.js';
import type { ClientType } from '../../../client/client.entity.js';
import { originProblem } from '../../../client/origin.js';
import { redirectUriProblem } from '../../../client/redirect-uri.js';
import { sha256 } from '../../../crypto/digest.js';
import { flagIn, numberIn, objectIn, objectsIn, textIn, textsIn, type Json } from '../json.js';
import type { Report } from '../report.js';
import { attributeIn, isBuiltInClient, type Realm } from './realm.js';

/** What becomes of the clients of a realm. */
export interface Clients {
  readonly oidcApps: object[];
  readonly apiApps: object[];
  readonly machineUsers: object[];
  /** Users that stand for the clients which are service users here, with their ids. */
  readonly accounts: ReadonlyArray<readonly [userId: string, account: Json]>;
}

const READ = new Set([
  'id', 'clientId', 'name', 'description', 'rootUrl', 'enabled', 'clientAuthenticatorType', 'secret', 'redirectUris', 'webOrigins', 'bearerOnly', 'consentRequired', 'standardFlowEnabled',
  'implicitFlowEnabled', 'directAccessGrantsEnabled', 'serviceAccountsEnabled', 'publicClient', 'protocol', 'attributes', 'access', 'fullScopeAllowed', 'nodeReRegistrationTimeout', 'notBefore',
  'defaultClientScopes', 'optionalClientScopes', 'protocolMappers',
]);
const READ_ATTRIBUTES = new Set(['post.logout.redirect.uris', 'access.token.lifespan', 'backchannel.logout.url', 'client.secret.creation.time', 'realm_client', 'backchannel.logout.session.required']);
const USUAL_SCOPES = new Set(['web-origins', 'acr', 'profile', 'roles', 'email', 'basic', 'address', 'phone', 'offline_access', 'microprofile-jwt', 'organization', 'role_list', 'service_account']);
/** Ours compares secrets by a fast hash, which is safe for those that nobody can guess: a UUID has 122 bits. */
const MIN_SECRET_CHARACTERS = 32;
const MAX_CHARACTERS = 200;
const MAX_URIS = 100;

export function clientsOf(realm: Realm, projectId: string, report: Report): Clients {
  const found: Clients & { accounts: Array<readonly [string, Json]> } = { oidcApps: [], apiApps: [], machineUsers: [], accounts: [] };
  const names = new Set<string>();
  for (const client of objectsIn(realm.settings, 'clients')) {
    const clientId = textIn(client, 'clientId');
    if (isBuiltInClient(clientId, realm.name)) continue;
    if ((textIn(client, 'protocol') || 'openid-connect') !== 'openid-connect') {
      report.note(`Clients of the protocol ${textIn(client, 'protocol')}: left out`, clientId);
      continue;
    }
    if (clientId === '' || [...clientId].length > MAX_CHARACTERS || /\p{Cc}/u.test(clientId)) {
      report.note('Clients whose id is empty, too long, or holds control characters: left out', clientId);
      continue;
    }
    tellRest(client, clientId, report);
    const signsIn = isOr(client, 'standardFlowEnabled', true) || flagIn(client, 'implicitFlowEnabled');
    const isMachine = flagIn(client, 'serviceAccountsEnabled') && !flagIn(client, 'publicClient');
    const secretHash = flagIn(client, 'publicClient') ? undefined : secretHashOf(client, clientId, report);
    const state = isOr(client, 'enabled', true);
    if (signsIn && !flagIn(client, 'bearerOnly')) {
      if (isMachine) report.note('Service accounts of clients that people sign in at: add a service user for them', clientId);
      found.oidcApps.push({ appId: textIn(client, 'id') || clientId, clientId, state: appState(state), secretHash, app: oidcAppOf(client, clientId, { projectId, name: nameOf(client, clientId, names), lifespan: numberIn(realm.settings, 'accessTokenLifespan') ?? 0 }, report) });
    } else if (isMachine) {
      const account = realm.serviceAccounts.get(clientId) ?? {};
      const userId = textIn(account, 'id') || textIn(client, 'id') || clientId;
      const description = [...textIn(client, 'description')].slice(0, 500).join('');
      found.machineUsers.push({
        userId, state: state ? 'USER_STATE_ACTIVE' : 'USER_STATE_INACTIVE', secretHash,
        user: { userName: clientId, name: nameOf(client, clientId, names), description: description || undefined, accessTokenType: 'ACCESS_TOKEN_TYPE_JWT' },
      });
      found.accounts.push([userId, account]);
    } else {
      const app = { projectId, name: nameOf(client, clientId, names), authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' };
      found.apiApps.push({ appId: textIn(client, 'id') || clientId, clientId, state: appState(state), secretHash, app });
    }
  }
  return found;
}

const isOr = (from: Json, name: string, otherwise: boolean): boolean => (from[name] === undefined ? otherwise : flagIn(from, name));
const appState = (isActive: boolean): string => (isActive ? 'APP_STATE_ACTIVE' : 'APP_STATE_INACTIVE');

/** As people know it, where no other application of the project is called so. */
function nameOf(client: Json, clientId: string, taken: Set<string>): string {
  const name = textIn(client, 'name').trim();
  const chosen = name !== '' && [...name].length <= MAX_CHARACTERS && !name.includes('${') && !taken.has(name) ? name : clientId;
  taken.add(chosen);
  return chosen;
}

function oidcAppOf(client: Json, clientId: string, { lifespan: usual, ...about }: { readonly projectId: string; readonly name: string; readonly lifespan: number }, report: Report): object {
  const isPublic = flagIn(client, 'publicClient');
  const uris = textsIn(client, 'redirectUris').map((uri) => absolute(uri, client));
  const isNative = isPublic && uris.some((uri) => !/^https?:/i.test(uri));
  const clientType: ClientType = isNative ? 'native' : isPublic ? 'user_agent' : 'web';
  const needsDevMode = (uri: string): boolean => redirectUriProblem(uri, { clientType, devMode: false }) !== undefined && redirectUriProblem(uri, { clientType, devMode: true }) === undefined;
  const postLogout = attributeIn(client, 'post.logout.redirect.uris').split('##').filter((uri) => uri !== '' && uri !== '-').flatMap((uri) => (uri === '+' ? uris : [absolute(uri, client)]));
  const devMode = uris.some(needsDevMode);
  if (devMode) report.note('Clients with addresses in plain http: in development mode', clientId);
  const take = (list: readonly string[], kind: string): string[] => {
    const good = [...new Set(list)].filter((uri) => {
      const isExact = !uri.includes('*') && redirectUriProblem(uri, { clientType, devMode }) === undefined;
      if (!isExact) report.note(`${kind} with wildcards, or otherwise not exact: register each`, `${clientId} ${uri}`);
      return isExact;
    });
    for (const uri of good.slice(MAX_URIS)) report.note(`${kind} beyond the first ${MAX_URIS}`, `${clientId} ${uri}`);
    return good.slice(0, MAX_URIS);
  };
  const origins = textsIn(client, 'webOrigins').filter((origin) => origin !== '+' && origin !== '').filter((origin) => {
    if (originProblem(origin) !== undefined) report.note('Web origins that are none: left out', `${clientId} ${origin}`);
    return originProblem(origin) === undefined;
  });
  const [byCode, implicit] = [isOr(client, 'standardFlowEnabled', true), flagIn(client, 'implicitFlowEnabled')];
  const lifespan = numberIn(objectIn(client, 'attributes'), 'access.token.lifespan') ?? usual;
  const backChannel = attributeIn(client, 'backchannel.logout.url');
  const app = {
    ...about, redirectUris: take(uris, 'Redirect URIs'), postLogoutRedirectUris: take(postLogout, 'Addresses after signing out'), additionalOrigins: [...new Set(origins)].slice(0, MAX_URIS),
    responseTypes: [...(byCode ? ['OIDC_RESPONSE_TYPE_CODE'] : []), ...(implicit ? ['OIDC_RESPONSE_TYPE_ID_TOKEN', 'OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN'] : [])],
    grantTypes: [...(byCode ? ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'] : []), ...(implicit ? ['OIDC_GRANT_TYPE_IMPLICIT'] : [])],
    appType: isNative ? 'OIDC_APP_TYPE_NATIVE' : isPublic ? 'OIDC_APP_TYPE_USER_AGENT' : 'OIDC_APP_TYPE_WEB', authMethodType: authMethodOf(client, clientId, report), devMode,
    // What its tokens are there: signed, with roles; and id_tokens hold the profile.
    accessTokenType: 'OIDC_TOKEN_TYPE_JWT', accessTokenRoleAssertion: true, idTokenUserinfoAssertion: true, consentPage: flagIn(client, 'consentRequired'),
    accessTokenLifetime: lifespan > 0 ? `${Math.floor(lifespan)}s` : undefined, backChannelLogoutUri: backChannel === '' || backChannelProblem(backChannel) ? undefined : backChannel,
  };
  if (backChannel !== '' && app.backChannelLogoutUri === undefined) report.note('Addresses to tell of a sign-out that do not fit: left out', `${clientId} ${backChannel}`);
  return app;
}

function backChannelProblem(backChannelLogoutUri: string): boolean {
  return settingsViolations({ projectId: '', kind: 'oidc', name: 'x', authMethod: 'none', backChannelLogoutUri }).length > 0;
}

/** Paths are below the client's root. */
function absolute(uri: string, client: Json): string {
  const root = textIn(client, 'rootUrl');
  return uri.startsWith('/') && /^https?:/i.test(root) ? `${root.replace(/\/$/, '')}${uri}` : uri;
}

function authMethodOf(client: Json, clientId: string, report: Report): string {
  if (flagIn(client, 'publicClient')) return 'OIDC_AUTH_METHOD_TYPE_NONE';
  const method = textIn(client, 'clientAuthenticatorType') || 'client-secret';
  if (method === 'client-jwt') report.note('Clients that authenticate by a key: register its public part here', clientId);
  else if (method !== 'client-secret') report.note(`Clients that authenticate by ${method}: by a secret here, which is generated anew`, clientId);
  return method === 'client-jwt' ? 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' : 'OIDC_AUTH_METHOD_TYPE_BASIC';
}

/** SHA-256, in base64: the client keeps its secret. */
function secretHashOf(client: Json, clientId: string, report: Report): string | undefined {
  if (flagIn(client, 'bearerOnly') || (textIn(client, 'clientAuthenticatorType') || 'client-secret') !== 'client-secret') return undefined;
  const secret = textIn(client, 'secret');
  const isMasked = /^\*+$/.test(secret) || secret.startsWith('${');
  if (secret === '' || isMasked) report.note('Clients whose secret the export does not hold: generate another', clientId);
  else if (secret.length < MIN_SECRET_CHARACTERS) report.note(`Clients whose secret has fewer than ${MIN_SECRET_CHARACTERS} characters: generate another`, clientId);
  else return sha256(secret).toString('base64');
  return undefined;
}

function tellRest(client: Json, clientId: string, report: Report): void {
  report.rest('Client', clientId, client, READ);
  report.rest('Client attribute', clientId, objectIn(client, 'attributes'), READ_ATTRIBUTES);
  if (flagIn(client, 'directAccessGrantsEnabled')) report.note('Clients that may exchange passwords for tokens: nobody may here', clientId);
  if (client['fullScopeAllowed'] === false) report.note('Clients that see some roles only: they see all of the project', clientId);
  for (const mapper of objectsIn(client, 'protocolMappers')) report.note('Mappers of claims', `${clientId} ${textIn(mapper, 'name')}`);
  for (const scope of [...textsIn(client, 'defaultClientScopes'), ...textsIn(client, 'optionalClientScopes')]) if (!USUAL_SCOPES.has(scope)) report.note('Scopes of clients that are no standard ones', `${clientId} ${scope}`);
}
