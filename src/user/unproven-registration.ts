import { type Queryable, statement } from '../foundation/database/statement.js';

/** Registrations whose address was never verified. */
const UNVERIFIED = `SELECT 1
   FROM user_account u
   JOIN registration r ON r.user_id = u.id
   WHERE u.id = :userId AND NOT u.email_verified AND u.email = r.email`;

const FIND = statement('registration.is_unproven', `${UNVERIFIED} AND u.password_hash IS NOT NULL`);

const FIND_WITHOUT_PASSWORD = statement('registration.without_password', `${UNVERIFIED} AND u.password_hash IS NULL`);

/**
 * Whether the account was registered with a password and its address never verified: the reader of that mailbox may not
 * be the person who chose the password.
 */
export async function isUnprovenRegistration(on: Queryable, userId: string): Promise<boolean> {
  return (await on.query(FIND, { userId })).length > 0;
}

/** Whether it was registered without one, so that it begins with a passkey. */
export async function isRegistrationWithoutPassword(on: Queryable, userId: string): Promise<boolean> {
  return (await on.query(FIND_WITHOUT_PASSWORD, { userId })).length > 0;
}
