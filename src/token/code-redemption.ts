import { Injectable } from '@nestjs/common';
import { sha256Base64Url } from '../foundation/crypto/digest.js';
import { BatchedWrite } from '../foundation/database/batched-write.js';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { secondsAfter } from '../foundation/time/duration.js';
import { InstanceService } from '../org/instance/instance.service.js';
import type { Client } from '../project/client/client.js';
import { AuthRequestRow } from '../session/auth-request/auth-request.entity.js';
import { AuthRequestService } from '../session/auth-request/auth-request.service.js';
import type { ClaimsRequest } from '../session/auth-request/claims-request.js';
import { type Demands, RequestDemands } from '../session/auth-request/request-demands.js';
import { type RememberedValues, type SessionParts, sessionParts } from '../session/session-client-sql.js';
import { ALL_PROJECTS, SUBJECT_JOINS, type Subject, subjectColumn } from './claims/subject.js';
import { Urn } from './claims/urn.js';
import { isRemovedSince } from './removed-access.js';
import { type EndedFamily, TokenEnds } from './token-ends.js';
import { familyKeyOf } from './token-family.entity.js';
import { TokenFamilyRepository } from './token-family.repository.js';

/** A redeemed code: who signed in, how, and for what. */
export interface RedeemedCode {
  readonly subject: Subject;
  readonly requestId: string;
  readonly grantedScopes: readonly string[];
  readonly grantedResources: readonly string[];
  readonly nonce: string | null;
  readonly claims: ClaimsRequest | null;
  readonly authTime: Date;
  readonly amr: readonly string[];
  /** See `isProvedFor`. */
  readonly isProved: boolean;
  readonly acrRequested: boolean;
  readonly sessionId: string;
  readonly hasFamily: boolean;
}

export type RedeemRefusal =
  | 'unknown'
  | 'of-another-client'
  | 'expired'
  | 'mismatch'
  | 'resource-exceeds-grant'
  | 'of-another-key'
  | 'user-not-active'
  | 'used';

/** `ended`: the family that the second use of a code has ended. */
export interface RefusedCode {
  readonly refusal: RedeemRefusal;
  readonly ended?: EndedFamily;
}

export interface Redemption {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
  /** A part of what was granted (RFC 8707 §2.2). */
  readonly resources: readonly string[];
  readonly client: Client;
  /** The thumbprint of the key that the request has proved. */
  readonly thumbprint: string | undefined;
}

/** How a statement names a value: as a parameter, or as a column of the questions that are asked together. */
type Given = (name: keyof RedeemValues) => string;

const bound: Given = (name) => `:${name}`;
const asked: Given = (name) => `q."${name}"`;
/** Names a value in the parts after `redeemed`, which has passed it on. */
const passedOn: Given = (name) => `r."${name}"`;

/**
 * The condition for a code to be redeemed: fresh and unused, by its client, at its redirect URI, with its PKCE verifier
 * and its key.
 */
function isRedeemable(given: Given): string {
  return `r.redeemed_at IS NULL AND r.code_expires_at > ${given('now')}
       AND r.client_id = ${given('clientId')} AND r.redirect_uri = ${given('redirectUri')}
       AND r.code_challenge IS NOT DISTINCT FROM ${given('codeChallenge')}
       AND ${given('resources')}::text[] <@ r.resources
       AND (r.dpop_jkt IS NULL OR r.dpop_jkt = ${given('thumbprint')})
       AND (${given('answeredAfter')}::timestamptz IS NULL OR r.answered_at > ${given('answeredAfter')})
       AND (r.pushed_id IS NOT NULL OR NOT ${given('mustPush')}::boolean)
       AND (r.is_signed OR NOT ${given('mustSign')}::boolean)
       AND (r.code_challenge IS NOT NULL OR NOT ${given('mustUsePkce')}::boolean)`;
}

/**
 * What follows `redeemed`: the user, if everybody involved is still active, and the family of refresh tokens, if one
 * was granted.
 */
function issueSql({ isLiving, remembered }: SessionParts, given: Given): string {
  return `living AS (
     SELECT r.*, ${subjectColumn(given('projectIds'), `${given('metadataScope')} = ANY(r.scopes)`, `'groups' = ANY(r.scopes)`)}
     FROM redeemed r
     JOIN user_account u ON u.id = r.user_id AND u.state = 'active' AND u.token_epoch = r.token_epoch
     ${SUBJECT_JOINS}
     WHERE ${isLiving} AND NOT ${isRemovedSince('answered_at')}),${remembered}
   family AS (
     INSERT INTO token_family (
       id, client_id, user_id, session_id, scopes, resources, claims, auth_time, amr, acr_requested, token_epoch,
       dpop_jkt, created_at, spent_at, idle_expires_at, expires_at)
     SELECT
       r.id,
       r.client_id,
       r.user_id,
       r.session_id,
       r.scopes,
       r.resources,
       r.claims,
       r.auth_time,
       r.amr,
       cardinality(r.acr_values) > 0,
       r.token_epoch,
       ${given('boundTo')},
       ${given('now')},
       ${given('now')},
       ${given('idleExpiresAt')},
       ${given('expiresAt')}
     FROM living r
     WHERE 'offline_access' = ANY(r.scopes) AND ${given('mayRefresh')}::boolean
     RETURNING id)
   SELECT
     l.subject,
     l.id AS "requestId",
     l.scopes AS "grantedScopes",
     l.resources AS "grantedResources",
     ${columnsOf(AuthRequestRow, 'l', ['nonce', 'claims', 'authTime', 'amr', 'isProved', 'sessionId'])},
     cardinality(l.acr_values) > 0 AS "acrRequested",
     l.id IN (SELECT family.id FROM family) AS "hasFamily"`;
}

/**
 * Redeeming is one statement, so it commits by itself and its row count decides: the code is used up if client,
 * redirect_uri and PKCE match and it is fresh; the family of its refresh tokens begins if `offline_access` was granted;
 * the user is read, if everybody involved is still active. It writes the tables of two modules, because two statements
 * would need a transaction, three more round trips on the hottest path of all.
 */
function redeemSql(isRemembered: boolean): string {
  const session = sessionParts(isRemembered);
  return `WITH redeemed AS (
     UPDATE auth_request r SET redeemed_at = :now
     WHERE r.id = :id AND ${isRedeemable(bound)}
     RETURNING r.*),${session.held}
   ${issueSql(session, bound)}
   FROM redeemed r
   LEFT JOIN living l ON l.id = r.id`;
}

interface RedeemValues extends Demands {
  readonly id: string;
  readonly now: Date;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly resources: readonly string[];
  readonly thumbprint: string | null;
  /** The earliest answer that counts; set by a profile, which may have been switched on since (FAP-001). */
  readonly answeredAfter: Date | null;
  /** Refresh tokens may have been taken from the application since. */
  readonly mayRefresh: boolean;
  /** The thumbprint of the key to which the family of refresh tokens is bound. */
  readonly boundTo: string | null;
  readonly projectIds: readonly string[] | null;
  readonly metadataScope: string;
  readonly idleExpiresAt: Date;
  readonly expiresAt: Date;
}

const REDEEM = statement<RedeemValues>('code.redeem', redeemSql(false)).rows<RedeemedRow>();

/**
 * Redeems several codes, without those that are being redeemed at this moment. A code that is among them twice is
 * used up by one. Neither part is a plain join of the requests: for that, the planner reads a whole index as long as it
 * has no statistics.
 */
const REDEEM_TOGETHER = statement<{ readonly questions: string }>(
  'code.redeem_together',
  `WITH asked AS MATERIALIZED (
     SELECT q.*
     FROM json_to_recordset(:questions::json) AS q(
       place int, id text, now timestamptz, "clientId" text, "redirectUri" text, "codeChallenge" text, resources text[],
       thumbprint text, "answeredAfter" timestamptz, "mustPush" boolean, "mustSign" boolean, "mustUsePkce" boolean,
       "mayRefresh" boolean, "boundTo" text, "projectIds" text[], "metadataScope" text,
       "idleExpiresAt" timestamptz, "expiresAt" timestamptz)),
   free AS MATERIALIZED (
     SELECT one.id
     FROM asked q
     CROSS JOIN LATERAL (
       SELECT r.id
       FROM auth_request r
       WHERE r.id = q.id
       FOR NO KEY UPDATE SKIP LOCKED) one),
   redeemed AS (
     UPDATE auth_request r SET redeemed_at = q.now
     FROM asked q
     WHERE r.id = ANY(ARRAY(SELECT free.id FROM free)) AND r.id = q.id AND ${isRedeemable(asked)}
     RETURNING
       r.*,
       q.place,
       q.now,
       q."mayRefresh",
       q."boundTo",
       q."projectIds",
       q."metadataScope",
       q."idleExpiresAt",
       q."expiresAt"),
   ${issueSql(sessionParts(false), passedOn)},
     r.place
   FROM redeemed r
   LEFT JOIN living l ON l.id = r.id`,
);

/** Also records the application, for those that must be told of the end of the session. */
const REDEEM_AND_REMEMBER = statement<RedeemValues & RememberedValues>(
  'code.redeem_and_remember',
  redeemSql(true),
).rows<RedeemedRow>();

/** `requestId` is null where the code was used up although somebody involved is not active any more. */
type RedeemedRow = RedeemedCode | { readonly requestId: null };

const FIND = statement(
  'code.find',
  `SELECT ${columnsOf(AuthRequestRow, 'r', ['clientId', 'redeemedAt', 'codeExpiresAt', 'resources', 'dpopJkt'])}
   FROM auth_request r
   WHERE r.id = :id`,
).rows<CodeRow>();

interface CodeRow {
  readonly clientId: string;
  readonly redeemedAt: Date | null;
  readonly codeExpiresAt: Date | null;
  readonly resources: readonly string[];
  readonly dpopJkt: string | null;
}

@Injectable()
export class CodeRedemption {
  private readonly redeeming: BatchedWrite<RedeemValues, RedeemedRow>;

  constructor(
    private readonly requests: AuthRequestService,
    private readonly demands: RequestDemands,
    private readonly ends: TokenEnds,
    private readonly families: TokenFamilyRepository,
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly urn: Urn,
    private readonly clock: Clock,
  ) {
    this.redeeming = new BatchedWrite<RedeemValues, RedeemedRow>(database, {
      together: REDEEM_TOGETHER,
      alone: async (values) => {
        const [code] = await database.query(REDEEM, values);
        return code;
      },
    });
  }

  /** RFC 6749 §4.1.3, RFC 7636 §4.6. A refused second use has ended every token of the first when this returns. */
  async redeem(input: Redemption): Promise<RedeemedCode | RefusedCode> {
    const id = this.requests.openCode(input.code);
    if (id === undefined) return { refusal: 'unknown' };
    const instance = await this.instances.get();
    const now = this.clock.now();
    const challenge = input.codeVerifier === undefined ? null : sha256Base64Url(input.codeVerifier);
    const { codeSeconds } = input.client;
    const values: RedeemValues = {
      id,
      now,
      clientId: input.client.id,
      redirectUri: input.redirectUri,
      codeChallenge: challenge,
      resources: input.resources,
      thumbprint: input.thumbprint ?? null,
      answeredAfter: codeSeconds === undefined ? null : secondsAfter(now, -codeSeconds),
      ...this.demands.of(input.client),
      mayRefresh: input.client.mayUse('refresh_token'),
      boundTo: familyKeyOf(input.client, input.thumbprint),
      projectIds: input.client.assertsRoles ? ALL_PROJECTS : null,
      metadataScope: this.urn.metadata,
      idleExpiresAt: secondsAfter(now, instance.refreshIdleSeconds),
      expiresAt: secondsAfter(now, instance.refreshAbsoluteSeconds),
    };
    const code = input.client.isToldOfLogout
      ? await this.redeemAndRemember(values, input.client.clientEpoch)
      : await this.redeeming.ask(values);
    if (!code) return this.explain(id, input, now);
    return code.requestId === null ? { refusal: 'user-not-active' } : code;
  }

  private async redeemAndRemember(values: RedeemValues, clientEpoch: string): Promise<RedeemedRow | undefined> {
    const [code] = await this.database.query(REDEEM_AND_REMEMBER, { ...values, clientEpoch });
    return code;
  }

  private async explain(id: string, { client, resources, thumbprint }: Redemption, now: Date): Promise<RefusedCode> {
    const [row] = await this.database.query(FIND, { id });
    if (!row) return this.explainForgotten(id, client);
    // The code of another client: a thief must not be able to end the tokens of its owner as well.
    if (row.clientId !== client.id) return { refusal: 'of-another-client' };
    if (row.redeemedAt) return this.endReused(id);
    if (row.codeExpiresAt === null || row.codeExpiresAt <= now) return { refusal: 'expired' };
    if (row.dpopJkt !== null && row.dpopJkt !== thumbprint) return { refusal: 'of-another-key' };
    return { refusal: resources.every((uri) => row.resources.includes(uri)) ? 'mismatch' : 'resource-exceeds-grant' };
  }

  /** The request was deleted long ago; refresh tokens from its code may still be valid, with its id. */
  private async explainForgotten(id: string, client: Client): Promise<RefusedCode> {
    const family = await this.families.find(id);
    return family?.clientId === client.id ? this.endReused(id) : { refusal: 'unknown' };
  }

  /** RFC 6749 §4.1.2: a second use revokes the tokens of the first. */
  private async endReused(id: string): Promise<RefusedCode> {
    return { refusal: 'used', ended: await this.ends.endFamily(id, 'code_reused') };
  }
}
