import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { IdpType } from '../../idp/idp.entity.js';
import { cut, type Found, MOST_SHOWN } from './bounded-read.js';

export interface ProviderState {
  readonly id: string;
  readonly name: string;
  readonly type: IdpType;
  readonly issuer: string;
  readonly clientId: string;
  readonly isActive: boolean;
  readonly ownerId: string;
  /** Null for the instance's. */
  readonly orgName: string | null;
  /** Of the last seven days: turns in which it answered, and in which it failed. */
  readonly answered: number;
  readonly failed: number;
  /** In UTC: `2026-11-29`. */
  readonly lastUsedOn: string | null;
  readonly testedAt: Date | null;
  readonly isTestGood: boolean | null;
}

const WEEK_DAYS = 7;

const OF_OWNERS = statement(
  'overview.providers',
  `SELECT i.id, i.name, i.type, i.issuer, i.client_id AS "clientId", i.state = 'active' AS "isActive",
     i.owner_id AS "ownerId", o.name AS "orgName",
     coalesce(d.answered, 0)::integer AS answered, coalesce(d.failed, 0)::integer AS failed, d."lastUsedOn",
     t.at AS "testedAt", t.is_good AS "isTestGood"
   FROM idp i
   LEFT JOIN org o ON o.id = i.owner_id
   LEFT JOIN idp_test t ON t.idp_id = i.id
   LEFT JOIN LATERAL (
     SELECT
       sum(c.count) FILTER (WHERE c.detail = 'answered' AND c.day > :since::date) AS answered,
       sum(c.count) FILTER (WHERE c.detail = 'failed' AND c.day > :since::date) AS failed,
       max(c.day) FILTER (WHERE c.detail = 'answered')::text AS "lastUsedOn"
     FROM day_count c
     WHERE c.what = 'provider' AND c.of_id = i.id) d ON true
   WHERE i.owner_id = ANY (:ownerIds)
   ORDER BY i.owner_id, i.name
   LIMIT ${MOST_SHOWN + 1}`,
).rows<ProviderState>();

const BY_ID = statement(
  'overview.provider',
  `SELECT i.id, i.name, i.owner_id AS "ownerId" FROM idp i WHERE i.id = :id`,
).rows<Pick<ProviderState, 'id' | 'name' | 'ownerId'>>();

/** Whether identity providers are used, and whether they work. */
@Injectable()
export class ProviderStates {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(id: string): Promise<Pick<ProviderState, 'id' | 'name' | 'ownerId'> | undefined> {
    const [row] = await this.database.query(BY_ID, { id });
    return row;
  }

  /** @param ownerIds ids of organizations, or of the instance */
  async of(ownerIds: readonly string[]): Promise<Found<ProviderState>> {
    const since = secondsAfter(this.clock.now(), -WEEK_DAYS * seconds.perDay)
      .toISOString()
      .slice(0, 10);
    return cut(await this.database.query(OF_OWNERS, { ownerIds, since }));
  }
}
