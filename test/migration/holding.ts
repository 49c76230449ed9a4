import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { World } from '../support/world.js';

/** Where an import can be held up: its turn (there is one at a time), or before it writes the rows of a table. */
export type Moment = 'its turn' | 'org' | 'user_account' | 'member' | 'event';
export const MOMENTS: readonly Moment[] = ['its turn', 'org', 'user_account', 'member', 'event'];

export async function until(isSo: () => Promise<boolean>, limitMs = 20_000): Promise<void> {
  for (const deadline = Date.now() + limitMs; !(await isSo()); await sleep(20)) {
    if (Date.now() > deadline) throw new Error('It never came so far.');
  }
}

/** Holds imports up, and lets them go. */
export class Holder {
  private client: Client | undefined;

  constructor(private readonly world: World) {}

  async hold(moment: Moment): Promise<void> {
    this.client = new Client(this.world.database.connection);
    await this.client.connect();
    await this.client.query('BEGIN');
    // Reading continues, and writing waits.
    await this.client.query(
      moment === 'its turn'
        ? `SELECT pg_advisory_xact_lock(hashtextextended('import', 0))`
        : `LOCK TABLE ${moment} IN SHARE ROW EXCLUSIVE MODE`,
    );
  }

  async letGo(): Promise<void> {
    await this.client?.end();
    this.client = undefined;
  }

  /** The backend of the import that waits here. */
  async waiting(): Promise<number> {
    let pid: number | undefined;
    await until(async () => (pid = await this.findWaiting()) !== undefined);
    return pid!;
  }

  /**
   * What `ask` answers, asked for the least time in which the import came as far as here: how much that is depends on
   * the machine.
   */
  async expiring<Answer>(ask: (timeout: string) => Promise<Answer>): Promise<Answer> {
    for (let seconds = 1; ; seconds *= 2) {
      let [wasHeld, isAnswered] = [false, false];
      const over = (): boolean => (isAnswered = true);
      const answer = ask(`${seconds}s`);
      answer.then(over, over);
      await until(async () => (wasHeld = (await this.findWaiting()) !== undefined) || isAnswered);
      if (wasHeld) return answer;
      await answer;
      await this.untilNothingIsStaged();
    }
  }

  private async findWaiting(): Promise<number | undefined> {
    const [row] = await this.world.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`,
    );
    return row?.pid;
  }

  /** Of imports that have ended, in whatever way, nothing is left. */
  async untilNothingIsStaged(): Promise<void> {
    await until(
      async () => (await this.world.rows(`SELECT relname FROM pg_class WHERE relname LIKE 'staged%'`)).length === 0,
    );
  }
}

/** Everything that an import could have changed. */
export async function contentsOf(world: World): Promise<string> {
  return (await world.contents()).replace(/^(migration_job|personal_access_token) .*$/gm, '');
}
