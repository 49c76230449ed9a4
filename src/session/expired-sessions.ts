import { purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';

/** Ended sessions: a token whose session is gone is as invalid as one whose session has ended. */
const ENDED_SESSIONS = purgeStatement('session', 'id', 'ended_at < :moment');
const EXPIRED_SESSIONS = purgeStatement(
  'session',
  'id',
  'ended_at IS NULL AND greatest(password_checked_at, external_checked_at, passkey_checked_at) < :moment',
);
/** Reads, in seconds, the longest validity of a check in any login policy, and the lifetime of access tokens. */
const LONGEST_LIFETIMES = statement(
  'session.longest_lifetimes',
  `SELECT
     coalesce(
       (SELECT greatest(
          max(password_check_lifetime_seconds),
          max(external_login_check_lifetime_seconds),
          max(multi_factor_check_lifetime_seconds))
        FROM login_policy),
       864000) AS "checkSeconds",
     greatest(
       (SELECT max(access_token_seconds) FROM instance),
       (SELECT max(access_token_seconds) FROM client)) AS "tokenSeconds"`,
).rows<{ checkSeconds: number; tokenSeconds: number | null }>();
const UNUSED_BROWSERS = purgeStatement(
  'browser',
  'id',
  'seen_at < :moment AND NOT EXISTS (SELECT 1 FROM session s WHERE s.browser_id = browser.id AND s.ended_at IS NULL)',
);
const ONE_WEEK_SECONDS = 7 * seconds.perDay;

/**
 * A session without a valid check requires a new one (`BrowserSession.isFresh`). It is kept, as an account to choose
 * and for the tokens that name it, until the last of these has expired; then its cookie becomes invalid.
 */
export async function purgeSessions(on: Queryable, now: Date): Promise<number> {
  const [longest] = await on.query(LONGEST_LIFETIMES);
  const expired = secondsAfter(now, -(longest!.checkSeconds + (longest!.tokenSeconds ?? 0)));
  const aWeekAgo = secondsAfter(now, -ONE_WEEK_SECONDS);
  return (
    (await runPurge(on, ENDED_SESSIONS, aWeekAgo)) +
    (await runPurge(on, EXPIRED_SESSIONS, expired)) +
    (await runPurge(on, UNUSED_BROWSERS, aWeekAgo))
  );
}
