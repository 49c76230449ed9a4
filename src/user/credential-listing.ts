import { type Condition, equals, isOneOf, type MomentMatch, momentMatches } from '../foundation/database/condition.js';
import type { ListingSql, ListRequest } from '../foundation/database/listing.js';

/** What lists of the keys or tokens of all service users are sorted by. */
export type CredentialColumn = 'id' | 'creationDate' | 'userId' | 'orgId' | 'expiresAt';

/** The organization of the user whose credential it is. */
export interface OfSomeOrg {
  readonly orgId: string;
}

/** A list of the rows `c` of such a table with their users `u`. */
export function credentialSql(
  table: 'machine_key' | 'personal_access_token',
  columns: string,
): ListingSql<CredentialColumn> {
  return {
    select: `${columns}, u.org_id AS "orgId"`,
    from: `${table} c JOIN user_account u ON u.id = c.user_id`,
    key: 'c.id',
    sort: {
      id: 'c.id',
      creationDate: 'c.creation_date',
      userId: 'c.user_id',
      orgId: 'u.org_id',
      expiresAt: 'c.expires_at',
    },
  };
}

/** The request for those of users of these organizations. */
export function within(
  orgIds: readonly string[] | 'everywhere',
  request: ListRequest<CredentialColumn>,
): ListRequest<CredentialColumn> {
  return orgIds === 'everywhere' ? request : { ...request, where: [isOneOf('u.org_id', orgIds), ...request.where] };
}

/** Filters for such a list. */
export const credentialWhere = {
  hasId: (id: string): Condition => equals('c.id', id),
  ofUser: (userId: string): Condition => equals('c.user_id', userId),
  ofOrg: (orgId: string): Condition => equals('u.org_id', orgId),
  created: (how: MomentMatch, at: Date): Condition => momentMatches('c.creation_date', how, at),
  expires: (how: MomentMatch, at: Date): Condition => momentMatches('c.expires_at', how, at),
} as const;
