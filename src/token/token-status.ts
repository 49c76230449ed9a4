import { Injectable } from '@nestjs/common';
import { sha256 } from '../foundation/crypto/digest.js';
import { BatchedRead } from '../foundation/database/batched-read.js';
import { Database } from '../foundation/database/database.js';
import { type Statement, statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { activeGrantsOf } from '../project/user-grant/grants-of-user.js';
import type { CallingApplication } from '../user/permission/calling-application.js';
import { membershipsOf } from '../user/permission/membership-column.js';
import type { Membership } from '../user/permission/rights.js';
import type { UserKind } from '../user/user.entity.js';
import { isInState } from '../user/user-name.js';
import {
  type AccessTokenFacts,
  NO_CLIENT,
  parseTokenId,
  type TokenActor,
  type TokenApplication,
} from './access-token.js';
import { SUBJECT_JOINS, type Subject, subjectColumn } from './claims/subject.js';
import type { Urn } from './claims/urn.js';
import { GROUPS } from './claims/user-claims.js';
import { accessOf } from './removed-access.js';

/** What the caller needs to know about the user besides the token's validity. */
export interface Wanted {
  /** The projects whose roles are requested; undefined for no roles. */
  readonly projectIds?: readonly string[] | undefined;
  readonly metadata?: boolean | undefined;
  readonly groups?: boolean | undefined;
  /** The project to which the user must be related for a personal access token, which has no audience, to be valid. */
  readonly forProjectId?: string | undefined;
}

/** What scopes ask for besides roles. */
export function askedBy(scopes: readonly string[], urn: Urn): Required<Pick<Wanted, 'metadata' | 'groups'>> {
  return { metadata: scopes.includes(urn.metadata), groups: scopes.includes(GROUPS) };
}

/**
 * Finds an actor (RFC 8693 §4.1) who has ended: a token ends with each of its actors. Scalar subqueries, here and
 * below, because a planner without statistics would read all of `session` for an EXISTS.
 */
const ENDED_ACTOR = `
         SELECT 1
         FROM json_to_recordset(q.actors) AS a(
           "userId" text, "userEpoch" int, "sessionId" text, since bigint, "endIds" text[])
         WHERE coalesce((
             SELECT au.state <> 'active' OR ao.state <> 'active' OR au.token_epoch <> a."userEpoch"
             FROM user_account au
             JOIN org ao ON ao.id = au.org_id
             WHERE au.id = a."userId"), true)
           OR (a."sessionId" IS NOT NULL
             AND coalesce((SELECT x.ended_at IS NOT NULL FROM session x WHERE x.id = a."sessionId"), true))
           OR EXISTS (
             SELECT 1
             FROM token_end ae
             WHERE ae.id = ANY(a."endIds") AND (ae.issued_until IS NULL OR a.since <= ae.issued_until))`;

/** The applications of the tokens for which it was exchanged: it ends with each of them. */
const ENDED_APPLICATION = `
         SELECT 1
         FROM json_to_recordset(q.applications) AS a("clientId" text, "clientEpoch" bigint)
         WHERE coalesce((
             SELECT ac.state <> 'active' OR ap.state <> 'active' OR ao.state <> 'active'
             FROM client ac
             JOIN project ap ON ap.id = ac.project_id
             JOIN org ao ON ao.id = ap.org_id
             WHERE ac.client_id = a."clientId" AND ac.token_epoch = a."clientEpoch"), true)`;

/**
 * Checks whether tokens are valid, for all concurrent requests at once: an indexed look-up that either finds a reason
 * against a token or returns its user. Every part is a look-up by a primary or unique key.
 */
function aliveStatement(
  name: string,
  answer: string,
  joins: string,
  condition = '',
): Statement<{ readonly questions: string }> {
  return statement(
    name,
    `SELECT q.place, (
     SELECT ${answer}
     FROM user_account u
     ${joins}
     WHERE u.id = q."userId" AND u.state = 'active'
       AND (q."userEpoch" IS NULL OR u.token_epoch = q."userEpoch")
       AND ((u.kind = 'service' AND q."clientEpoch" = ${NO_CLIENT}) OR EXISTS (
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
       ${condition}
   ) AS answer
   FROM json_to_recordset(:questions::json) AS q(
     place int, "userId" text, "userEpoch" int, "clientId" text, "clientEpoch" bigint,
     "sessionId" text, "endIds" text[], "issuedAt" bigint, actors json,
     applications json, "projectIds" text[], metadata boolean, groups boolean, "subjectId" text)`,
  );
}

const SUBJECT = subjectColumn('q."projectIds"', 'q.metadata', 'q.groups');

const ALIVE = aliveStatement('token.alive', SUBJECT, SUBJECT_JOINS);
/** The statement for exchanged tokens, kept apart so that the one for all other tokens stays fast. */
const ALIVE_EXCHANGED = aliveStatement(
  'token.alive_exchanged',
  SUBJECT,
  SUBJECT_JOINS,
  `AND NOT EXISTS (${ENDED_APPLICATION})
       AND NOT EXISTS (${ENDED_ACTOR})`,
);

/** The user as the administrative API needs them: few facts, and all permissions. */
const HOLDER_MEMBERS = `'userId', u.id, 'orgId', u.org_id, 'memberships', ${membershipsOf('u.id')}`;
const HOLDER = `json_build_object(${HOLDER_MEMBERS})`;
/** A service user has none: it calls for itself. */
const APPLICATION = `(
       SELECT json_build_object(
         'orgId', hp.org_id,
         'isOfSystem', hc.origin = 'administrator' AND hp.id = (SELECT system_project_id FROM instance),
         'isAllowed', hc.administration = 'allowed',
         'hasConsent', EXISTS (
           SELECT 1 FROM consent k WHERE k.user_id = u.id AND k.client_row_id = hc.id AND k.administration))
       FROM client hc
       JOIN project hp ON hp.id = hc.project_id
       WHERE hc.client_id = q."clientId" AND hc.token_epoch = q."clientEpoch")`;
const OF_ACTIVE_ORG = `JOIN org uo ON uo.id = u.org_id AND uo.state = 'active'`;

const HOLDER_OF_ALIVE = aliveStatement(
  'token.holder',
  `json_build_object(${HOLDER_MEMBERS}, 'application', ${APPLICATION})`,
  OF_ACTIVE_ORG,
);

/** Reads, for an exchange of tokens, the user who is to act and the one for whom, with the roles of both. */
const ACTOR_OF_ALIVE = aliveStatement(
  'token.actor',
  `json_build_object(
     'userId', u.id,
     'userEpoch', u.token_epoch,
     'memberships', ${membershipsOf('u.id')},
     'application', ${APPLICATION},
     'subject', (
       SELECT json_build_object('kind', su.kind, 'orgId', su.org_id, 'memberships', ${membershipsOf('su.id')})
       FROM user_account su
       WHERE su.id = q."subjectId"))`,
  OF_ACTIVE_ORG,
  `AND NOT EXISTS (${ENDED_APPLICATION})`,
);

const HOLDER_OF_PERSONAL = statement(
  'token.holder_of_personal',
  `SELECT q.place, (
     SELECT ${HOLDER}
     FROM personal_access_token t
     JOIN user_account u ON u.id = t.user_id AND ${isInState('u', 'active')}
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
  /** Null or undefined for those who call for themselves. */
  readonly application?: CallingApplication | null | undefined;
}

/** Everything with which a token ends. */
export interface TokenBonds {
  readonly userId: string;
  /** Undefined if the token does not say it. */
  readonly userEpoch: number | undefined;
  readonly clientId: string;
  readonly clientEpoch: string;
  readonly sessionId: string | undefined;
  /** The ids under which the token, its family, its application and the tokens for which it was exchanged can end. */
  readonly endIds: readonly string[];
  /** Unix seconds; of an exchanged token, that of the first one. */
  readonly issuedAt: number;
  /** Undefined if nobody acts for the user. */
  readonly actors: readonly TokenActor[] | undefined;
  /** The applications of the tokens for which it was exchanged; undefined for any other token. */
  readonly applications: readonly TokenApplication[] | undefined;
}

interface AliveQuestion extends TokenBonds {
  readonly projectIds?: readonly string[] | undefined;
  readonly metadata?: boolean;
  readonly groups?: boolean;
  readonly subjectId?: string;
}

/** A user who wants to act for another one. */
export interface ActingUser {
  readonly userId: string;
  readonly userEpoch: number;
  readonly memberships: readonly Membership[];
  /** The application that the token of the acting user was issued to; null for a service user. */
  readonly application: CallingApplication | null;
  /** Null if there is no such user. */
  readonly subject: ActedFor | null;
}

export interface ActedFor {
  readonly kind: UserKind;
  readonly orgId: string;
  readonly memberships: readonly Membership[];
}

/** What an access token depends on; undefined if we have not issued its id. */
export function bondsOf(facts: AccessTokenFacts): TokenBonds | undefined {
  const parsed = parseTokenId(facts.id);
  const { exchange } = facts;
  return (
    parsed && {
      userId: facts.userId,
      userEpoch: parsed.userEpoch,
      clientId: facts.clientId,
      clientEpoch: parsed.clientEpoch,
      sessionId: facts.sessionId,
      endIds: [facts.id, parsed.familyId, accessOf(facts), ...(exchange?.origins ?? [])],
      issuedAt: exchange?.since ?? facts.issuedAt,
      actors: exchange && exchange.actors.length > 0 ? exchange.actors : undefined,
      applications: exchange?.applications,
    }
  );
}

/**
 * Whether `user_account u` is related to a project: it belongs to their organization, it is granted to their
 * organization, or they have a role in it (docs/adr/0001). Each part is a look-up by a key.
 */
function hasToDoWith(projectId: string): string {
  return `(
     EXISTS (SELECT 1 FROM project hp WHERE hp.id = ${projectId} AND hp.org_id = u.org_id)
     OR EXISTS (
       SELECT 1 FROM project_grant hg
       WHERE hg.project_id = ${projectId} AND hg.granted_org_id = u.org_id AND hg.state = 'active')
     OR EXISTS (SELECT 1 FROM ${activeGrantsOf('u.id', projectId)} hu WHERE cardinality(hu.role_keys) > 0))`;
}

const ALIVE_PERSONAL = statement(
  'token.alive_personal',
  `SELECT ${subjectColumn(':projectIds', ':metadata', ':groups')},
     t.id AS "tokenId",
     t.scopes,
     t.creation_date AS "issuedAt",
     t.expires_at AS "expiresAt"
   FROM personal_access_token t
   JOIN user_account u ON u.id = t.user_id AND ${isInState('u', 'active')}
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
  private readonly exchanged: BatchedRead<AliveQuestion, Subject>;
  private readonly holders: BatchedRead<AliveQuestion, TokenHolder>;
  private readonly actors: BatchedRead<AliveQuestion, ActingUser>;
  private readonly personalHolders: BatchedRead<{ readonly hash: string; readonly now: Date }, TokenHolder>;

  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly clock: Clock,
  ) {
    this.alive = new BatchedRead(database, ALIVE);
    this.exchanged = new BatchedRead(database, ALIVE_EXCHANGED);
    this.holders = new BatchedRead(database, HOLDER_OF_ALIVE);
    this.actors = new BatchedRead(database, ACTOR_OF_ALIVE);
    this.personalHolders = new BatchedRead(database, HOLDER_OF_PERSONAL);
  }

  /**
   * The user of a valid access token, or undefined: expired, ended, or its user, session, client or project is inactive
   * or has been replaced.
   */
  async findSubject(facts: AccessTokenFacts, wanted: Wanted): Promise<Subject | undefined> {
    const bonds = await this.unexpired(facts);
    return bonds && this.findBound(bonds, wanted);
  }

  /** Like `findSubject`, for what is known of a token that has not expired. */
  async findBound(
    bonds: TokenBonds,
    { projectIds, metadata = false, groups = false }: Wanted,
  ): Promise<Subject | undefined> {
    const read = bonds.applications ? this.exchanged : this.alive;
    return read.ask({ ...bonds, projectIds, metadata, groups });
  }

  /** The user of a token that has not expired, who wants to act for another one. */
  async findActing(bonds: TokenBonds, subjectId: string): Promise<ActingUser | undefined> {
    return this.actors.ask({ ...bonds, subjectId });
  }

  /**
   * Who holds an access token that is alive, and with which permissions. Undefined also for a token of one who acts for
   * another user: permissions are not lent.
   */
  async findHolder(facts: AccessTokenFacts): Promise<TokenHolder | undefined> {
    const bonds = await this.unexpired(facts);
    return bonds && !bonds.actors ? this.holders.ask(bonds) : undefined;
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
      groups: wanted.groups ?? false,
      forProjectId: wanted.forProjectId ?? null,
    });
    return row;
  }

  private async unexpired(facts: AccessTokenFacts): Promise<TokenBonds | undefined> {
    if (facts.expiresAt <= this.clock.nowSeconds()) return undefined;
    const bonds = bondsOf(facts);
    // Tokens with an actor are refused once impersonation is switched off.
    if (bonds?.actors && !(await this.instances.get()).enableImpersonation) return undefined;
    return bonds;
  }
}
