import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { TokenEnds } from './token-ends.js';
import { TokenFamily } from './token-family.entity.js';

/** A refresh token and those that replace it, as its user sees them. */
export type UserRefreshToken = Pick<
  TokenFamily,
  'id' | 'clientId' | 'scopes' | 'resources' | 'authTime' | 'createdAt' | 'spentAt' | 'idleExpiresAt' | 'expiresAt'
>;

/** More tokens than anyone can survey. */
const MOST = 1_000;

const OF_USER = statement(
  'token.user_refresh_tokens',
  `SELECT ${columnsOf(TokenFamily, 'f', [
    'id',
    'clientId',
    'scopes',
    'resources',
    'authTime',
    'createdAt',
    'spentAt',
    'idleExpiresAt',
    'expiresAt',
  ])}
   FROM token_family f
   WHERE f.user_id = :userId AND f.revoked_at IS NULL AND f.expires_at > :now AND f.idle_expires_at > :now
     AND f.token_epoch = (SELECT u.token_epoch FROM user_account u WHERE u.id = :userId)
   ORDER BY f.created_at DESC, f.id
   LIMIT ${MOST}`,
).rows<UserRefreshToken>();

@Injectable()
export class UserRefreshTokens {
  constructor(
    private readonly database: Database,
    private readonly ends: TokenEnds,
    private readonly clock: Clock,
  ) {}

  /** The valid refresh tokens of the user, the newest first. */
  async of(userId: string): Promise<UserRefreshToken[]> {
    return this.database.query(OF_USER, { userId, now: this.clock.now() });
  }

  /** Ends all of a user, with the access tokens that came from them. */
  async endAll(user: { readonly userId: string; readonly orgId: string }): Promise<void> {
    await this.database.transaction((tx) => this.ends.endFamiliesOf(tx, user, { exceptSessionId: '' }));
  }
}
