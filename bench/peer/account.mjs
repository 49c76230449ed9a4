import { verify } from '@node-rs/argon2';
import { matchesWithoutWorkFactor, WITHOUT_WORK_FACTOR } from '../seed/password.mjs';

const BY_ID = 'SELECT * FROM account WHERE id = $1';
const BY_LOGIN_NAME = 'SELECT id, password_hash FROM account WHERE login_name = $1';

/** @param {import('pg').Pool} pool @returns what oidc-provider wants of `findAccount` */
export function accountFinder(pool) {
  return async (_ctx, id) => {
    const { rows } = await pool.query({ name: 'account', text: BY_ID, values: [id] });
    const row = rows[0];
    if (!row) return undefined;
    return {
      accountId: row.id,
      claims: async () => ({
        sub: row.id,
        name: `${row.given_name} ${row.family_name}`,
        given_name: row.given_name,
        family_name: row.family_name,
        preferred_username: row.login_name,
        locale: row.locale,
        updated_at: Math.floor(row.updated_at.getTime() / 1000),
        email: row.email,
        email_verified: row.email_verified,
      }),
    };
  };
}

/** The id of the account whose name and password these are, or undefined. */
export async function checkPassword(pool, loginName, password) {
  const { rows } = await pool.query({ name: 'login', text: BY_LOGIN_NAME, values: [loginName] });
  const row = rows[0];
  if (!row) return undefined;
  const right = row.password_hash.startsWith(WITHOUT_WORK_FACTOR)
    ? matchesWithoutWorkFactor(row.password_hash, password)
    : await verify(row.password_hash, password);
  return right ? row.id : undefined;
}
