import { statement } from '../../foundation/database/statement.js';

/** What the settings of applications mean for the keys. */

/** Whether any application is held to FAPI 2.0. */
export const HAS_STRICT_CLIENT = statement(
  'key.has_strict_client',
  `SELECT 1 AS one
   FROM client
   WHERE security_profile <> 'none'
   LIMIT 1`,
).rows<{ one: number }>();

/** For how long the longest tokens with a lifetime of their own must be verifiable. */
export const LONGEST_CLIENT_LIFETIME = statement(
  'key.longest_lifetime',
  `SELECT coalesce(max(greatest(access_token_seconds, id_token_seconds)), 0) AS seconds FROM client`,
).rows<{ seconds: number }>();
