import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { isThere } from '../foundation/database/is-there.js';
import { statement } from '../foundation/database/statement.js';
import { toStoredEmail } from '../org/email-address.js';
import { isOfOrg, toNameKey } from './user-name.js';

const PROVED_BY_ANOTHER = statement(
  'user.address_proved_by_another',
  `SELECT 1
   FROM user_account u
   WHERE u.email_key = :emailKey AND u.email_verified AND u.email_proof = 'owner' AND u.id <> :userId
   LIMIT 1`,
);

const SIGNS_IN_AT_ORG = statement(
  'user.address_signs_in_at_org',
  `SELECT 1
   FROM user_account u
   WHERE u.email_key = :emailKey AND u.email_verified AND ${isOfOrg('u', ':orgId')}
     AND (u.password_hash IS NOT NULL
       OR ${isThere('auth_factor f', `f.user_id = u.id AND f.kind = 'passkey' AND f.state = 'ready'`)})
   LIMIT 1`,
);

/** Finds the owner of an e-mail address. */
@Injectable()
export class AddressOwners {
  constructor(private readonly database: Database) {}

  /** Whether another user, of any organization, has proved the address, so that it signs that one in. */
  async isProvedByAnother(email: string, userId: string): Promise<boolean> {
    return (await this.database.query(PROVED_BY_ANOTHER, { emailKey: keyOf(email), userId })).length > 0;
  }

  /** Whether it is the verified address of a user of the organization who has a password or a passkey. */
  async signsInAt(orgId: string, email: string): Promise<boolean> {
    return (await this.database.query(SIGNS_IN_AT_ORG, { emailKey: keyOf(email), orgId })).length > 0;
  }
}

function keyOf(email: string): string {
  return toNameKey(toStoredEmail(email));
}
