import { type Queryable, statement } from '../foundation/database/statement.js';

const FIND = statement(
  'registration.is_unproven',
  `SELECT 1
   FROM user_account u
   JOIN registration r ON r.user_id = u.id
   WHERE u.id = :userId AND NOT u.email_verified AND u.password_hash IS NOT NULL AND u.email = r.email`,
);

/**
 * Whether the account was registered with a password and its address never verified: the reader of that mailbox may not
 * be the person who chose the password.
 */
export async function isUnprovenRegistration(on: Queryable, userId: string): Promise<boolean> {
  return (await on.query(FIND, { userId })).length > 0;
}
