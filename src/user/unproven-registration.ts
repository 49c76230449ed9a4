import { type Queryable, statement } from '../database/statement.js';

const FIND = statement(
  'registration.is_unproven',
  `SELECT 1 FROM user_account u JOIN registration r ON r.user_id = u.id
   WHERE u.id = $1 AND NOT u.email_verified AND u.password_hash IS NOT NULL AND u.email = r.email`,
);

/**
 * Whether somebody has registered the account, with a password, and nobody has proved its address: whoever reads that mailbox need
 * not be who has chosen the password.
 */
export async function isUnprovenRegistration(on: Queryable, userId: string): Promise<boolean> {
  return (await on.query(FIND, [userId])).length > 0;
}
