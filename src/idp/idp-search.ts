import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import {
  type Condition,
  equals,
  isOneOf,
  searched,
  type TextMatch,
  textMatches,
} from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { Listing, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { statement } from '../foundation/database/statement.js';
import { Idp } from './idp.entity.js';

export type FoundIdp = Omit<Idp, 'clientSecret' | 'secretSettings'>;
export type IdpColumn = 'id' | 'name';

/** A provider, with what decides whether its users get in. */
export type NamedIdp = Pick<
  Idp,
  'id' | 'ownerId' | 'name' | 'state' | 'autoRegister' | 'isLinkingAllowed' | 'isCreationAllowed'
>;

/** All given filters must match. */
export interface IdpFilter {
  readonly id?: string;
  readonly name?: { readonly text: string; readonly how: TextMatch };
  readonly ownerId?: string;
}

const LISTING = new Listing<FoundIdp & { sequence: string }, IdpColumn>({
  select: columnsOf(Idp, 'i', [
    'id',
    'ownerId',
    'name',
    'state',
    'stylingType',
    'autoRegister',
    'isLinkingAllowed',
    'isCreationAllowed',
    'isAutoUpdate',
    'autoLinking',
    'type',
    'issuer',
    'clientId',
    'scopes',
    'displayNameMapping',
    'usernameMapping',
    'jwtEndpoint',
    'keysEndpoint',
    'headerName',
    'settings',
    ...HISTORY,
  ]),
  from: 'idp i',
  key: 'i.id',
  sort: { id: 'i.id', name: 'i.name' },
});

const NAMED = statement(
  'idp.named',
  `SELECT ${columnsOf(Idp, 'i', ['id', 'ownerId', 'name', 'state', 'autoRegister', 'isLinkingAllowed', 'isCreationAllowed'])}
   FROM idp i
   WHERE i.owner_id = ANY (:ownerIds) AND (i.id = :named OR i.name = :named)
   ORDER BY i.id
   LIMIT 10`,
).rows<NamedIdp>();

/** Lists providers, without the data that only a sign-in needs. */
@Injectable()
export class IdpSearch {
  constructor(private readonly database: Database) {}

  /** Those of these owners with this id or name. */
  async findNamed(ownerIds: readonly string[], named: string): Promise<NamedIdp[]> {
    return this.database.query(NAMED, { ownerIds, named });
  }

  /** Providers of these owners. */
  async find(
    ownerIds: readonly string[],
    filters: readonly IdpFilter[],
    range: { readonly offset: bigint; readonly limit: number; readonly ascending: boolean; readonly sortBy: IdpColumn },
  ): Promise<Page<FoundIdp>> {
    const page = await LISTING.page(this.database, {
      ...range,
      where: [isOneOf('i.owner_id', ownerIds), ...filters.flatMap(toConditions)],
    });
    return { ...page, rows: page.rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) })) };
  }
}

function toConditions({ id, name, ownerId }: IdpFilter): Condition[] {
  return [
    ...(id === undefined ? [] : [equals('i.id', id)]),
    ...(name === undefined ? [] : [textMatches(searched('i.name'), name.how, name.text)]),
    ...(ownerId === undefined ? [] : [equals('i.owner_id', ownerId)]),
  ];
}
