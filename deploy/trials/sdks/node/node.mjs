/* Calls of the second generation by the SDK for Node, in gRPC: prints one line for each. ORIGIN and TOKEN say where and as whom. */
import { Code } from '@connectrpc/connect';
import { createClientFor, timestampFromDate } from '@zitadel/client';
import { createServerTransport } from '@zitadel/client/node';
import {
  createIdpServiceClient,
  createOrganizationServiceClient,
  createSettingsServiceClient,
  createUserServiceClient,
  makeReqCtx,
} from '@zitadel/client/v2';
import { WebKeyService } from '@zitadel/proto/zitadel/webkey/v2/webkey_service_pb.js';
import { Checks } from './checks.mjs';

const { ORIGIN, TOKEN } = process.env;
const transportOf = (token) => createServerTransport(token, { baseUrl: ORIGIN });
const checksOf = (name, createClient, token = TOKEN) => new Checks(name, createClient(transportOf(token)), console.log);

const orgs = checksOf('OrganizationService', createOrganizationServiceClient);
const users = checksOf('UserService', createUserServiceClient);
const settings = checksOf('SettingsService', createSettingsServiceClient);
const idps = checksOf('IdentityProviderService', createIdpServiceClient);
const webKeys = checksOf('WebKeyService', createClientFor(WebKeyService));

const bytes = (text) => new TextEncoder().encode(text);
const later = timestampFromDate(new Date('2100-01-01'));
const changed = ({ details }) => details.changeDate !== undefined;
const removed = ({ deletionDate }) => deletionDate !== undefined;

// Organizations
const ada = {
  profile: { givenName: 'Ada', familyName: 'Owner' },
  email: { email: 'ada@node.test', verification: { case: 'isVerified', value: true } },
};
const { organizationId } = await orgs.call(
  'addOrganization',
  { name: 'Node', admins: [{ userType: { case: 'human', value: ada } }] },
  (answer) => answer.organizationId !== '' && answer.createdAdmins.length === 1,
);
await orgs.call(
  'listOrganizations',
  { queries: [{ query: { case: 'idQuery', value: { id: organizationId } } }] },
  ({ details, result }) => details.totalResult === 1n && result[0].name === 'Node',
);
await orgs.refuse('addOrganization', { name: 'Node' }, Code.AlreadyExists);

// Users
const { userId } = await users.call(
  'addHumanUser',
  {
    username: 'gigi',
    organization: { org: { case: 'orgId', value: organizationId } },
    profile: { givenName: 'Gigi', familyName: 'Giraffe', preferredLanguage: 'de' },
    email: { email: 'gigi@node.test', verification: { case: 'isVerified', value: true } },
    metadata: [{ key: 'shoe', value: bytes('44') }],
  },
  (answer) => answer.userId !== '' && answer.details.resourceOwner === organizationId,
);
const machine = await users.call(
  'createUser',
  {
    organizationId,
    username: 'robot',
    userType: { case: 'machine', value: { name: 'Robot', description: 'Delivers parcels' } },
  },
  (answer) => answer.id !== '' && answer.creationDate !== undefined,
);
await users.call(
  'getUserByID',
  { userId },
  ({ user }) => user.type.case === 'human' && user.type.value.profile.preferredLanguage === 'de',
);
await users.call(
  'listUsers',
  {
    query: { limit: 5, asc: true },
    queries: [
      {
        query: {
          case: 'orQuery',
          value: {
            queries: [
              { query: { case: 'emailQuery', value: { emailAddress: 'gigi@node.test' } } },
              { query: { case: 'inUserIdsQuery', value: { userIds: [machine.id] } } },
            ],
          },
        },
      },
    ],
  },
  ({ details, result }) => details.totalResult === 2n && result.length === 2,
);
const nickName = { userType: { case: 'human', value: { profile: { nickName: 'Gi' } } } };
await users.call('updateUser', { userId, ...nickName }, ({ changeDate }) => changeDate !== undefined);
await users.call('updateHumanUser', { userId, username: 'gigi.giraffe' }, changed);
await users.call('lockUser', { userId }, changed);
await users.call('unlockUser', { userId }, changed);
await users.call('deactivateUser', { userId }, changed);
await users.refuse('deactivateUser', { userId }, Code.FailedPrecondition);
await users.call('reactivateUser', { userId }, changed);

// What reaches a user, and what is known of them
const verified = { verification: { case: 'isVerified', value: true } };
await users.call('setEmail', { userId, email: 'gigi@other.test', ...verified }, changed);
await users.call('setPhone', { userId, phone: '+41791234567', ...verified }, changed);
await users.call('removePhone', { userId }, changed);
await users.call(
  'setUserMetadata',
  { userId, metadata: [{ key: 'hat', value: bytes('57') }] },
  ({ setDate }) => setDate !== undefined,
);
await users.call(
  'listUserMetadata',
  { userId },
  ({ metadata, pagination }) =>
    pagination.totalResult === 2n && metadata.some(({ key, value }) => key === 'hat' && value.length === 2),
);
await users.call('deleteUserMetadata', { userId, keys: ['hat'] }, removed);

// What signs users in
const password = { passwordType: { case: 'password', value: { password: 'Long enough, 1 of them!' } } };
await users.call('setPassword', { userId, newPassword: password.passwordType.value }, changed);
await users.call('listAuthenticationMethodTypes', { userId }, ({ authMethodTypes }) => authMethodTypes.length === 1);
await users.call('listAuthenticationFactors', { userId }, ({ result }) => result.length === 0);
await users.call('listPasskeys', { userId }, ({ result }) => result.length === 0);
await users.call('listIDPLinks', { userId }, ({ result }) => result.length === 0);
await users.call('addSecret', { userId: machine.id }, ({ clientSecret }) => clientSecret !== '');
await users.call('removeSecret', { userId: machine.id }, removed);
const { keyId } = await users.call(
  'addKey',
  { userId: machine.id, expirationDate: later },
  ({ keyContent }) => JSON.parse(new TextDecoder().decode(keyContent)).userId === machine.id,
);
const ofMachine = { filters: [{ filter: { case: 'userIdFilter', value: { id: machine.id } } }] };
await users.call('listKeys', ofMachine, ({ result }) => result.length === 1 && result[0].id === keyId);
await users.call('removeKey', { userId: machine.id, keyId }, removed);
const { token, tokenId } = await users.call(
  'addPersonalAccessToken',
  { userId: machine.id, expirationDate: later },
  (answer) => answer.token !== '',
);
await users.call('listPersonalAccessTokens', ofMachine, ({ result }) => result[0].id === tokenId);
const robot = checksOf('OrganizationService', createOrganizationServiceClient, token);
await robot.refuse('addOrganization', { name: "The robot's" }, Code.PermissionDenied);
await users.call('removePersonalAccessToken', { userId: machine.id, tokenId }, removed);
await robot.refuse('listOrganizations', {}, Code.Unauthenticated);

// Settings, as they apply to the organization
const ctx = makeReqCtx(organizationId);
await settings.call('getGeneralSettings', {}, ({ defaultOrganizationId, defaultOrgId }) =>
  Boolean(defaultOrganizationId || defaultOrgId),
);
await settings.call('getLoginSettings', { ctx }, (answer) => answer.settings.passwordCheckLifetime.seconds > 0n);
await settings.call('getPasswordComplexitySettings', { ctx }, (answer) => answer.settings.minLength > 0n);
await settings.call('getPasswordExpirySettings', { ctx }, (answer) => answer.settings !== undefined);
await settings.call('getBrandingSettings', { ctx }, (answer) => answer.settings.lightTheme !== undefined);
await settings.call('getDomainSettings', { ctx }, (answer) => answer.settings !== undefined);
await settings.call('getLegalAndSupportSettings', { ctx }, (answer) => answer.settings !== undefined);
await settings.call('getLockoutSettings', { ctx }, (answer) => answer.settings !== undefined);
await settings.call('getActiveIdentityProviders', { ctx }, (answer) => answer.identityProviders.length === 0);
await settings.call(
  'getHostedLoginTranslation',
  { level: { case: 'organizationId', value: organizationId }, locale: 'en' },
  ({ etag, translations }) => etag !== '' && Object.keys(translations).length > 0,
);
await settings.call('setSecuritySettings', { enableImpersonation: true }, changed);
await settings.call('getSecuritySettings', {}, (answer) => answer.settings.enableImpersonation);
await idps.refuse('getIDPByID', { id: '12345' }, Code.NotFound);

// Signing keys
const rsa = { key: { case: 'rsa', value: { bits: 1, hasher: 1 } } };
const { id } = await webKeys.call('createWebKey', rsa, (answer) => answer.creationDate !== undefined);
await webKeys.call('listWebKeys', {}, (answer) =>
  answer.webKeys.some((one) => one.id === id && one.key.case === 'rsa'),
);
await webKeys.call('deleteWebKey', { id }, removed);

await users.call('deleteUser', { userId }, ({ details }) => details !== undefined);
await users.refuse('getUserByID', { userId }, Code.NotFound);
