import type { INestApplicationContext } from '@nestjs/common';
import { ChangeChannel } from '../../foundation/database/change-channel.js';
import { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import type { Database } from '../../foundation/database/database.js';
import { DirectDatabase } from '../../foundation/database/direct-database.js';
import { statement } from '../../foundation/database/statement.js';
import { type Finding, fine, wrong } from './finding.js';

const LIMIT_MS = 3_000;
const POOLER_REMEDY =
  'Set DATABASE_DIRECT_URL to the URL of the server itself, without a pooler in transaction mode in between.';

/** A cluster starts once and has each database once. */
const IDENTITY = statement(
  'doctor.identity',
  `SELECT d.oid::text || ' ' || pg_postmaster_start_time()::text AS identity
   FROM pg_database d
   WHERE d.datname = current_database()`,
).rows<{ identity: string }>();

const LIMITS = statement(
  'doctor.limits',
  `SELECT current_setting('statement_timeout') AS statement,
     current_setting('idle_in_transaction_session_timeout') AS idle`,
).rows<{ statement: string; idle: string }>();

/** Whether DATABASE_URL and DATABASE_DIRECT_URL fit together, and each keeps what is asked of it. */
export async function ofConnections(services: INestApplicationContext, database: Database): Promise<Finding[]> {
  const subject = 'connections';
  const direct = services.get(DirectDatabase);
  const [[pooled], [own]] = await Promise.all([database.query(IDENTITY), direct.query(IDENTITY)]);
  if (pooled!.identity !== own!.identity)
    return [
      wrong(
        subject,
        'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.',
        'Set DATABASE_DIRECT_URL to the server and database behind the pooler of DATABASE_URL.',
      ),
    ];
  const { isPooled } = services.get(ConnectionSettings);
  if (!(await services.get(ChangeChannel).hears(database, LIMIT_MS)))
    return [
      wrong(
        subject,
        `Changes that one process announces do not reach the others: ${isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'} does not keep a session.`,
        POOLER_REMEDY,
      ),
    ];
  return isPooled
    ? [fine(subject, 'Changes that one process announces reach the others.'), ...(await ofLimits(database))]
    : [];
}

/** Otherwise each session begins with them; a pooler does not pass them on. */
async function ofLimits(database: Database): Promise<Finding[]> {
  const [limits] = await database.query(LIMITS);
  if (limits!.statement !== '0' && limits!.idle !== '0') return [];
  return [
    {
      state: 'note',
      subject: 'connections',
      finding: 'Statements through the pooler have no time limit.',
      remedy:
        "Run ALTER ROLE … SET statement_timeout = '15s', and the same for idle_in_transaction_session_timeout, for the user of DATABASE_URL.",
    },
  ];
}
