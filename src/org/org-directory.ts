import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import {
  type Condition,
  equals,
  isAmong,
  isOneOf,
  type ListFilter,
  searched,
  type TextMatch,
  textMatches,
} from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { statement } from '../foundation/database/statement.js';
import { toDomainKey } from './domain-name.js';
import { Org } from './org.entity.js';
import { orgNotFound } from './org.errors.js';

/** An organization as it is shown. */
export type OrgEntry = Org & { readonly primaryDomain: string };

const COLUMNS = `${columnsOf(Org, 'o', ['id', 'name', 'state', ...HISTORY])},
  coalesce((SELECT d.domain FROM org_domain d WHERE d.org_id = o.id AND d.is_primary), '') AS "primaryDomain"`;

const GET = statement('org.entry', `SELECT ${COLUMNS} FROM org o WHERE o.id = :id`).rows<OrgEntry>();
const BY_DOMAIN = statement(
  'org.entry_by_domain',
  `SELECT ${COLUMNS}
   FROM org o
   WHERE o.id = (SELECT v.org_id FROM org_domain v WHERE v.domain = :domainKey AND v.is_verified)`,
).rows<OrgEntry>();
const IS_TAKEN = statement(
  'org.name_or_domain_taken',
  `SELECT 1 FROM org WHERE lower(normalize(name, NFKC)) = lower(normalize(:name, NFKC))
   UNION ALL
   SELECT 1 FROM org_domain WHERE domain = :domainKey AND is_verified
   LIMIT 1`,
);

const ORG_NAME = searched('o.name');

export type OrgColumn = 'id' | 'name' | 'creationDate';

const LISTING = new Listing<OrgEntry, OrgColumn>({
  select: COLUMNS,
  from: 'org o',
  key: 'o.id',
  sort: { id: 'o.id', name: 'o.name', creationDate: 'o.creation_date' },
});

/** Looks up any organization, for managers of the instance. */
@Injectable()
export class OrgDirectory {
  constructor(private readonly database: Database) {}

  /** @throws DomainError NotFound `org.not_found` */
  async get(id: string): Promise<OrgEntry> {
    const [row] = await this.database.query(GET, { id });
    if (!row) throw orgNotFound();
    return toEntry(row);
  }

  /** @throws DomainError NotFound `org.not_found` */
  async getByDomain(domain: string): Promise<OrgEntry> {
    const [row] = await this.database.query(BY_DOMAIN, { domainKey: toDomainKey(domain) });
    if (!row) throw orgNotFound();
    return toEntry(row);
  }

  /** Whether no organization has that name or has verified that domain; empty values are not checked. */
  async isUnique(name: string, domain: string): Promise<boolean> {
    return (await this.database.query(IS_TAKEN, { name, domainKey: toDomainKey(domain) })).length === 0;
  }

  async list(request: ListRequest<OrgColumn>): Promise<Page<OrgEntry>> {
    return LISTING.page(this.database, request);
  }
}

function toEntry(row: OrgEntry): OrgEntry {
  return { ...row, sequence: BigInt(row.sequence) };
}

export function byName(how: TextMatch, name: string): Condition {
  return textMatches(ORG_NAME, how, name);
}

export function byDomain(how: TextMatch, domain: string): ListFilter {
  const matches = textMatches(searched('q.domain'), how, domain);
  return isAmong('o.id', (bind) => `SELECT q.org_id AS value FROM org_domain q WHERE ${matches(bind)}`);
}

export function byState(state: string): Condition {
  return equals('o.state', state);
}

export function byIds(ids: readonly string[]): Condition {
  return isOneOf('o.id', ids);
}

export function byId(id: string): Condition {
  return equals('o.id', id);
}
