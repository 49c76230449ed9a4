import { toDefaultDomain } from '../../../org/domain-name.js';
import { isText } from '../../../user/profile.js';
import type { ConvertedOrg, Entry } from '../document.js';
import { writeDocument } from '../document-writer.js';
import { type PeopleSettings, UserNames } from '../people-settings.js';
import { Placeholders, type Variables } from '../placeholder.js';
import { Report } from '../report.js';
import { filesAt } from '../source-file.js';
import type { SourceObject } from '../source-object.js';
import { clientsOf } from './clients.js';
import { noteUndiscoverable, rpIdsOf } from './passkeys.js';
import { policiesOf } from './policies.js';
import { providersOf } from './providers.js';
import { federatedUsersOf, type Realm, readRealms, usersOf } from './realm.js';
import { RoleBook } from './roles.js';
import { humanOf, idOf, metadataOf, type UserContext } from './users.js';

export interface KeycloakSource {
  /** Files of an export, or folders that contain one. */
  readonly paths: readonly string[];
  /** The realms to convert. Empty for all; `master` is then included only if it is the only one. */
  readonly realms: readonly string[];
  /** Values for placeholders, if given. */
  readonly variables?: Variables | undefined;
  readonly people: PeopleSettings;
  /** The domain of passkeys, for realms that do not say it. */
  readonly rpId?: string | undefined;
}

/** Names every setting without a counterpart, since an operator goes through all of them. */
const ALL = 1_000;

/**
 * Converts a Keycloak export into a document to import: each realm becomes an organization with one project. Files are
 * read several times rather than kept in memory.
 * @throws Error for files that cannot be read or do not contain a requested realm
 */
export async function* convertKeycloak(
  { paths, realms: wanted, people, variables, rpId = '' }: KeycloakSource,
  report: Report,
): AsyncGenerator<string> {
  const placeholders = variables && new Placeholders(variables);
  const all = await readRealms(await filesAt(paths), placeholders, report);
  const others = all.filter(({ name }) => name !== 'master');
  for (const name of wanted) {
    if (all.some((realm) => realm.name === name)) continue;
    throw new Error(`There is no realm ${name} in these files, but ${all.map((realm) => realm.name).join(', ')}.`);
  }
  const chosen = wanted.length > 0 ? all.filter(({ name }) => wanted.includes(name)) : others.length > 0 ? others : all;
  for (const { name } of all)
    if (!chosen.some((realm) => realm.name === name)) report.note('Realms that were not selected', name);
  const names = new UserNames(people);
  const domains = new Set<string>();
  const orgs: ConvertedOrg[] = [];
  for (const realm of chosen)
    orgs.push(
      await toOrg(
        realm,
        orgNameOf(realm, domains, report),
        { names, settings: people, rpIds: rpIdsOf(realm, rpId) },
        report,
      ),
    );
  yield* writeDocument(orgs, report);
  names.checkUsed();
  for (const name of placeholders?.used.taken ?? []) report.note('Placeholders replaced by a variable', name);
  for (const name of placeholders?.used.defaulted ?? [])
    report.note(
      'Placeholders without a variable: replaced by their default, which everybody knows who has the file',
      name,
    );
}

/** The realm's display name, unless another realm has the same one: an organization gets its domain from its name. */
function orgNameOf({ name, settings }: Realm, domains: Set<string>, report: Report): string {
  const displayName = settings.caption('displayName');
  const shown = isText(displayName, 1) && displayName.trim() !== '' ? displayName : name;
  const domainOf = (orgName: string): string => toDefaultDomain(orgName, 'http://localhost');
  const isTaken = domains.has(domainOf(shown));
  const chosen = !isTaken ? shown : domains.has(domainOf(name)) ? `${shown} (${name})` : name;
  if (isTaken)
    report.note(
      'Realms with the display name of another one: the organization is named after the realm',
      `${name} ${shown}`,
    );
  domains.add(domainOf(chosen));
  return chosen;
}

async function toOrg(
  realm: Realm,
  name: string,
  people: Pick<UserContext, 'names' | 'settings' | 'rpIds'>,
  report: Report,
): Promise<ConvertedOrg> {
  const { settings } = realm;
  const { orgId } = realm;
  const projectId = `${orgId}:realm`;
  const roles = new RoleBook(realm, report);
  const { oidcApps, apiApps, machineUsers, accounts } = await clientsOf(realm, projectId, report);
  const { oidcIdps, idByAlias } = providersOf(realm, report);
  const policies = policiesOf(realm, people.settings.namesAtDomain, report);
  noteUndiscoverable(realm, report);
  const context: UserContext = { ...people, orgId, idByAlias, verifiesEmail: settings.flag('verifyEmail') };
  const orgState = settings.flag('enabled', true) ? 'active' : 'inactive';
  settings.ignore('realm', 'keycloakVersion');
  report.rest(settings, ALL);
  /** The later lists read the users again; the first pass has already reported everything about them. */
  const again = new Report('');
  return {
    about: { orgId, org: { name }, orgState },
    policies,
    shortLists: {
      projects: [{ projectId, project: { name: realm.name, projectRoleAssertion: true } }],
      oidcIdps,
      oidcApps,
      apiApps,
      machineUsers,
    },
    longLists: [
      [
        'humanUsers',
        async function* () {
          const before = report.count('humanUsers');
          for await (const user of usersOf(realm, report)) {
            yield humanOf(user, context, report);
            roles.keysOf(user);
            roles.groupsOf(user, report);
            metadataOf(user, idOf(user, orgId, again), report);
            report.rest(user);
          }
          for await (const userId of federatedUsersOf(realm))
            report.lose('Additions to users of an external directory: left out', userId);
          if (report.count('humanUsers') === before)
            report.lose('Realms without users: export them with kc.sh export --users realm_file', realm.name);
        },
      ],
      [
        'userGrants',
        async function* () {
          for await (const user of usersOf(realm, again))
            yield* grantOf(idOf(user, orgId, again), projectId, roles.keysOf(user));
          for (const [userId, account] of accounts) {
            yield* grantOf(userId, projectId, roles.keysOf(account));
            roles.groupsOf(account, report);
            noteAccount(account, report);
          }
        },
      ],
      // After the users, which may name roles that the realm does not define.
      [
        'projectRoles',
        async function* () {
          yield* await Promise.resolve(roles.toEntries(projectId));
        },
      ],
      [
        'groups',
        async function* () {
          yield* await Promise.resolve(roles.toGroups());
        },
      ],
      [
        'groupMembers',
        async function* () {
          for await (const user of usersOf(realm, again)) {
            const userId = idOf(user, orgId, again);
            for (const groupId of roles.groupsOf(user, again)) yield { groupId, userId };
          }
          for (const [userId, account] of accounts)
            for (const groupId of roles.groupsOf(account, again)) yield { groupId, userId };
        },
      ],
      [
        'groupGrants',
        async function* () {
          yield* await Promise.resolve(roles.toGroupGrants(projectId));
        },
      ],
      [
        'userMetadata',
        async function* () {
          for await (const user of usersOf(realm, again)) yield* metadataOf(user, idOf(user, orgId, again), again);
        },
      ],
    ],
  };
}

function grantOf(userId: string, projectId: string, roleKeys: string[]): Array<Entry<'userGrants'>> {
  return roleKeys.length === 0 ? [] : [{ id: `${userId}:realm`, userId, projectId, roleKeys }];
}

/** The client determines its name and whether it is active. */
function noteAccount(account: SourceObject, report: Report): void {
  account.ignore(
    'username',
    'enabled',
    'emailVerified',
    'createdTimestamp',
    'serviceAccountClientId',
    'totp',
    'disableableCredentialTypes',
    'notBefore',
    'access',
    'origin',
    'self',
  );
  report.rest(account);
}
