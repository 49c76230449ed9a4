import type { NestExpressApplication } from '@nestjs/platform-express';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { EventFeed } from '../foundation/event/event-feed.js';
import { type Called, PartRecord } from '../foundation/extension/part-record.js';
import { Logger } from '../foundation/log/logger.js';
import type { Figure, Sample } from '../foundation/metrics/figure.js';
import { MetricsServer } from '../foundation/metrics/metrics.server.js';
import { Tallies } from '../foundation/metrics/tallies.js';
import { PasswordHash } from '../foundation/password/password-hash.js';

/** How many rows of a table are in each of two states, and since when the oldest of them exists. */
function countByState(name: string, table: string, states: readonly [string, string]) {
  return statement(
    name,
    `SELECT state AS label, count(*)::integer AS count, extract(epoch FROM now() - min(created_at))::float AS age
     FROM ${table}
     WHERE state IN ('${states[0]}', '${states[1]}')
     GROUP BY state`,
  ).rows<Counted>();
}

const MAILS = countByState('figures.mails', 'outbox', ['waiting', 'dead']);
const LOGOUT_NOTICES = countByState('figures.logout_notices', 'logout_notice', ['waiting', 'dead']);
const WEBHOOK_DELIVERIES = countByState('figures.webhook_deliveries', 'webhook_delivery', ['waiting', 'dead']);
const JOBS = countByState('figures.jobs', 'migration_job', ['running', 'failed']);

const ACTIVE_KEY = statement(
  'figures.active_key',
  `SELECT extract(epoch FROM now() - activated_at)::float AS age
   FROM signing_key
   WHERE state = 'active'`,
).rows<{ age: number }>();

interface Counted {
  readonly label: string;
  readonly count: number;
  readonly age: number;
}

/** The metrics that alarms need; docs/operating.md explains them, and deploy/ has the alarms. */
export function figuresOf(nest: NestExpressApplication): Figure[] {
  const database = nest.get(Database);
  return [
    ...ofSignIns(nest),
    ofExtensions(nest),
    ...ofProcess(nest, database),
    ...ofDatabase(database, nest.get(EventFeed, { strict: false })),
  ];
}

function ofSignIns(nest: NestExpressApplication): Figure[] {
  const [tallies, log] = [nest.get(Tallies, { strict: false }), nest.get(Logger)];
  return [
    {
      name: 'gatehouse_sign_ins_total',
      help: 'Sign-ins by result and reason: why they were refused, or whether they succeeded here or at a provider.',
      kind: 'counter',
      labels: ['result', 'reason'],
      read: () => [
        ...entries(tallies.of('signIns'), (place) => ({ result: 'succeeded', reason: place })),
        ...entries(log.reasons, (reason) => {
          if (reason === 'attempt.too_many') return { result: 'limited', reason };
          return reason.startsWith('sign_in.') ? { result: 'refused', reason: reason.slice(8) } : undefined;
        }),
      ],
    },
    {
      name: 'gatehouse_token_responses_total',
      help: 'Successful responses of the token endpoint by grant type.',
      kind: 'counter',
      labels: ['grant'],
      read: () => entries(tallies.of('tokens'), (grant) => ({ grant })),
    },
    {
      name: 'gatehouse_token_exchanges_total',
      help: 'Exchanges of tokens by who uses the result: by_user, by_actor (another user acts for them); refused.',
      kind: 'counter',
      labels: ['result'],
      read: () => entries(tallies.of('exchanges'), (result) => ({ result })),
    },
    {
      name: 'gatehouse_device_authorizations_total',
      help: 'Requests of devices by what became of them: begun, approved, denied.',
      kind: 'counter',
      labels: ['state'],
      read: () => entries(tallies.of('devices'), (state) => ({ state })),
    },
    {
      name: 'gatehouse_logout_calls_total',
      help: 'Calls that tell applications of the end of a session by result: accepted, refused (final), failed (perhaps tried again).',
      kind: 'counter',
      labels: ['result'],
      read: () => entries(tallies.of('logoutCalls'), (result) => ({ result })),
    },
    {
      name: 'gatehouse_webhook_calls_total',
      help: 'Calls of webhooks by result: accepted, failed (perhaps tried again), gone (switched off by the receiver).',
      kind: 'counter',
      labels: ['result'],
      read: () => entries(tallies.of('webhookCalls'), (result) => ({ result })),
    },
    {
      name: 'gatehouse_registrations_total',
      help: 'Requests of applications that register themselves by result: registered, read, changed, removed, refused.',
      kind: 'counter',
      labels: ['result'],
      read: () => entries(tallies.of('registrations'), (result) => ({ result })),
    },
    {
      name: 'gatehouse_client_documents_total',
      help: 'Metadata documents of clients by what became of them: read, refused, limited.',
      kind: 'counter',
      labels: ['result'],
      read: () => entries(tallies.of('clientDocuments'), (result) => ({ result })),
    },
    {
      name: 'gatehouse_request_objects_total',
      help: 'Request objects that were fetched, by what became of that: read, refused, limited.',
      kind: 'counter',
      labels: ['result'],
      read: () => entries(tallies.of('requestObjects'), (result) => ({ result })),
    },
    {
      name: 'gatehouse_dpop_proofs_total',
      help: 'Proofs of keys by outcome: accepted, refused, replayed, without_nonce; forgotten: too early, for want of room.',
      kind: 'counter',
      labels: ['outcome'],
      read: () => entries(tallies.of('proofs'), (outcome) => ({ outcome })),
    },
    {
      name: 'gatehouse_refusals_total',
      help: 'Refusals by reason, as in the log.',
      kind: 'counter',
      labels: ['reason'],
      read: () => entries(log.reasons, (reason) => ({ reason })),
    },
  ];
}

/** By id and seam, which the operator chooses by loading extensions, so they are few. */
function ofExtensions(nest: NestExpressApplication): Figure {
  const tallies = nest.get(Tallies, { strict: false });
  return {
    name: 'gatehouse_extension_failures_total',
    help: 'Failures of parts of extensions by extension and seam.',
    kind: 'counter',
    labels: ['extension', 'seam'],
    read: () =>
      entries(tallies.of('extensionFailures'), (label) => {
        const [extension = '', seam = ''] = label.split('/');
        return { extension, seam };
      }),
  };
}

/** Beside their failures. Without METRICS_PORT and without extensions nothing is measured. */
export async function measureParts(nest: NestExpressApplication): Promise<void> {
  const observe = await nest.get(MetricsServer).offerDuration<Called>({
    name: 'gatehouse_extension_seconds',
    help: 'Time that calls of parts of extensions take.',
    labels: ['extension', 'seam'],
  });
  if (observe) nest.get(PartRecord, { strict: false }).measureBy(observe);
}

function ofProcess(nest: NestExpressApplication, database: Database): Figure[] {
  const passwords = nest.get(PasswordHash, { strict: false });
  return [
    {
      name: 'gatehouse_password_checks_waiting',
      help: 'Password checks that wait for a processor, of own and of imported hashes.',
      kind: 'gauge',
      labels: ['hash'],
      read: () => labelled('hash', passwords.waiting),
    },
    {
      name: 'gatehouse_database_connections',
      help: 'Connections of the pool (total, idle), and requests that wait for one.',
      kind: 'gauge',
      labels: ['state'],
      read: () => labelled('state', database.connections),
    },
  ];
}

/** Figures that are alike in every process: alarms take the maximum, not the sum, and so does a supervisor. */
function ofDatabase(database: Database, feed: EventFeed): Figure[] {
  const counted = (name: string, help: string, query: typeof MAILS): Figure[] => [
    {
      name: `gatehouse_${name}`,
      help,
      kind: 'gauge',
      isCommon: true,
      labels: ['state'],
      read: async () =>
        (await database.query(query)).map(({ label, count }) => ({ labels: { state: label }, value: count })),
    },
    {
      name: `gatehouse_${name}_oldest_seconds`,
      help: 'Age of the oldest of them.',
      kind: 'gauge',
      isCommon: true,
      labels: ['state'],
      read: async () =>
        (await database.query(query)).map(({ label, age }) => ({ labels: { state: label }, value: age })),
    },
  ];
  return [
    ...counted('mails', 'E-mails in the outbox that wait, and that were given up (dead).', MAILS),
    ...counted('logout_notices', 'Notices of ended sessions that wait, and that were given up.', LOGOUT_NOTICES),
    ...counted('webhook_deliveries', 'Events that webhooks wait for, and that were given up.', WEBHOOK_DELIVERIES),
    ...counted('migration_jobs', 'Exports and imports that run, and that have failed.', JOBS),
    {
      name: 'gatehouse_event_lag_seconds',
      help: 'For how long a transaction that still runs has held back the oldest committed event from listeners and webhooks.',
      kind: 'gauge',
      isCommon: true,
      read: async () => [{ value: await feed.lagSeconds() }],
    },
    {
      name: 'gatehouse_signing_key_age_seconds',
      help: 'How long the active signing key has been signing.',
      kind: 'gauge',
      isCommon: true,
      read: async () => (await database.query(ACTIVE_KEY)).map(({ age }) => ({ value: age })),
    },
  ];
}

function entries(
  counts: ReadonlyMap<string, number>,
  labelsOf: (label: string) => Readonly<Record<string, string>> | undefined,
): Sample[] {
  return [...counts].flatMap(([label, value]) => {
    const labels = labelsOf(label);
    return labels ? [{ labels, value }] : [];
  });
}

function labelled(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}
