import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';

const PING = statement('health.ping', 'SELECT 1');

/** A load balancer asks every few seconds and moves on; so must the answer. */
const TIMEOUT_MS = 1000;

export type ReadinessCondition = 'ok' | 'draining' | 'no database';

/**
 * Whether requests should be sent here: not without the database, and not any more once the process is about to stop.
 */
@Injectable()
export class Readiness {
  private draining = false;
  private ping: Promise<boolean> | undefined;

  constructor(private readonly database: Database) {}

  /** The process is about to stop: load balancers look elsewhere before it does. */
  drain(): void {
    this.draining = true;
  }

  async condition(): Promise<ReadinessCondition> {
    if (this.draining) return 'draining';
    // Askers share one question, so that probes do not pile up in front of a database that hangs.
    this.ping ??= this.askDatabase().finally(() => (this.ping = undefined));
    const answered = await withinTimeout(this.ping);
    return answered ? 'ok' : 'no database';
  }

  private async askDatabase(): Promise<boolean> {
    try {
      await this.database.query(PING);
      return true;
    } catch {
      return false;
    }
  }
}

async function withinTimeout(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
