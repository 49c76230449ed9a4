import { parseForeignDomain } from '../../../org/domain-name.js';
import { flagOf, textOf } from '../../part/part.js';
import type { Entry } from '../document.js';
import type { TableFacts } from './layout.js';
import { numberOf, type Source, type SourceOrg } from './source.js';

export const ORGS: TableFacts = {
  table: 'orgs',
  needs: ['id', 'instance_id', 'org_state', 'name'],
  may: ['primary_domain'],
};
const DOMAINS: TableFacts = {
  table: 'org_domains',
  needs: ['org_id', 'instance_id', 'domain', 'is_verified', 'is_primary'],
  may: ['validation_type'],
};
const METADATA: TableFacts = { table: 'org_metadata', needs: ['org_id', 'instance_id', 'key', 'value'] };

const ACTIVE = 1;
const MAX_KEY_CHARACTERS = 200;
const MAX_VALUE_BYTES = 500_000;

/**
 * The organizations that are converted, the default one first. @throws Error if one that is wanted is not there
 *
 * @param wanted their ids; empty for all
 */
export async function orgsOf({ database, instance, report }: Source, wanted: readonly string[]): Promise<SourceOrg[]> {
  const { name, columns } = database.layout.find(ORGS);
  const rows = await database.all(
    `SELECT ${columns('o')} FROM ${name} o WHERE o.instance_id = :instanceId AND o.org_state IN (1, 2) ORDER BY o.id`,
    { instanceId: instance.id },
  );
  const all = rows.map((row) => ({
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    isActive: numberOf(row['org_state']) === ACTIVE,
  }));
  for (const id of wanted) {
    if (all.some((org) => org.id === id)) continue;
    throw new Error(`There is no organization ${id} in this database.`);
  }
  const isChosen = ({ id }: SourceOrg): boolean => wanted.length === 0 || wanted.includes(id);
  for (const org of all)
    if (!isChosen(org)) report.note('Organizations that were not selected', `${org.id} ${org.name}`);
  const chosen = all.filter(isChosen);
  if (chosen.length === 0) throw new Error('There are no organizations in this database.');
  const first = chosen.find(({ id }) => id === instance.defaultOrgId);
  return first ? [first, ...chosen.filter((org) => org !== first)] : chosen;
}

export async function domainsOf(
  { database, instance, report }: Source,
  org: SourceOrg,
): Promise<Array<Entry<'domains'>>> {
  const { name, columns } = database.layout.find(DOMAINS);
  const rows = await database.all(
    `SELECT ${columns('d')} FROM ${name} d WHERE d.instance_id = :instanceId AND d.org_id = :orgId ORDER BY d.domain`,
    { instanceId: instance.id, orgId: org.id },
  );
  return rows.flatMap((row) => {
    const domainName = textOf(row, 'domain');
    if (parseForeignDomain(domainName) === undefined) {
      report.lose('Domains of organizations that are not valid here: left out', `${org.name} ${domainName}`);
      return [];
    }
    const isVerified = flagOf(row, 'is_verified');
    return [{ orgId: org.id, domainName, isVerified, isPrimary: isVerified && flagOf(row, 'is_primary') }];
  });
}

export async function metadataOf(
  { database, instance, report }: Source,
  org: SourceOrg,
): Promise<Array<Entry<'orgMetadata'>>> {
  const found = database.layout.findIfAny(METADATA);
  if (!found) return [];
  const rows = await database.all(
    `SELECT ${found.columns('m')} FROM ${found.name} m WHERE m.instance_id = :instanceId AND m.org_id = :orgId ORDER BY m.key`,
    { instanceId: instance.id, orgId: org.id },
  );
  return rows.flatMap((row) => {
    const [key, value] = [textOf(row, 'key'), row['value']];
    const isKept =
      key !== '' &&
      [...key].length <= MAX_KEY_CHARACTERS &&
      Buffer.isBuffer(value) &&
      value.length > 0 &&
      value.length <= MAX_VALUE_BYTES;
    if (!isKept) report.note('Metadata of organizations that is empty or too long: left out', `${org.name} ${key}`);
    return isKept ? [{ key, value }] : [];
  });
}
