import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { OutboxMail } from '../../user/outbox/outbox-mail.entity.js';

/** A mail without its content, which only its recipient may read. */
export type MailState = Pick<OutboxMail, 'id' | 'kind' | 'state' | 'recipient' | 'reason' | 'createdAt'>;

export interface WebhookStateEntry {
  readonly id: string;
  readonly url: string;
  /** Null for those of the instance. */
  readonly orgName: string | null;
  readonly isActive: boolean;
  readonly failingSince: Date | null;
  /** Deliveries that wait, the oldest of them, and those that were given up. */
  readonly waiting: number;
  readonly oldestAt: Date | null;
  readonly dead: number;
}

export interface JobStateEntry {
  readonly id: string;
  readonly kind: 'export' | 'import';
  readonly state: 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly createdAt: Date;
  readonly objects: Readonly<Record<string, number>>;
  /** As the driver has it; null if it is not known. */
  readonly total: string | null;
}

/** What somebody should look at, by number; each is counted up to a limit. Webhooks are those of the instance. */
export interface Concerns {
  readonly deadMails: number;
  readonly waitingMails: number;
  readonly failingWebhooks: number;
  readonly deadDeliveries: number;
  readonly failingProviders: number;
  readonly failedJobs: number;
}

/** Nobody needs to know whether there are more. */
const MOST_COUNTED = 1_000;
const MOST_MAILS = 20;
const MOST_MAILS_OF_USER = 5;
const MOST_WEBHOOKS = 25;
const MOST_JOBS = 5;
/** As long as they are kept. */
const JOB_DAYS = 30;
/** For how long a mail may wait without anybody wondering. */
const WAITING_SECONDS = seconds.perHour;
/** For how long a failed job is still worth a look. */
const FAILED_DAYS = 7;

const MAIL = `m.id, m.kind, m.state, m.recipient, m.reason, m.created_at AS "createdAt"`;

const MAILS_OF_USER = statement(
  'overview.mails_of_user',
  `SELECT ${MAIL}
   FROM outbox m
   WHERE m.user_id = :userId
   ORDER BY m.created_at DESC, m.id DESC
   LIMIT ${MOST_MAILS_OF_USER}`,
).rows<MailState>();

const counted = (rows: string): string =>
  `(SELECT count(*)::integer FROM (SELECT 1 FROM ${rows} LIMIT ${MOST_COUNTED}) counted)`;

/** A row without a mail where every one was sent. */
const DEAD_MAILS = statement<object>(
  'overview.dead_mails',
  `SELECT w.waiting, m.*
   FROM (SELECT ${counted(`outbox WHERE state = 'waiting'`)} AS waiting) w
   LEFT JOIN (
     SELECT ${MAIL}
     FROM outbox m
     WHERE m.state = 'dead' OR (m.state = 'waiting' AND m.reason <> '')
     ORDER BY m.created_at DESC, m.id DESC
     LIMIT ${MOST_MAILS}) m ON true`,
).rows<{ waiting: number } & (MailState | { readonly id: null })>();

const MAIL_BY_ID = statement(
  'overview.mail',
  `SELECT ${MAIL}, m.user_id AS "userId" FROM outbox m WHERE m.id = :id`,
).rows<MailState & { readonly userId: string }>();

const CONCERNS = statement<{ readonly waitingSince: Date; readonly failedSince: Date }>(
  'overview.concerns',
  `SELECT
     ${counted(`outbox WHERE state = 'dead' OR (state = 'waiting' AND reason <> '')`)} AS "deadMails",
     ${counted(`outbox WHERE state = 'waiting' AND reason = '' AND created_at < :waitingSince`)} AS "waitingMails",
     ${counted(`webhook WHERE level = 'instance' AND state = 'active' AND failing_since IS NOT NULL`)} AS "failingWebhooks",
     ${counted(`webhook w JOIN webhook_delivery d ON d.webhook_id = w.id WHERE w.level = 'instance' AND d.state = 'dead'`)} AS "deadDeliveries",
     ${counted(`idp_test t JOIN idp i ON i.id = t.idp_id AND i.state = 'active' WHERE NOT t.is_good`)} AS "failingProviders",
     ${counted(`migration_job WHERE state = 'failed' AND created_at > :failedSince`)} AS "failedJobs"`,
).rows<Concerns>();

/** The instance's, or those of organizations, with what waits for each: failing ones first. */
const WEBHOOKS = statement(
  'overview.webhooks',
  `SELECT w.id, w.url, o.name AS "orgName", w.state = 'active' AS "isActive",
     w.failing_since AS "failingSince",
     (SELECT count(*)::integer
      FROM (SELECT 1 FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'waiting' LIMIT ${MOST_COUNTED}) c) AS waiting,
     (SELECT d.created_at
      FROM webhook_delivery d
      WHERE d.state = 'waiting' AND d.webhook_id = w.id
      ORDER BY d.state, d.webhook_id, d.id
      LIMIT 1) AS "oldestAt",
     (SELECT count(*)::integer
      FROM (SELECT 1 FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'dead' LIMIT ${MOST_COUNTED}) c) AS dead
   FROM webhook w
   LEFT JOIN org o ON o.id = w.owner_id
   WHERE w.owner_id = ANY (:ownerIds)
   ORDER BY w.failing_since IS NULL, w.id
   LIMIT ${MOST_WEBHOOKS}`,
).rows<WebhookStateEntry>();

const LAST_JOBS = statement(
  'overview.last_jobs',
  `SELECT j.id, j.kind, j.state, j.created_at AS "createdAt", j.objects, j.total
   FROM migration_job j
   WHERE j.created_at > :since
   ORDER BY j.created_at DESC, j.id DESC
   LIMIT ${MOST_JOBS}`,
).rows<JobStateEntry>();

/** How the work behind the requests goes: mails, webhooks, exports and imports. */
@Injectable()
export class OperationStates {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async concerns(): Promise<Concerns> {
    const now = this.clock.now();
    const [found] = await this.database.query(CONCERNS, {
      waitingSince: secondsAfter(now, -WAITING_SECONDS),
      failedSince: secondsAfter(now, -FAILED_DAYS * seconds.perDay),
    });
    return found!;
  }

  /** Those that could not be sent, though some are tried again, the newest first; and how many wait. */
  async deadMails(): Promise<{ readonly dead: readonly MailState[]; readonly waiting: number }> {
    const rows = await this.database.query(DEAD_MAILS);
    return { dead: rows.flatMap((row) => (row.id === null ? [] : [row])), waiting: rows[0]?.waiting ?? 0 };
  }

  async findMail(id: string): Promise<(MailState & { readonly userId: string }) | undefined> {
    const [row] = await this.database.query(MAIL_BY_ID, { id });
    return row;
  }

  /** The last ones, the newest first. */
  async mailsOf(userId: string): Promise<MailState[]> {
    return this.database.query(MAILS_OF_USER, { userId });
  }

  /** @param ownerIds of the instance or of organizations */
  async webhooks(ownerIds: readonly string[]): Promise<WebhookStateEntry[]> {
    return this.database.query(WEBHOOKS, { ownerIds });
  }

  async lastJobs(): Promise<JobStateEntry[]> {
    return this.database.query(LAST_JOBS, { since: secondsAfter(this.clock.now(), -JOB_DAYS * seconds.perDay) });
  }
}
