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
import { Idp } from './idp.entity.js';

export type FoundIdp = Omit<Idp, 'clientSecret' | 'secretSettings'>;
export type IdpColumn = 'id' | 'name';

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

/** Lists providers, without the data that only a sign-in needs. */
@Injectable()
export class IdpSearch {
  constructor(private readonly database: Database) {}

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
