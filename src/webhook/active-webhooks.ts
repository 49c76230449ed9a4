import { Injectable } from '@nestjs/common';
import { CachedReads } from '../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { Database } from '../foundation/database/database.js';
import { type Queryable, statement } from '../foundation/database/statement.js';

const ANY = statement('webhook.any_active', `SELECT 1 FROM webhook WHERE state = 'active' LIMIT 1`);

/** Whether there is any webhook to be told of anything. Without one nothing runs, and next to nothing is asked. */
@Injectable()
export class ActiveWebhooks {
  private readonly known: CachedReads<boolean>;

  constructor(
    private readonly database: Database,
    changes: ChangeChannel,
  ) {
    this.known = new CachedReads(changes, 'webhook', async () => this.anyNow());
  }

  async any(): Promise<boolean> {
    return (await this.known.find(EVERYTHING)) === true;
  }

  async anyNow(on: Queryable = this.database): Promise<boolean> {
    return (await on.query(ANY)).length > 0;
  }
}
