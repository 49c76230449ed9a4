import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { journalSql } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';

const RECORD = statement(
  'token.impersonated',
  journalSql(
    {
      aggregateType: "'user'",
      aggregateId: 'r."userId"',
      type: "'user.impersonated'",
      orgId: 'r."orgId"',
      editorId: 'r."actorId"',
      at: 'r.at',
      payload: `jsonb_build_object('actorId', r."actorId", 'clientId', r."clientId", 'scopes', r.scopes, 'audience', r.audience)`,
      ordinal: 'row_number() OVER (PARTITION BY r."userId" ORDER BY r.place)',
    },
    `json_to_recordset(:records::json) AS r(
       place int, "userId" text, "orgId" text, "actorId" text, "clientId" text, scopes json, audience json,
       at timestamptz)`,
  ),
);

/** How many events one statement writes at most. */
const MOST_AT_ONCE = 100;

/** One user acts for another one. */
export interface Impersonation {
  readonly userId: string;
  readonly orgId: string;
  readonly actorId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
}

interface Waiting {
  readonly record: Impersonation & { readonly at: Date };
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The record of who has acted for whom, which the user sees among their activity. */
@Injectable()
export class Impersonations {
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Called before the token is issued, so that none exists without its event. Events of one user are numbered in turn:
   * those that come while others are being written go together into the next statement, instead of colliding with them.
   */
  async record(impersonation: Impersonation): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ record: { ...impersonation, at: this.clock.now() }, resolve, reject });
      if (!this.isWriting) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MOST_AT_ONCE);
      this.waiting = this.waiting.slice(MOST_AT_ONCE);
      const records = JSON.stringify(batch.map(({ record }, place) => ({ ...record, place })));
      try {
        await this.database.atomically(RECORD, { records });
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isWriting = false;
  }
}
