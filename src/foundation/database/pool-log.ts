import { Injectable } from '@nestjs/common';
import { type LogFields, Logger } from '../log/logger.js';
import { Database } from './database.js';
import { DirectDatabase } from './direct-database.js';
import type { PoolTrouble } from './service-pool.js';

/** Every request meets the same trouble; one line of each kind in this time is enough. */
const QUIET_MS = 10_000;

/** Tells the operator of trouble with the database, in words that say where to look. */
@Injectable()
export class PoolLog {
  private readonly saidAtMs = new Map<string, number>();

  constructor(
    database: Database,
    direct: DirectDatabase,
    private readonly log: Logger,
  ) {
    database.pool.onTrouble = (trouble) => this.tell(trouble, 'DATABASE_URL');
    if (direct.pool !== database.pool) direct.pool.onTrouble = (trouble) => this.tell(trouble, 'DATABASE_DIRECT_URL');
  }

  private tell(trouble: PoolTrouble, setting: string): void {
    const [message, fields] = wordsOf(trouble, setting);
    const nowMs = performance.now();
    if (nowMs - (this.saidAtMs.get(message) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    this.saidAtMs.set(message, nowMs);
    this.log.warn(fields, message);
  }
}

function wordsOf(trouble: PoolTrouble, setting: string): [message: string, fields: LogFields] {
  switch (trouble.kind) {
    case 'takes no changes':
      return [
        'the database takes no changes, as after a failover: connections are made anew',
        { setting, cause: trouble.error.message },
      ];
    case 'overdue':
      return ['the database has not answered in time: the connection was closed', { setting }];
    case 'read again':
      return [`the file of ${setting} has another URL: it is used from now on`, { setting: `${setting}_FILE` }];
    case 'no connection':
      return trouble.error.isLogin
        ? [
            `the database refuses the login: check user and password in ${setting}`,
            { setting, cause: trouble.error.message, code: trouble.error.code },
          ]
        : ['the database cannot be reached', { setting, cause: trouble.error.message, code: trouble.error.code }];
  }
}
