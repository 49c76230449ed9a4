import { Injectable } from '@nestjs/common';
import { PasskeyConfig } from '../../foundation/config/config.js';
import type { Transaction } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';

/** Asks the policies as they are now; only passkeys that were made for this domain count. */
const HAS_WAY_IN = statement<{ userId: string; rpId: string | null }>(
  'factor.has_way_in',
  `SELECT 1
   FROM user_account u
   LEFT JOIN login_policy op ON op.owner_id = u.org_id
   LEFT JOIN login_policy ip ON ip.owner_id = (SELECT id FROM instance)
   WHERE u.id = :userId AND (
     u.password_hash IS NOT NULL AND coalesce(op.allow_username_password, ip.allow_username_password, true)
     OR coalesce(op.allow_external_idp, ip.allow_external_idp, true) AND EXISTS (
       SELECT 1
       FROM idp_link l
       JOIN idp i ON i.id = l.idp_id AND i.state = 'active'
       WHERE l.user_id = :userId)
     OR coalesce(op.passwordless_type, ip.passwordless_type, 'allowed') = 'allowed' AND EXISTS (
       SELECT 1
       FROM auth_factor f
       JOIN auth_key k ON k.factor_id = f.id AND k.rp_id = :rpId
       WHERE f.user_id = :userId AND f.kind = 'passkey' AND f.state = 'ready'))`,
);

/** The ways in which a user can sign in: a password, a provider, a passkey. */
@Injectable()
export class WaysIn {
  constructor(private readonly passkeys: PasskeyConfig) {}

  /**
   * Whether one is left, as the transaction sees it. The caller has locked the user, so that two removals wait for one
   * another.
   */
  async areLeft(tx: Transaction, userId: string): Promise<boolean> {
    return (await tx.query(HAS_WAY_IN, { userId, rpId: this.passkeys.rpId ?? null })).length > 0;
  }
}
