import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { canWrite, takesChanges } from '../database/write-check.js';

/** A load balancer asks every few seconds and moves on; so must the answer. */
const TIMEOUT_MS = 1000;

export type ReadinessCondition = 'ok' | 'draining' | 'no database' | 'read-only database';

/**
 * Whether requests should be sent here: not without a database that takes changes, and not any more
 * once the process is about to stop.
 */
@Injectable()
export class Readiness {
  private draining = false;
  private question: Promise<ReadinessCondition> | undefined;

  constructor(private readonly database: Database) {}

  /** The process is about to stop: load balancers look elsewhere before it does. */
  drain(): void {
    this.draining = true;
  }

  async condition(): Promise<ReadinessCondition> {
    if (this.draining) return 'draining';
    // Askers share one question, so that probes do not pile up in front of a database that hangs.
    this.question ??= this.askDatabase().finally(() => (this.question = undefined));
    return withinTimeout(this.question);
  }

  private async askDatabase(): Promise<ReadinessCondition> {
    try {
      if (!(await takesChanges(this.database))) return 'read-only database';
      if (!this.database.isUnwritable) return 'ok';
      // A change has failed: such as on a full disk, which only another change shows.
      if (!(await canWrite(this.database))) return 'read-only database';
      this.database.isUnwritable = false;
      return 'ok';
    } catch {
      return 'no database';
    }
  }
}

async function withinTimeout(answer: Promise<ReadinessCondition>): Promise<ReadinessCondition> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<ReadinessCondition>((resolve) => {
    timer = setTimeout(() => resolve('no database'), TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
