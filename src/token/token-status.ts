import { Injectable } from '@nestjs/common';
import { sha256 } from '../foundation/crypto/digest.js';
import { BatchedRead } from '../foundation/database/batched-read.js';
import { Database } from '../foundation/database/database.js';
import { type Statement, statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { membershipsOf } from '../permission/membership-column.js';
import type { Membership } from '../permission/rights.js';
import { type AccessTokenFacts, parseTokenId } from './access-token.js';
import { accessOf } from './removed-access.js';
import { SUBJECT_JOINS, type Subject, subjectColumn } from './subject.js';

/** What the caller needs to know about the user besides. */
export interface Wanted {
  /** The projects whose roles are requested; undefined for no roles. */
  readonly projectIds?: readonly string[] | undefined;
  readonly metadata?: boolean | undefined;
  /** For a personal access token, which has no audience: valid only if its user is related to this project. */
  readonly forProjectId?: string | undefined;
}

/**
 * Checks whether tokens are valid, for all concurrent requests at once: an indexed look-up that either finds a reason
 * against a token or returns its user. Every part is a look-up by a primary or unique key.
 */
function aliveStatement(name: string, answer: string, joins: string): Statement<{ readonly questions: string }> {
  return statement(
    name,
    `SELECT q.place, (
     SELECT ${answer}
     FROM user_account u
     ${joins}
     WHERE u.id = q."userId" AND u.state = 'active' AND u.token_epoch = q."userEpoch"
       AND (u.kind = 'service' OR EXISTS (
         SELECT 1
         FROM client c
         JOIN project p ON p.id = c.project_id AND p.state = 'active'
         JOIN org po ON po.id = p.org_id AND po.state = 'active'
         WHERE c.client_id = q."clientId" AND c.token_epoch = q."clientEpoch" AND c.state = 'active'))
       AND (q."sessionId" IS NULL
         OR EXISTS (SELECT 1 FROM session s WHERE s.id = q."sessionId" AND s.ended_at IS NULL))
       AND NOT EXISTS (
         SELECT 1
         FROM token_end e
         WHERE e.id = ANY(q."endIds")
           AND (e.issued_until IS NULL OR q."issuedAt" <= e.issued_until))
   ) AS answer
   FROM json_to_recordset(:questions::json) AS q(
     place int, "userId" text, "userEpoch" int, "clientId" text, "clientEpoch" bigint,
     "sessionId" text, "endIds" text[], "issuedAt" bigint, "projectIds" text[],
     metadata boolean)`,
  );
}

const ALIVE = aliveStatement('token.alive', subjectColumn('q."projectIds"', 'q.metadata'), SUBJECT_JOINS);

/** For the administrative API: little about the user, and all permissions. */
const HOLDER = `json_build_object('userId', u.id, 'orgId', u.org_id, 'memberships', ${membershipsOf('u.id')})`;
const OF_ACTIVE_ORG = `JOIN org uo ON uo.id = u.org_id AND uo.state = 'active'`;

const HOLDER_OF_ALIVE = aliveStatement('token.holder', HOLDER, OF_ACTIVE_ORG);

const HOLDER_OF_PERSONAL = statement(
  'token.holder_of_personal',
  `SELECT q.place, (
     SELECT ${HOLDER}
     FROM personal_access_token t
     JOIN user_account u ON u.id = t.user_id AND u.state = 'active'
     ${OF_ACTIVE_ORG}
     WHERE t.token_hash = decode(q.hash, 'hex') AND t.expires_at > q.now
   ) AS answer
   FROM json_to_recordset(:questions::json) AS q(place int, hash text, now timestamptz)`,
);

/** The user of a token, for checking permissions. */
export interface TokenHolder {
  readonly userId: string;
  readonly orgId: string;
  readonly memberships: readonly Membership[];
}

interface AliveQuestion {
  readonly userId: string;
  readonly userEpoch: number;
  readonly clientId: string;
  readonly clientEpoch: string;
  readonly sessionId: string | undefined;
  /** Of the token, its family and its application, and of the tokens for which it was exchanged. */
  readonly endIds: readonly string[];
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly projectIds: readonly string[] | undefined;
  readonly metadata: boolean;
}

/**
 * Whether `user_account u` is related to a project: it belongs to their organization, it is granted to their
 * organization, or they have a role in it (ADR 36). Each part is a look-up by a key.
 */
function hasToDoWith(projectId: string): string {
  return `(
     EXISTS (SELECT 1 FROM project hp WHERE hp.id = ${projectId} AND hp.org_id = u.org_id)
     OR EXISTS (
       SELECT 1 FROM project_grant hg
       WHERE hg.project_id = ${projectId} AND hg.granted_org_id = u.org_id AND hg.state = 'active')
     OR EXISTS (
       SELECT 1
       FROM user_grant hu
       LEFT JOIN project_grant hl ON hl.id = hu.project_grant_id
       WHERE hu.user_id = u.id AND hu.project_id = ${projectId} AND hu.state = 'active'
         AND cardinality(hu.role_keys) > 0 AND (hu.project_grant_id IS NULL OR hl.state = 'active')))`;
}

const ALIVE_PERSONAL = statement(
  'token.alive_personal',
  `SELECT ${subjectColumn(':projectIds', ':metadata')},
     t.id AS "tokenId",
     t.scopes,
     t.creation_date AS "issuedAt",
     t.expires_at AS "expiresAt"
   FROM personal_access_token t
   JOIN user_account u ON u.id = t.user_id AND u.state = 'active'
   ${SUBJECT_JOINS}
   WHERE t.token_hash = :tokenHash AND t.expires_at > :now
     AND (:forProjectId::text IS NULL OR ${hasToDoWith(':forProjectId')})`,
).rows<LivingPersonalToken>();

export interface LivingPersonalToken {
  readonly subject: Subject;
  readonly tokenId: string;
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

@Injectable()
export class TokenStatus {
  private readonly alive: BatchedRead<AliveQuestion, Subject>;
  private readonly holders: BatchedRead<AliveQuestion, TokenHolder>;
  private readonly personalHolders: BatchedRead<{ readonly hash: string; readonly now: Date }, TokenHolder>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.alive = new BatchedRead(database, ALIVE);
    this.holders = new BatchedRead(database, HOLDER_OF_ALIVE);
    this.personalHolders = new BatchedRead(database, HOLDER_OF_PERSONAL);
  }

  /**
   * The user of a valid access token, or undefined: expired, ended, or its user, session, client or project is inactive
   * or has been replaced.
   */
  async findSubject(facts: AccessTokenFacts, wanted: Wanted): Promise<Subject | undefined> {
    const question = this.toQuestion(facts, wanted);
    return question && this.alive.ask(question);
  }

  /** The same check with another answer. */
  async findHolder(facts: AccessTokenFacts): Promise<TokenHolder | undefined> {
    const question = this.toQuestion(facts, {});
    return question && this.holders.ask(question);
  }

  async findPersonalHolder(token: string): Promise<TokenHolder | undefined> {
    return this.personalHolders.ask({ hash: sha256(token).toString('hex'), now: this.clock.now() });
  }

  /** The user of a valid personal access token, found by the digest of its text. */
  async findPersonal(token: string, wanted: Wanted): Promise<LivingPersonalToken | undefined> {
    const [row] = await this.database.query(ALIVE_PERSONAL, {
      tokenHash: sha256(token),
      now: this.clock.now(),
      projectIds: wanted.projectIds ?? null,
      metadata: wanted.metadata ?? false,
      forProjectId: wanted.forProjectId ?? null,
    });
    return row;
  }

  private toQuestion(facts: AccessTokenFacts, wanted: Wanted): AliveQuestion | undefined {
    const parsed = parseTokenId(facts.id);
    if (!parsed || facts.expiresAt <= this.clock.nowSeconds()) return undefined;
    return {
      userId: facts.userId,
      userEpoch: parsed.userEpoch,
      clientId: facts.clientId,
      clientEpoch: parsed.clientEpoch,
      sessionId: facts.sessionId,
      endIds: [facts.id, parsed.familyId, accessOf(facts), ...(facts.origins ?? [])],
      issuedAt: facts.issuedAt,
      projectIds: wanted.projectIds,
      metadata: wanted.metadata === true,
    };
  }
}
