import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from './client.js';
import { Consent } from './consent.entity.js';

/** The permission for which a request asks a person. */
export interface Asked {
  readonly scopes: readonly string[];
  /** The scopes that carry the claims that it names (OIDC Core §5.5). */
  readonly claimScopes?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  /** Whether the application would use the administrative API. */
  readonly administers?: boolean | undefined;
}

const FIND = statement(
  'consent.of_users',
  `SELECT k.user_id AS "userId"
   FROM consent k
   WHERE k.user_id = ANY(:userIds::text[]) AND k.client_row_id = :clientRowId
     AND k.granted @> :granted::text[] AND (k.administration OR NOT :administration::boolean)`,
).rows<{ userId: string }>();

/**
 * Adds to a consent, as what was allowed before stays allowed. The lock waits for a change of the application that is
 * under way, after which it is not what the person has agreed to.
 */
const KEEP = statement(
  'consent.keep',
  `INSERT INTO consent AS k (user_id, client_row_id, granted, administration, given_at)
   SELECT :userId, c.id, :granted::text[], :administration::boolean, :now
   FROM client c
   WHERE c.id = :clientRowId AND c.sequence = :version::bigint
   FOR SHARE OF c
   ON CONFLICT (user_id, client_row_id) DO UPDATE SET
     granted = ARRAY(SELECT DISTINCT one FROM unnest(k.granted || excluded.granted) AS one ORDER BY one),
     administration = k.administration OR excluded.administration,
     given_at = excluded.given_at
   WHERE NOT (k.granted @> excluded.granted AND (k.administration OR NOT excluded.administration))`,
);

const FORGET = statement(
  'consent.forget',
  `DELETE FROM consent k
   USING client c
   WHERE k.client_row_id = c.id AND k.user_id = :userId AND c.client_id = :clientId`,
);

/** The consents of people to applications; asked for only where a page would have to ask them. */
@Injectable()
export class Consents {
  constructor(
    @InjectRepository(Consent) private readonly rows: Repository<Consent>,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The users among these who have allowed all that is asked for. */
  async given(userIds: readonly string[], { rowId }: Client, asked: Asked): Promise<ReadonlySet<string>> {
    if (userIds.length === 0) return new Set();
    const found = await this.database.query(FIND, { userIds, clientRowId: rowId, ...valuesOf(asked) });
    return new Set(found.map(({ userId }) => userId));
  }

  /**
   * Keeps a consent, unless the application has changed meanwhile. A client that describes itself may say something
   * else tomorrow: its users are asked each time (ADR 57).
   */
  async keep(userId: string, { rowId, version, describesItself }: Client, asked: Asked): Promise<void> {
    if (describesItself) return;
    const values = valuesOf(asked);
    await this.database.query(KEEP, { userId, clientRowId: rowId, version, ...values, now: this.clock.now() });
  }

  /** The person has taken the access of the application back. */
  async forget(tx: Transaction, userId: string, clientId: string): Promise<void> {
    await tx.query(FORGET, { userId, clientId });
  }

  /**
   * The application is no longer what people have allowed. Either its answers go elsewhere, and the manager who changed
   * the address would inherit their consent, or it may do more than they have been told.
   */
  async forgetAllOf(tx: Transaction, clientRowId: string): Promise<void> {
    await tx.of(this.rows).delete({ clientRowId });
  }
}

function valuesOf({ scopes, claimScopes = [], resources = [], administers = false }: Asked): {
  granted: readonly string[];
  administration: boolean;
} {
  return { granted: [...scopes, ...claimScopes, ...resources], administration: administers };
}
