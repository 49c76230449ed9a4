import { jwtViolations, oidcViolations } from '../../../idp/idp-rules.js';
import { type Stored, textOf } from '../../part/part.js';
import type { Entry } from '../document.js';
import { madeId } from '../made-id.js';
import type { TableFacts } from './layout.js';
import { optionsOf, PROVIDER_KINDS, type ProviderKind, type ProviderRow, type Settings } from './provider-kinds.js';
import { ACTIVE, numberOf, type Source, type SourceOrg, wordOf } from './source.js';

/** The providers of one organization of the document. */
export interface OrgProviders {
  readonly oidcIdps: ReadonlyArray<Entry<'oidcIdps'>>;
  readonly jwtIdps: ReadonlyArray<Entry<'jwtIdps'>>;
  readonly extensionIdps: ReadonlyArray<Entry<'extensionIdps'>>;
  /** The ids of those that its login policy offers. */
  readonly offered: readonly string[];
  /** Where a link to a provider of the source leads; undefined if nowhere. */
  linkTo(idpId: string, subject: string): { readonly idpId: string; readonly subject: string } | undefined;
}

interface Provider {
  readonly id: string;
  readonly name: string;
  readonly isOfInstance: boolean;
  readonly orgId: string;
  readonly state: 'active' | 'inactive';
  readonly row: ProviderRow;
  readonly kind: ProviderKind;
  readonly settings: Settings;
}

const TEMPLATES: TableFacts = {
  table: 'idp_templates',
  needs: ['id', 'instance_id', 'resource_owner', 'state', 'name', 'type'],
  may: [
    'owner_type',
    'is_creation_allowed',
    'is_linking_allowed',
    'is_auto_creation',
    'is_auto_update',
    'auto_linking',
  ],
};
const OFFERED: TableFacts = {
  table: 'idp_login_policy_links',
  needs: ['idp_id', 'aggregate_id', 'instance_id'],
  may: ['provider_type'],
};
export const LINKS: TableFacts = {
  table: 'idp_user_links',
  needs: ['idp_id', 'user_id', 'external_user_id', 'instance_id', 'resource_owner', 'display_name'],
  may: ['creation_date'],
};
const LOGIN_POLICIES: TableFacts = { table: 'login_policies', needs: ['aggregate_id', 'instance_id'] };

const REMOVED = 3;
const MAX_NAME_CHARACTERS = 200;

/** The identity providers of an instance. */
export class ProviderReader {
  private readonly providers = new Map<string, Provider>();
  /** Providers of the instance that are written into an organization, which keep their id in the first one. */
  private readonly copied = new Set<string>();

  private constructor(
    private readonly source: Source,
    private readonly mapped: ReadonlyMap<string, string>,
    private readonly inherits: boolean,
  ) {}

  /**
   * @param mapped the ids of providers that the operator has set up at the target, by their ids at the source
   * @param inherits whether the login policy of the instance is written to its organizations
   */
  static async open(source: Source, mapped: ReadonlyMap<string, string>, inherits: boolean): Promise<ProviderReader> {
    const reader = new ProviderReader(source, mapped, inherits);
    await reader.readAll();
    return reader;
  }

  async of(org: SourceOrg): Promise<OrgProviders> {
    const { report } = this.source;
    const offered = await this.offeredIn(org);
    const linked = await this.linkedIn(org);
    const wanted = new Set([...offered, ...linked]);
    const idOf = new Map<string, string>();
    const lists = { oidcIdps: [], jwtIdps: [], extensionIdps: [] } as {
      oidcIdps: Array<Entry<'oidcIdps'>>;
      jwtIdps: Array<Entry<'jwtIdps'>>;
      extensionIdps: Array<Entry<'extensionIdps'>>;
    };
    const names = new Set<string>();
    for (const provider of this.providers.values()) {
      if (provider.isOfInstance ? !wanted.has(provider.id) : provider.orgId !== org.id) continue;
      const idpId = this.idIn(provider, org);
      idOf.set(provider.id, idpId);
      push(lists, idpId, provider, names);
      if (provider.isOfInstance && offered.includes(provider.id))
        report.lose(
          'Identity providers of the instance: they are now of each organization, so the sign-in page offers them only once it knows the organization. ' +
            'Set them up at the instance and convert again with --provider OLD=NEW to keep them on the first page',
          `${provider.id} ${provider.name}`,
        );
    }
    const idAt = (id: string): string | undefined => this.mapped.get(id) ?? idOf.get(id);
    return {
      ...lists,
      offered: offered.flatMap((id) => idAt(id) ?? []),
      linkTo: (id, subject) => {
        const idpId = idAt(id);
        if (idpId === undefined) return undefined;
        const provider = this.providers.get(id);
        return { idpId, subject: provider?.kind.subjectOf?.(subject, provider.row) ?? subject };
      },
    };
  }

  private idIn({ id, isOfInstance }: Provider, org: SourceOrg): string {
    if (!isOfInstance) return id;
    if (this.copied.has(id)) return madeId('zitadel', org.id, id);
    this.copied.add(id);
    return id;
  }

  private async readAll(): Promise<void> {
    const { database, instance, report } = this.source;
    const found = database.layout.findIfAny(TEMPLATES);
    if (!found) return;
    const rows = await database.all(
      `SELECT ${found.columns('t')} FROM ${found.name} t WHERE t.instance_id = :instanceId AND t.state < ${REMOVED} ORDER BY t.id`,
      { instanceId: instance.id },
    );
    for (const row of rows) {
      const [id, name] = [textOf(row, 'id'), textOf(row, 'name')];
      if (this.mapped.has(id)) {
        report.note('Identity providers that were set up at the target: links lead to those', `${id} ${name}`);
        continue;
      }
      const provider = await this.toProvider(row);
      if (typeof provider === 'string')
        report.lose(`Identity providers that ${provider}: left out with their links`, `${id} ${name}`);
      else this.providers.set(id, provider);
    }
  }

  private async toProvider(common: Stored): Promise<Provider | string> {
    const { database, instance, report, extensions } = this.source;
    const id = textOf(common, 'id');
    const kind = PROVIDER_KINDS[numberOf(common['type'])];
    const found = kind && database.layout.findIfAny(kind.facts);
    const [own] = found
      ? await database.all(
          `SELECT ${found.columns('k')} FROM ${found.name} k WHERE k.instance_id = :instanceId AND k.idp_id = :id`,
          { instanceId: instance.id, id },
        )
      : [];
    if (!kind || !own) return 'are of a kind without a counterpart';
    const row = { common, own, secret: (column: string) => this.secretIn(own[column]) };
    const settings = kind.convert(row, extensions);
    const problem = typeof settings === 'string' ? settings : problemOf(settings);
    if (problem !== undefined || typeof settings === 'string') return problem ?? '';
    const name = textOf(common, 'name').trim() || kind.name;
    for (const column of kind.secrets)
      if (row.secret(column) === '')
        report.lose(
          `Identity providers whose secret is sealed${this.source.keyring.isThere ? ' by another key' : ': give the master key'}; set it`,
          `${id} ${name}`,
        );
    return {
      id,
      name: [...name].slice(0, MAX_NAME_CHARACTERS).join(''),
      isOfInstance: textOf(common, 'resource_owner') === instance.id,
      orgId: textOf(common, 'resource_owner'),
      state: wordOf(ACTIVE, common['state']) ?? 'active',
      row,
      kind,
      settings,
    };
  }

  private secretIn(sealed: unknown): string {
    return this.source.keyring.textIn(sealed) ?? '';
  }

  /** The providers that its login policy offers: its own, or that of the instance. */
  private async offeredIn({ id }: SourceOrg): Promise<readonly string[]> {
    const { database, instance } = this.source;
    const links = database.layout.findIfAny(OFFERED);
    const policies = database.layout.findIfAny(LOGIN_POLICIES);
    if (!links || !policies) return [];
    const [own] = await database.all(
      `SELECT 1 FROM ${policies.name} WHERE instance_id = :instanceId AND aggregate_id = :id`,
      { instanceId: instance.id, id },
    );
    if (!own && !this.inherits) return [];
    const rows = await database.all(
      `SELECT idp_id FROM ${links.name} WHERE instance_id = :instanceId AND aggregate_id = :ownerId ORDER BY idp_id`,
      { instanceId: instance.id, ownerId: own ? id : instance.id },
    );
    return rows.map((row) => textOf(row, 'idp_id'));
  }

  private async linkedIn({ id }: SourceOrg): Promise<readonly string[]> {
    const { database, instance } = this.source;
    const links = database.layout.findIfAny(LINKS);
    if (!links) return [];
    const rows = await database.all(
      `SELECT DISTINCT idp_id FROM ${links.name} WHERE instance_id = :instanceId AND resource_owner = :id`,
      { instanceId: instance.id, id },
    );
    return rows.map((row) => textOf(row, 'idp_id'));
  }
}

function push(
  lists: {
    readonly oidcIdps: Array<Entry<'oidcIdps'>>;
    readonly jwtIdps: Array<Entry<'jwtIdps'>>;
    readonly extensionIdps: Array<Entry<'extensionIdps'>>;
  },
  idpId: string,
  { name: given, settings, row, state }: Provider,
  names: Set<string>,
): void {
  const name = names.has(given) ? `${given} (${idpId})` : given;
  names.add(name);
  const options = optionsOf(row.common);
  if (settings.list === 'oidcIdps') lists.oidcIdps.push({ idpId, state, idp: { name, ...settings.idp, ...options } });
  else if (settings.list === 'jwtIdps')
    lists.jwtIdps.push({ idpId, state, idp: { name, ...settings.idp, ...options } });
  else lists.extensionIdps.push({ idpId, state, idp: { name, ...settings.idp, ...options } });
}

/** What the import would refuse. */
function problemOf(settings: Settings): string | undefined {
  const rules = { production: false };
  const mappings = { displayNameMapping: 'unspecified', usernameMapping: 'unspecified' } as const;
  if (settings.list === 'oidcIdps') {
    const { issuer = '', clientId = '', scopes = [] } = settings.idp;
    const [wrong] = oidcViolations({ issuer, clientId, scopes: [...scopes], ...mappings }, rules);
    return wrong && `have settings that are not valid here (${wrong.field})`;
  }
  if (settings.list === 'jwtIdps') {
    const { issuer = '', jwtEndpoint = '', keysEndpoint = '', headerName = '' } = settings.idp;
    const [wrong] = jwtViolations({ issuer, jwtEndpoint, keysEndpoint, headerName: headerName || 'x' }, rules);
    return wrong && `have settings that are not valid here (${wrong.field})`;
  }
  return undefined;
}
