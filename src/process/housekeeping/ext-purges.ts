import { Inject, Injectable } from '@nestjs/common';
import { tryLock } from '../../foundation/database/advisory-lock.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { type PartCall, PartCalls, PartFailed } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { EndingTransaction } from '../../foundation/extension/sql.js';
import { Clock } from '../../foundation/time/clock.js';
import { type ExtPurge, PURGE } from './ext-purge.js';

const LIMIT_MS = 5_000;
const MOST_ROWS = 1_000;
const MOST_CALLS = 10;

/** Limits the statements of an extension in PostgreSQL, too. */
const LIMIT = statement(
  'own_purge.limit',
  `SELECT set_config('statement_timeout', :longest, true), set_config('lock_timeout', :longest, true)`,
);

/** The purges of extensions. A failure of one neither stops the others nor undoes what the product has removed. */
@Injectable()
export class ExtPurges {
  constructor(
    @Inject(PURGE.token) private readonly filled: ReadonlyArray<Filled<ExtPurge>>,
    private readonly parts: PartCalls,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** One round; returns the number of removed rows. */
  async run(): Promise<number> {
    let total = 0;
    for (const of of this.filled) total += await this.runOne(of);
    return total;
  }

  private async runOne(of: Filled<ExtPurge>): Promise<number> {
    let total = 0;
    try {
      for (let call = 0; call < MOST_CALLS; call += 1) {
        const removed = await this.batch({ seam: PURGE, of, limitMs: LIMIT_MS });
        total += removed;
        if (removed < MOST_ROWS) break;
      }
    } catch (error) {
      // The failure is logged and counted already; the next round asks again.
      if (!(error instanceof PartFailed)) throw error;
    }
    return total;
  }

  private async batch(call: PartCall<ExtPurge>): Promise<number> {
    return this.database.transaction(async (tx) => {
      if (!(await tryLock(tx, 'purge'))) return 0;
      await tx.query(LIMIT, { longest: String(LIMIT_MS) });
      return this.ask(call, tx);
    });
  }

  /** @throws PartFailed */
  private async ask(call: PartCall<ExtPurge>, tx: Transaction): Promise<number> {
    const given = new EndingTransaction(tx, (error) => this.parts.noteKept(call, error));
    try {
      const turn = { now: this.clock.now(), most: MOST_ROWS };
      const removed: unknown = await this.parts.call(call, (part, signal) => part.purge(given, turn, signal));
      if (isCount(removed)) return removed;
      throw this.parts.fail(
        call,
        new Error(`It returned ${String(removed)}, which is no number from 0 to ${MOST_ROWS}.`),
      );
    } finally {
      given.end();
    }
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_ROWS;
}
