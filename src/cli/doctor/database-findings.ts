import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { pendingSchemaChanges } from '../../foundation/database/schema-change/index.js';
import { statement } from '../../foundation/database/statement.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { MasterKeyCheck } from '../../process/setup/master-key-check.js';
import { SCHEMA } from '../../schema/index.js';
import { ofConnections } from './connection-findings.js';
import { type Finding, fine, wrong } from './finding.js';

const MAX_CLOCK_SECONDS = 2;
const MIN_VERSION = 140_000;
const DAY_SECONDS = 86_400;

const SERVER = statement(
  'doctor.server',
  `SELECT current_setting('server_version') AS version,
     current_setting('server_version_num')::integer AS number,
     current_setting('max_connections')::integer AS connections,
     extract(epoch FROM clock_timestamp())::float AS seconds`,
).rows<{ version: string; number: number; connections: number; seconds: number }>();

const KEY = statement(
  'doctor.active_key',
  `SELECT k.algorithm, extract(epoch FROM clock_timestamp() - k.activated_at)::float AS age
   FROM signing_key k
   WHERE k.state = 'active'`,
).rows<{ algorithm: string; age: number }>();

const MAILS = statement(
  'doctor.mails',
  `SELECT state, count(*)::integer AS count, extract(epoch FROM clock_timestamp() - min(created_at))::float AS age
   FROM outbox
   WHERE state IN ('waiting', 'dead')
   GROUP BY state`,
).rows<{ state: 'waiting' | 'dead'; count: number; age: number }>();

/** The database, the clocks, the master key, the signing key and the outbox. */
export async function examineDatabase(services: INestApplicationContext): Promise<Finding[]> {
  const database = services.get(Database);
  const pending = await pendingSchemaChanges(database.source, SCHEMA);
  return [
    ...(await ofServer(services, database)),
    ...(await ofConnections(services, database)),
    ...ofSchema(pending),
    // The instance is examined after all changes only: before, there may be no table or column to ask for.
    ...(pending.length > 0 ? [] : [...(await ofInstance(services, database)), ...(await ofMails(database))]),
  ];
}

/** The changes of the next start. @param pending the names of the changes */
function ofSchema(pending: readonly string[]): Finding[] {
  if (pending.length === 0) return [];
  const isEmpty = pending.length === SCHEMA.changes.length;
  return [
    {
      state: 'note',
      subject: 'database',
      finding: isEmpty
        ? 'The database is empty.'
        : `The schema lacks ${pending.length} of the changes of this version; the first one is ${pending[0]!}.`,
      remedy: isEmpty
        ? 'Start the service once.'
        : 'The next start of the service makes them. Back up the database before, and then examine the rest again.',
    },
  ];
}

async function ofServer(services: INestApplicationContext, database: Database): Promise<Finding[]> {
  const [server] = await database.query(SERVER);
  const clockSeconds = server!.seconds - services.get(Clock).now().getTime() / 1000;
  return [
    server!.number < MIN_VERSION
      ? wrong('database', `PostgreSQL ${server!.version} is too old.`, 'Use version 14 or later.')
      : fine(
          'database',
          `PostgreSQL ${server!.version}, ${server!.connections} connections; each process of Gatehouse takes up to 17.`,
        ),
    Math.abs(clockSeconds) > MAX_CLOCK_SECONDS
      ? wrong(
          'clock',
          `The clocks of this machine and of the database differ by ${clockSeconds.toFixed(1)} s.`,
          'Synchronize both with NTP: tokens are valid by the clock.',
        )
      : fine('clock', 'This machine and the database agree.'),
  ];
}

async function ofInstance(services: INestApplicationContext, database: Database): Promise<Finding[]> {
  const instance = await services.get(InstanceService, { strict: false }).find();
  if (!instance)
    return [{ state: 'note', subject: 'keys', finding: 'The database is empty.', remedy: 'Start the service once.' }];
  try {
    services.get(MasterKeyCheck, { strict: false }).check(instance);
  } catch (error) {
    if (error instanceof DomainError) return [{ state: 'wrong', subject: 'keys', finding: error.message }];
    throw error;
  }
  const [key] = await database.query(KEY);
  if (!key)
    return [
      wrong('keys', 'There is no active signing key.', 'Create one with CreateSigningKey and ActivateSigningKey.'),
    ];
  const days = Math.floor(key.age / DAY_SECONDS);
  const isLate = key.age > 2 * instance.keyRotationSeconds;
  return [
    isLate
      ? wrong(
          'keys',
          `The signing key has been signing for ${days} days.`,
          'Rotation runs in the service: is a process of it running?',
        )
      : fine('keys', `MASTER_KEY is right; the ${key.algorithm} key has been signing for ${days} days.`),
  ];
}

async function ofMails(database: Database): Promise<Finding[]> {
  const rows = await database.query(MAILS);
  const [waiting, dead] = [rows.find(({ state }) => state === 'waiting'), rows.find(({ state }) => state === 'dead')];
  return [
    ...(waiting && waiting.age > 900
      ? [
          wrong(
            'e-mail',
            `${waiting.count} ${waiting.count === 1 ? 'e-mail waits' : 'e-mails wait'}, the oldest for ${Math.round(waiting.age / 60)} minutes.`,
            'Check the mail server, and that a process of the service runs.',
          ),
        ]
      : []),
    ...(dead
      ? [
          {
            state: 'note',
            subject: 'e-mail',
            finding: `${dead.count} ${dead.count === 1 ? 'e-mail was' : 'e-mails were'} given up.`,
            remedy: 'ListMails has the reasons; RetryMail sends one again.',
          } as const,
        ]
      : []),
  ];
}
