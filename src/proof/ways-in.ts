import { Injectable } from '@nestjs/common';
import type { Transaction } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';

const HAS_WAY_IN = statement(
  'proof.has_way_in',
  `SELECT 1
   FROM user_account u
   LEFT JOIN login_policy op ON op.owner_id = u.org_id
   LEFT JOIN login_policy ip ON ip.owner_id = (SELECT id FROM instance)
   WHERE u.id = :userId AND (
     u.password_hash IS NOT NULL AND coalesce(op.allow_username_password, ip.allow_username_password, true)
     OR EXISTS (SELECT 1 FROM idp_link WHERE user_id = :userId)
     OR EXISTS (SELECT 1 FROM auth_factor WHERE user_id = :userId AND kind = 'passkey' AND state = 'ready'))`,
);

/** The ways in which a user can sign in: a password, a provider, a passkey. */
@Injectable()
export class WaysIn {
  /** Whether one is left, as the transaction sees it. The caller has locked the user, so that two removals wait for one another. */
  async areLeft(tx: Transaction, userId: string): Promise<boolean> {
    return (await tx.query(HAS_WAY_IN, { userId })).length > 0;
  }
}
