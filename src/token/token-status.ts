import { Injectable } from '@nestjs/common';
import { sha256 } from '../crypto/digest.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { Clock } from '../time/clock.js';
import { parseTokenId, type AccessTokenFacts } from './access-token.js';
import { PLAIN_SUBJECT_COLUMN, SUBJECT_JOINS, subjectColumn, type Subject } from './subject.js';

/** What the asker needs to know of the user besides. */
export interface Wanted {
  /** Projects whose roles are wanted; undefined: no roles. */
  readonly projectIds?: readonly string[] | undefined;
  readonly metadata?: boolean | undefined;
}

/**
 * The one question whether a token is alive: one indexed statement that finds a reason against it, or
 * else the user whom it speaks for. Every part is a primary key or unique key look-up.
 */
const IS_ALIVE = `u.id = $1 AND u.state = 'active' AND u.token_epoch = $2
     AND (u.kind = 'service' OR EXISTS (
       SELECT 1 FROM client c JOIN project p ON p.id = c.project_id JOIN org po ON po.id = p.org_id
       WHERE c.client_id = $3 AND c.state = 'active' AND p.state = 'active' AND po.state = 'active'))
     AND ($4 = '' OR EXISTS (SELECT 1 FROM session s WHERE s.id = $4 AND s.ended_at IS NULL))
     AND NOT EXISTS (SELECT 1 FROM token_end e WHERE e.id IN ($5, $6))`;

const ALIVE = statement(
  'token.alive',
  `SELECT ${PLAIN_SUBJECT_COLUMN} FROM user_account u ${SUBJECT_JOINS} WHERE ${IS_ALIVE}`,
);

const ALIVE_WITH_GRANTS = statement(
  'token.alive_with_grants',
  `SELECT ${subjectColumn('$7', '$8')} FROM user_account u ${SUBJECT_JOINS} WHERE ${IS_ALIVE}`,
);

const ALIVE_PERSONAL = statement(
  'token.alive_personal',
  `SELECT ${subjectColumn('$3', '$4')}, t.id AS "tokenId", t.scopes, t.creation_date AS "issuedAt",
     t.expires_at AS "expiresAt"
   FROM personal_access_token t
   JOIN user_account u ON u.id = t.user_id AND u.state = 'active' ${SUBJECT_JOINS}
   WHERE t.token_hash = $1 AND t.expires_at > $2`,
);

export interface LivingPersonalToken {
  readonly subject: Subject;
  readonly tokenId: string;
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

@Injectable()
export class TokenStatus {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The user of a living access token, or undefined: expired, ended, or its user, session, client or project is not active. */
  async findSubject(facts: AccessTokenFacts, wanted: Wanted): Promise<Subject | undefined> {
    const parsed = parseTokenId(facts.id);
    if (!parsed || facts.expiresAt <= this.clock.nowSeconds()) return undefined;
    const about = [facts.userId, parsed.userEpoch, facts.clientId, facts.sessionId ?? '', facts.id, parsed.familyId];
    const isPlain = wanted.projectIds === undefined && wanted.metadata !== true;
    const [row] = isPlain
      ? await this.database.query<{ subject: Subject }>(ALIVE, about)
      : await this.database.query<{ subject: Subject }>(ALIVE_WITH_GRANTS, [...about, wanted.projectIds ?? null, wanted.metadata ?? false]);
    return row?.subject;
  }

  /** The user of a living personal access token, found by the digest of its text. */
  async findPersonal(token: string, wanted: Wanted): Promise<LivingPersonalToken | undefined> {
    const [row] = await this.database.query<LivingPersonalToken>(ALIVE_PERSONAL, [
      sha256(token), this.clock.now(), wanted.projectIds ?? null, wanted.metadata ?? false,
    ]);
    return row;
  }
}
