import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { DayCounts } from '../foundation/day-count/day-counts.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { Clock } from '../foundation/time/clock.js';

/** What the provider itself got wrong; whatever else refuses a sign-in says nothing of it. */
const FAILURES: ReadonlySet<string> = new Set(['idp.provider_failed', 'idp.answer_refused']);

const NOTE_TEST = statement(
  'idp.note_test',
  `INSERT INTO idp_test AS t (idp_id, at, is_good)
   SELECT i.id, :at, :isGood
   FROM idp i
   WHERE i.id = :idpId
   ON CONFLICT (idp_id) DO UPDATE SET at = excluded.at, is_good = excluded.is_good`,
);

/** How providers answer, by day, and how their last test went: so that administrators see which of them fail. */
@Injectable()
export class ProviderRecord {
  constructor(
    private readonly counts: DayCounts,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** A part of a sign-in in which the provider may fail. */
  async during<T>(idpId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError && FAILURES.has(error.reason)) this.counts.add('provider', idpId, 'failed');
      throw error;
    }
  }

  /** The provider has said who somebody is. */
  answered(idpId: string): void {
    this.counts.add('provider', idpId, 'answered');
  }

  async tested(idpId: string, isGood: boolean): Promise<void> {
    await this.database.query(NOTE_TEST, { idpId, isGood, at: this.clock.now() });
  }
}
