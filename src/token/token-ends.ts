import { Injectable } from '@nestjs/common';
import { InstanceService } from '../instance/instance.service.js';
import { purgeStatement, runPurge, type Purge } from '../database/purge.js';
import { statement, type Queryable } from '../database/statement.js';
import { Clock } from '../time/clock.js';
import { fromUnixSeconds, seconds, secondsAfter } from '../time/duration.js';

const END_ONE = statement(
  'token_end.one',
  'INSERT INTO token_end (id, keep_until) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
);

/** The family's row (if it has one) and its access tokens, in one statement. */
const END_FAMILY = statement(
  'token_end.family',
  `WITH revoked AS (UPDATE token_family SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL)
   INSERT INTO token_end (id, keep_until) VALUES ($1, $3)
   ON CONFLICT (id) DO UPDATE SET keep_until = greatest(token_end.keep_until, excluded.keep_until)`,
);

const LONGEST_LIFETIME = statement(
  'token_end.longest_lifetime',
  'SELECT coalesce(max(access_token_seconds), 0) AS seconds FROM client',
);

const EXPIRED_ENDS = purgeStatement('token_end', 'id', 'keep_until < $1');
const EXPIRED_FAMILIES = purgeStatement('token_family', 'id', 'expires_at < $1');

/** Ends tokens before their time. A row is kept until what it ends would have expired. */
@Injectable()
export class TokenEnds implements Purge {
  constructor(
    private readonly instances: InstanceService,
    private readonly clock: Clock,
  ) {}

  async endAccessToken(on: Queryable, token: { id: string; expiresAt: number }): Promise<void> {
    await on.query(END_ONE, [token.id, secondsAfter(fromUnixSeconds(token.expiresAt), seconds.perHour)]);
  }

  /** Ends a family: its refresh token, and every access token that carries its id. */
  async endFamily(on: Queryable, familyId: string): Promise<void> {
    const instance = await this.instances.get();
    const [row] = await on.query<{ seconds: number }>(LONGEST_LIFETIME, []);
    const now = this.clock.now();
    const lifetimeSeconds = Math.max(instance.accessTokenSeconds, row?.seconds ?? 0);
    await on.query(END_FAMILY, [familyId, now, secondsAfter(now, lifetimeSeconds + seconds.perDay)]);
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return (await runPurge(on, EXPIRED_ENDS, now)) + (await runPurge(on, EXPIRED_FAMILIES, now));
  }
}
