import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../database/database-failure.js';
import type { Transaction } from '../database/database.js';
import { statement, type Statement } from '../database/statement.js';
import { Journal, journalSql, type EventMark } from '../event/journal.js';
import { Clock } from '../time/clock.js';
import { IdpLink } from './idp-link.entity.js';
import { idpLinkTaken } from './idp.errors.js';

export interface NewIdpLink {
  readonly idpId: string;
  /** The provider's own id of the person: the `sub` of its tokens. */
  readonly externalUserId: string;
  readonly displayName: string;
  readonly userId: string;
  /** That of the user. */
  readonly orgId: string;
}

const BATCH = 1_000;

/** $1 idp or user, $2 editor, $3 now. One link of each user at a time, for their events are numbered by user. */
function removal(name: string, column: 'idp_id' | 'user_id'): Statement {
  const event = journalSql({
    aggregateType: "'user'", aggregateId: 'gone.user_id', type: "'user.human.externalidp.cascade.removed'", editorId: '$2::text', at: '$3::timestamptz',
    orgId: `coalesce(u.org_id, '')`,
    payload: `jsonb_build_object('idpConfigId', gone.idp_id, 'userId', gone.external_user_id)`,
  }, 'gone LEFT JOIN user_account u ON u.id = gone.user_id');
  return statement(name, `WITH batch AS (
     SELECT DISTINCT ON (user_id) idp_id, external_user_id FROM idp_link WHERE ${column} = $1 ORDER BY user_id, idp_id, external_user_id LIMIT ${BATCH}),
   gone AS (DELETE FROM idp_link l USING batch b WHERE l.idp_id = b.idp_id AND l.external_user_id = b.external_user_id
     RETURNING l.user_id, l.idp_id, l.external_user_id),
   journaled AS (${event})
   SELECT count(*)::int AS count FROM gone`);
}

const REMOVE_OF_IDP = removal('idp_link.remove_of_idp', 'idp_id');
const REMOVE_OF_USER = removal('idp_link.remove_of_user', 'user_id');

/** Who at a provider is which user here. */
@Injectable()
export class IdpLinks {
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError AlreadyExists `idp.link_taken` */
  async add(tx: Transaction, { orgId, ...link }: NewIdpLink, editorId: string): Promise<EventMark> {
    const { idpId, userId, externalUserId, displayName } = link;
    const mark = await this.journal.append(tx, {
      aggregateType: 'user', aggregateId: userId, type: 'user.human.externalidp.added', orgId, editorId,
      payload: { idpConfigId: idpId, userId: externalUserId, displayName },
    });
    try {
      await tx.entities.insert(IdpLink, { ...link, sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at });
    } catch (error) {
      throw isUniqueViolation(error, 'idp_link_pkey') ? idpLinkTaken() : error;
    }
    return mark;
  }

  /** An event for each. */
  async removeAllOfIdp(tx: Transaction, idpId: string, editorId: string): Promise<void> {
    await this.removeAll(tx, REMOVE_OF_IDP, idpId, editorId);
  }

  /** An event for each. */
  async removeAllOfUser(tx: Transaction, userId: string, editorId: string): Promise<void> {
    await this.removeAll(tx, REMOVE_OF_USER, userId, editorId);
  }

  private async removeAll(tx: Transaction, batch: Statement, id: string, editorId: string): Promise<void> {
    for (;;) {
      const [removed] = await tx.query<{ count: number }>(batch, [id, editorId, this.clock.now()]);
      if (!removed || removed.count === 0) return;
    }
  }
}
