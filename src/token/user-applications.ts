import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';

/** An application that keeps its access while its user is away, or that need not ask its user again. */
export interface UserApplication {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly since: Date;
  readonly lastAt: Date;
}

/** More applications than anyone can survey. */
const MOST = 100;

/** Families are found by their user; those that have ended are purged. */
const OF_USER = statement(
  'token.user_applications',
  `SELECT f.client_id AS "clientId", c.name,
     array_agg(DISTINCT s.scope ORDER BY s.scope) AS scopes,
     min(f.created_at) AS since,
     max(f.spent_at) AS "lastAt"
   FROM (
     SELECT f.client_id, f.scopes, f.created_at, f.spent_at
     FROM token_family f
     JOIN user_account u ON u.id = f.user_id AND u.token_epoch = f.token_epoch
     WHERE f.user_id = :userId AND f.revoked_at IS NULL AND f.expires_at > :now AND f.idle_expires_at > :now
     UNION ALL
     SELECT kc.client_id, k.granted, k.given_at, k.given_at
     FROM consent k
     JOIN client kc ON kc.id = k.client_row_id
     WHERE k.user_id = :userId) AS f
   JOIN client c ON c.client_id = f.client_id
   CROSS JOIN unnest(f.scopes) AS s (scope)
   GROUP BY f.client_id, c.name
   ORDER BY "lastAt" DESC
   LIMIT ${MOST}`,
).rows<UserApplication>();

@Injectable()
export class UserApplications {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The applications of the user, the one used last first. */
  async of(userId: string): Promise<UserApplication[]> {
    return this.database.query(OF_USER, { userId, now: this.clock.now() });
  }
}
