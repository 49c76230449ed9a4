import { SHARED_USER_COLUMNS, type SharedUserFacts } from './user-columns.js';

/** What tokens, claims and pages say about a user. */
export interface UserFacts extends SharedUserFacts {
  readonly userId: string;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  readonly userEpoch: number;
  readonly orgName: string;
  readonly orgDomain: string | null;
}

/** The SQL expression of each fact, in a SELECT from `user_account u` joined with `USER_JOINS`. */
const EXPRESSIONS: Readonly<Record<keyof UserFacts, string>> = {
  userId: 'u.id',
  ...SHARED_USER_COLUMNS,
  updatedAt: 'floor(extract(epoch FROM u.change_date))',
  userEpoch: 'u.token_epoch',
  orgName: 'uo.name',
  orgDomain: 'ud.domain',
};

/** The facts as columns. */
export const USER_COLUMNS = Object.entries(EXPRESSIONS)
  .map(([name, expression]) => `${expression} AS "${name}"`)
  .join(', ');

/** The facts as the arguments of `json_build_object`: one column costs the driver a third less than thirty do. */
export const USER_MEMBERS = Object.entries(EXPRESSIONS)
  .map(([name, expression]) => `'${name}', ${expression}`)
  .join(', ');

/** The user's organization, which must be active, and its primary domain. */
export const USER_JOINS = `JOIN org uo ON uo.id = u.org_id AND uo.state = 'active'
  LEFT JOIN org_domain ud ON ud.org_id = u.org_id AND ud.is_primary`;
