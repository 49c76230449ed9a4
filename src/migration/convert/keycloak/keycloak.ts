import { isText } from '../../../user/profile.js';
import { writeDocument, type ConvertedOrg } from '../document-writer.js';
import type { Json } from '../json.js';
import { textIn } from '../json.js';
import type { Report } from '../report.js';
import { filesAt } from '../source-file.js';
import { clientsOf } from './clients.js';
import { policiesOf } from './policies.js';
import { providersOf } from './providers.js';
import { federatedUsersOf, readRealms, usersOf, type Realm } from './realm.js';
import { RoleBook } from './roles.js';
import { humanOf, metadataOf, tellFederated } from './users.js';

export interface KeycloakSource {
  /** Files of an export, or folders that hold one. */
  readonly paths: readonly string[];
  /** The realms to convert; none: all, but `master` only if there is no other. */
  readonly realms: readonly string[];
}

/**
 * A Keycloak export as the document that an import takes: each realm an organization with one project. Files are read several
 * times rather than kept.
 * @throws Error for files that cannot be read, or hold no such realm
 */
export async function* convertKeycloak({ paths, realms: wanted }: KeycloakSource, report: Report): AsyncGenerator<string> {
  const all = await readRealms(await filesAt(paths), report);
  const others = all.filter(({ name }) => name !== 'master');
  for (const name of wanted) if (!all.some((realm) => realm.name === name)) throw new Error(`There is no realm ${name} in these files, but ${all.map((realm) => realm.name).join(', ')}.`);
  const chosen = wanted.length > 0 ? all.filter(({ name }) => wanted.includes(name)) : others.length > 0 ? others : all;
  for (const { name } of all) if (!chosen.some((realm) => realm.name === name)) report.note('Realms that were not asked for', name);
  yield* writeDocument(chosen.map((realm) => toOrg(realm, report)), report);
}

function toOrg(realm: Realm, report: Report): ConvertedOrg {
  const { settings } = realm;
  const orgId = textIn(settings, 'id') || realm.name;
  const displayName = textIn(settings, 'displayName');
  const name = isText(displayName, 1) && displayName.trim() !== '' ? displayName : realm.name;
  const projectId = `${orgId}:realm`;
  const roles = new RoleBook(realm, report);
  const { oidcApps, apiApps, machineUsers, accounts } = clientsOf(realm, projectId, report);
  const { oidcIdps, idByAlias } = providersOf(realm, report);
  return {
    orgId,
    members: {
      org: { name }, orgState: settings['enabled'] === false ? 'ORG_STATE_INACTIVE' : 'ORG_STATE_ACTIVE', ...policiesOf(realm, report),
      projects: [{ projectId, project: { name: realm.name, projectRoleAssertion: true } }], projectRoles: roles.toEntries(projectId), oidcIdps, oidcApps, apiApps, machineUsers,
    },
    lists: [
      ['humanUsers', () => humansOf(realm, (user) => humanOf(user, idByAlias, report), report)],
      ['userGrants', () => grantsOf(realm, roles, accounts, projectId)],
      ['userMetadata', async function* () {
        for await (const user of usersOf(realm)) yield* metadataOf(user, report);
      }],
    ],
  };
}

async function* humansOf(realm: Realm, convert: (user: Json) => object, report: Report): AsyncGenerator<object> {
  for await (const user of usersOf(realm)) yield convert(user);
  for await (const user of federatedUsersOf(realm)) tellFederated(user, report);
}

async function* grantsOf(realm: Realm, roles: RoleBook, accounts: ReadonlyArray<readonly [string, Json]>, projectId: string): AsyncGenerator<object> {
  const grant = (userId: string, roleKeys: string[]): object[] => (roleKeys.length === 0 ? [] : [{ id: `${userId}:realm`, userId, projectId, roleKeys }]);
  for await (const user of usersOf(realm)) yield* grant(textIn(user, 'id') || textIn(user, 'username'), roles.keysOf(user));
  for (const [userId, account] of accounts) yield* grant(userId, roles.keysOf(account));
}
