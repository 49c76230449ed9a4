import type { Condition } from '../../../../foundation/database/condition.js';
import type { ListRequest } from '../../../../foundation/database/listing.js';
import type { Recorded } from '../../../../foundation/database/recorded.js';
import { type CredentialColumn, credentialWhere, type OfSomeOrg } from '../../../../user/credential-listing.js';
import type { Rights } from '../../../../user/permission/rights.js';
import { toRange } from '../../../kit/wire/list.dto.js';
import { type IdFilterV2, toMoment } from '../../kit/filter.dto.js';
import type { PersonalAccessTokenV2 } from './personal-access-token.dto.js';
import type { KeysSearchFilterV2, ListKeysRequestV2, UserKeyV2 } from './user-key.dto.js';

/*
 * Keys and tokens are found by the same columns, and shown in the same way.
 */

/** The organizations whose users the caller may read. */
export function readableOrgs(rights: Rights): readonly string[] | 'everywhere' {
  const places = rights.placesOf('user.read');
  return places === 'everywhere' ? places : places.orgIds;
}

/** A filter, whatever the object is called whose id it may name. */
interface CredentialFilter extends Omit<KeysSearchFilterV2, 'keyIdFilter'> {
  readonly keyIdFilter?: IdFilterV2;
  readonly tokenIdFilter?: IdFilterV2;
}

interface CredentialListRequest extends Omit<ListKeysRequestV2, 'sortingColumn' | 'filters'> {
  readonly sortingColumn?: CredentialColumn | 'unspecified';
  readonly filters: readonly CredentialFilter[];
}

/** @throws DomainError InvalidArgument for a filter of times without one */
export function toListRequest({
  pagination,
  sortingColumn = 'unspecified',
  filters,
}: CredentialListRequest): ListRequest<CredentialColumn> {
  return {
    ...toRange(pagination),
    sortBy: sortingColumn === 'unspecified' ? 'id' : sortingColumn,
    where: filters.flatMap((filter, place) => toConditions(filter, `filters[${place}]`)),
  };
}

function toConditions(filter: CredentialFilter, field: string): Condition[] {
  const { keyIdFilter, tokenIdFilter = keyIdFilter, userIdFilter, organizationIdFilter } = filter;
  const { createdDateFilter: created, expirationDateFilter: expires } = filter;
  return [
    ...(tokenIdFilter ? [credentialWhere.hasId(tokenIdFilter.id)] : []),
    ...(userIdFilter ? [credentialWhere.ofUser(userIdFilter.id)] : []),
    ...(organizationIdFilter ? [credentialWhere.ofOrg(organizationIdFilter.id)] : []),
    ...(created ? [credentialWhere.created(created.method, toMoment(created, `${field}.createdDateFilter`))] : []),
    ...(expires ? [credentialWhere.expires(expires.method, toMoment(expires, `${field}.expirationDateFilter`))] : []),
  ];
}

export function toListed({
  id,
  userId,
  orgId,
  creationDate,
  changeDate,
  expiresAt,
}: Recorded & OfSomeOrg & { readonly id: string; readonly userId: string; readonly expiresAt: Date }): UserKeyV2 &
  PersonalAccessTokenV2 {
  return { id, userId, organizationId: orgId, creationDate, changeDate, expirationDate: expiresAt };
}
