import type { UserSearch } from '../../../user/user-search.js';
import { toLeaf, toSearchTree } from '../../user/user.mapping.js';
import type { UserSearchQueryV2 } from './user-search.dto.js';

/** @throws DomainError InvalidArgument for conditions that are nested too deep, or too many */
export function toSearchesV2(queries: readonly UserSearchQueryV2[]): UserSearch[] {
  return toSearchTree(queries, toLeafV2);
}

function toLeafV2(query: UserSearchQueryV2): UserSearch {
  const { organizationIdQuery, phoneQuery, stateQuery, orQuery: _or, andQuery: _and, notQuery: _not, ...same } = query;
  if (organizationIdQuery) return { by: 'org', id: organizationIdQuery.organizationId };
  if (phoneQuery) return { by: 'phoneText', how: phoneQuery.method, text: phoneQuery.number };
  if (stateQuery) return { by: 'state', is: stateQuery.state };
  return toLeaf(same);
}
