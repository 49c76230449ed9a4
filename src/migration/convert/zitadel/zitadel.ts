import { forEach, textOf } from '../../part/part.js';
import type { ConvertedOrg, Entry } from '../document.js';
import { writeDocument } from '../document-writer.js';
import { toMetadataEntry } from '../metadata.js';
import { type PeopleSettings, UserNames } from '../people-settings.js';
import type { Report } from '../report.js';
import { AppReader } from './apps.js';
import { groupMembersOf, groupsOf } from './groups.js';
import { humansOf, linksOf, USERS, usersOf } from './humans.js';
import { Keyring } from './keyring.js';
import type { TableFacts } from './layout.js';
import { machineKeysOf, machinesOf } from './machines.js';
import { domainsOf, metadataOf, orgsOf } from './orgs.js';
import { PolicyReader } from './policies.js';
import { ProjectReader } from './projects.js';
import { ProviderReader } from './providers.js';
import { reportRest } from './rest.js';
import type { Instance, Source, SourceOrg } from './source.js';
import { SourceDatabase } from './source-database.js';
import { TextReader } from './texts.js';

export interface ZitadelSource {
  /** `postgres://…`; a password may be in it, or come from where `pg` looks for one. */
  readonly databaseUrl: string;
  /** Opens what the source has sealed; without it that is left out. */
  readonly masterKey: string | undefined;
  /** The instance to convert; empty if the database has only one. */
  readonly instanceId: string;
  /** The organizations to convert; empty for all. */
  readonly orgIds: readonly string[];
  /** The domain of passkeys that do not name theirs; empty for the primary domain of the instance. */
  readonly rpId: string;
  /** Identity providers that were set up at the target, by their ids at the source. */
  readonly providers: ReadonlyMap<string, string>;
  /** The extensions that the target has loaded. */
  readonly extensions: readonly string[];
  /** Whether the policies and texts of the instance are written to its organizations, where they are in force. */
  readonly inherits: boolean;
  readonly people: PeopleSettings;
}

/** A value may have half a megabyte. */
const VALUES_AT_ONCE = 50;
const INSTANCES: TableFacts = {
  table: 'instances',
  needs: ['id', 'default_org_id', 'iam_project_id'],
  may: ['name', 'console_client_id', 'console_app_id', 'default_language'],
};
const INSTANCE_DOMAINS: TableFacts = {
  table: 'instance_domains',
  needs: ['instance_id', 'domain', 'is_primary'],
  may: ['is_generated'],
};
const USER_METADATA: TableFacts = {
  table: 'user_metadata',
  needs: ['user_id', 'instance_id', 'resource_owner', 'key', 'value'],
};

/**
 * Converts an instance in a database of ZITADEL into a document to import. It is read at one moment, and not written
 * to.
 *
 * @throws Error if it cannot be read, or lacks what is needed
 */
export async function* convertZitadel(given: ZitadelSource, report: Report): AsyncGenerator<string> {
  const database = await SourceDatabase.open(given.databaseUrl);
  try {
    const source: Source = {
      database,
      instance: await instanceIn(database, given),
      keyring: await Keyring.open(database, given.masterKey),
      people: given.people,
      names: new UserNames(given.people),
      extensions: new Set(given.extensions),
      report,
    };
    yield* writeDocument(orgsIn(source, given), report);
    source.names.checkUsed();
    await reportRest(source);
  } finally {
    await database.close();
  }
}

async function* orgsIn(source: Source, given: ZitadelSource): AsyncGenerator<ConvertedOrg> {
  const orgs = await orgsOf(source, given.orgIds);
  const providers = await ProviderReader.open(source, given.providers, given.inherits);
  const readers = {
    policies: new PolicyReader(source, given.inherits),
    texts: new TextReader(source, given.inherits),
    projects: new ProjectReader(source, new Set(orgs.map(({ id }) => id)), given.orgIds.length === 0),
    apps: new AppReader(source),
    providers,
  };
  await readers.projects.reportInstanceMembers();
  if (given.inherits)
    source.report.note(
      'Policies and texts of the instance: written to each organization that has none of its own. Set them at the instance as well, for pages that do not know the organization yet',
      source.instance.id,
    );
  for (const org of orgs) yield await toOrg(org, source, readers);
}

interface Readers {
  readonly policies: PolicyReader;
  readonly texts: TextReader;
  readonly projects: ProjectReader;
  readonly apps: AppReader;
  readonly providers: ProviderReader;
}

async function toOrg(org: SourceOrg, source: Source, readers: Readers): Promise<ConvertedOrg> {
  const { projects, apps } = readers;
  const providers = await readers.providers.of(org);
  const saml = await apps.samlAppsOf(org);
  return {
    about: { orgId: org.id, org: { name: org.name }, orgState: org.isActive ? 'active' : 'inactive' },
    policies: await readers.policies.policiesOf(org, providers),
    shortLists: {
      domains: await domainsOf(source, org),
      orgMetadata: await metadataOf(source, org),
      oidcIdps: providers.oidcIdps,
      jwtIdps: providers.jwtIdps,
      extensionIdps: providers.extensionIdps,
      projects: await projects.projectsOf(org),
      extensionApps: saml.apps,
      ...(await readers.texts.of(org)),
    },
    longLists: [
      ['projectRoles', () => projects.rolesOf(org)],
      ['oidcApps', () => apps.oidcAppsOf(org)],
      ['apiApps', () => apps.apiAppsOf(org)],
      ['appKeys', () => apps.keysOf(org)],
      ['humanUsers', () => humansOf(source, org, providers)],
      ['machineUsers', () => machinesOf(source, org)],
      ['machineKeys', () => machineKeysOf(source, org)],
      ['userLinks', () => linksOf(source, org, providers)],
      ['userMetadata', () => userMetadataOf(source, org)],
      ['groups', () => groupsOf(source, org)],
      ['groupMembers', () => groupMembersOf(source, org)],
      ['projectGrants', () => projects.grantsOf(org)],
      ['userGrants', () => projects.userGrantsOf(org)],
      ['orgMembers', () => projects.orgMembersOf(org)],
      ['projectMembers', () => projects.projectMembersOf(org)],
      ['projectGrantMembers', () => projects.grantMembersOf(org)],
    ],
    extensions: saml.rows.length === 0 ? undefined : { saml: { application: saml.rows } },
  };
}

async function instanceIn(database: SourceDatabase, { instanceId, rpId }: ZitadelSource): Promise<Instance> {
  const { name, columns } = database.layout.find(INSTANCES);
  const rows = await database.all(`SELECT ${columns('i')} FROM ${name} i ORDER BY i.id`);
  const chosen = instanceId === '' ? rows : rows.filter((row) => textOf(row, 'id') === instanceId);
  const [row, another] = chosen;
  const ids = rows.map((one) => textOf(one, 'id')).join(', ');
  if (!row)
    throw new Error(
      rows.length === 0
        ? 'There is no instance in this database.'
        : `There is no instance ${instanceId} in this database, but ${ids}.`,
    );
  if (another) throw new Error(`There are several instances in this database: choose one with --instance (${ids}).`);
  const id = textOf(row, 'id');
  return {
    id,
    defaultOrgId: textOf(row, 'default_org_id'),
    systemProjectId: textOf(row, 'iam_project_id'),
    rpId: rpId || (await primaryDomainOf(database, id)),
  };
}

/** Without a port: a passkey belongs to the name alone. */
async function primaryDomainOf(database: SourceDatabase, id: string): Promise<string> {
  const found = database.layout.findIfAny(INSTANCE_DOMAINS);
  if (!found) return '';
  const [row] = await database.all(
    `SELECT domain FROM ${found.name} WHERE instance_id = :id AND is_primary ORDER BY domain LIMIT 1`,
    { id },
  );
  return row ? textOf(row, 'domain').replace(/:\d+$/, '') : '';
}

async function* userMetadataOf(
  { database, instance, report }: Source,
  org: SourceOrg,
): AsyncGenerator<Entry<'userMetadata'>> {
  const found = database.layout.findIfAny(USER_METADATA);
  if (!found) return;
  const users = database.layout.find(USERS);
  const sql = `SELECT m.*
    FROM ${usersOf(users)} u
      ${forEach(`SELECT ${found.columns('m')} FROM ${found.name} m WHERE m.instance_id = :instanceId AND m.user_id = u.id`)} m
    ORDER BY u.id, m.key`;
  for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id }, VALUES_AT_ONCE)) {
    const value = row['value'];
    const entry = toMetadataEntry(
      textOf(row, 'user_id'),
      textOf(row, 'key'),
      Buffer.isBuffer(value) ? value : '',
      report,
    );
    if (entry) yield entry;
  }
}
