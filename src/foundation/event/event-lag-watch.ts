import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../log/logger.js';
import { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventFeed } from './event-feed.js';

const LOOK_EVERY_MS = 30_000;
/** Transactions of requests end within seconds. */
const TOLERATED_LAG_SECONDS = 60;

/** A query for the operator, on any database of the server: prepared transactions are in `pg_prepared_xacts`. */
const LOOK_FOR =
  'the oldest writing transaction of the server: SELECT pid, datname, usename, application_name, xact_start, state FROM pg_stat_activity ' +
  'WHERE backend_xid IS NOT NULL ORDER BY xact_start; or a prepared one: SELECT gid, prepared FROM pg_prepared_xacts';

/** Warns when a transaction that does not end holds events back: nothing else shows it, since nothing fails. */
@Injectable()
export class EventLagWatch implements OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private look: Promise<void> | undefined;

  constructor(
    private readonly dispatcher: EventDispatcher,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Looks in the background. */
  start(): void {
    this.timer = setInterval(() => {
      this.look = this.run().catch((error: unknown) =>
        this.log.warn({ err: error }, 'cannot tell how late events are'),
      );
    }, LOOK_EVERY_MS).unref();
  }

  /** Nest closes the database after this hook. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.look;
  }

  /** Warns, in one of all processes on the database, once a minute. Where nothing listens, nothing waits. */
  async run(): Promise<void> {
    if (!(await this.dispatcher.isAwake())) return;
    const lagSeconds = await this.feed.lagSeconds();
    if (lagSeconds <= TOLERATED_LAG_SECONDS) return;
    const now = this.clock.now();
    if (!(await this.feed.mayWarn(now, secondsAfter(now, seconds.perMinute)))) return;
    this.log.warn(
      { lagSeconds: Math.round(lagSeconds), lookFor: LOOK_FOR },
      'a transaction that does not end holds events back from listeners and webhooks',
    );
  }
}
