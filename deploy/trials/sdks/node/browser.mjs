/* Calls of the second generation by the same SDK in a page of another origin, in gRPC-web. The page's address says where and as whom. */
import { Code } from '@connectrpc/connect';
import { createClientFor } from '@zitadel/client';
import {
  createOrganizationServiceClient,
  createSessionServiceClient,
  createSettingsServiceClient,
  createUserServiceClient,
} from '@zitadel/client/v2';
import { createClientTransport } from '@zitadel/client/web';
import { WebKeyService } from '@zitadel/proto/zitadel/webkey/v2/webkey_service_pb.js';
import { Checks } from './checks.mjs';

const { origin, token } = Object.fromEntries(new URLSearchParams(globalThis.location.hash.slice(1)));
const checksOf = (name, createClient, as = token) =>
  new Checks(name, createClient(createClientTransport(as, { baseUrl: origin })), (line) => console.log(line));

const orgs = checksOf('OrganizationService', createOrganizationServiceClient);
const users = checksOf('UserService', createUserServiceClient);
const settings = checksOf('SettingsService', createSettingsServiceClient);
const webKeys = checksOf('WebKeyService', createClientFor(WebKeyService));

async function run() {
  const { organizationId } = await orgs.call('addOrganization', { name: 'Page' }, (answer) => answer.organizationId);
  await orgs.call(
    'listOrganizations',
    { queries: [{ query: { case: 'nameQuery', value: { name: 'Page' } } }] },
    ({ result }) => result.length === 1 && result[0].id === organizationId,
  );
  const machine = { userType: { case: 'machine', value: { name: 'Worker' } } };
  const { id: userId } = await users.call('createUser', { organizationId, ...machine }, (answer) => answer.id !== '');
  await users.call('getUserByID', { userId }, ({ user }) => user.type.value.name === 'Worker');
  await users.call(
    'listUsers',
    { queries: [{ query: { case: 'organizationIdQuery', value: { organizationId } } }] },
    ({ details }) => details.totalResult === 1n,
  );
  const renamed = { userType: { case: 'machine', value: { name: 'Service worker' } } };
  await users.call('updateUser', { userId, ...renamed }, ({ changeDate }) => changeDate !== undefined);
  const metadata = [{ key: 'tab', value: new TextEncoder().encode('1') }];
  await users.call('setUserMetadata', { userId, metadata }, ({ setDate }) => setDate !== undefined);
  await users.call('listUserMetadata', { userId }, (answer) => answer.metadata[0].value.length === 1);
  await settings.call('getSecuritySettings', {}, (answer) => answer.settings !== undefined);
  await webKeys.call('listWebKeys', {}, (answer) => answer.webKeys.length > 0);
  await users.call('deleteUser', { userId }, ({ details }) => details !== undefined);
  await users.refuse('getUserByID', { userId }, Code.NotFound);
  const sessions = checksOf('SessionService', createSessionServiceClient);
  await sessions.refuse('listSessions', {}, Code.Unimplemented);
  const stranger = checksOf('OrganizationService', createOrganizationServiceClient, 'not a token');
  await stranger.refuse('listOrganizations', {}, Code.Unauthenticated);
}

run()
  .catch((error) => console.log(`FAILED ${error.stack}`))
  .finally(() => console.log('end'));
