import { Injectable } from '@nestjs/common';
import { sha256 } from '../foundation/crypto/digest.js';
import { BatchedRead } from '../foundation/database/batched-read.js';
import { Database } from '../foundation/database/database.js';
import { purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, type SqlValue, statement } from '../foundation/database/statement.js';
import {
  type BrowserRow,
  type KnownBrowser,
  SESSION_COLUMN,
  sessionJoins,
  toKnownBrowser,
} from '../session/browser-sessions.js';
import { addBrowserSql } from '../session/session.service.js';
import type { AuthRequest, NewAuthRequest } from './auth-request.js';

const ADD_SQL = `INSERT INTO auth_request (id, browser_id, client_id, redirect_uri, response_type, response_mode, scopes, state, nonce,
     code_challenge, prompts, max_age_seconds, ui_locales, acr_values, claims, required_org_id, required_user_id,
     created_at, expires_at, login_name, user_id, session_id, auth_time, amr, token_epoch, answered_at, code_expires_at,
     second_factor_required)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
     $25, $26, $27, $28)`;

const ADD = statement('auth_request.add', ADD_SQL);

/**
 * The same for a user who has to sign in: the browser, although it may never be used to sign in, is kept as long as the
 * request.
 */
const ADD_PENDING = statement(
  'auth_request.add_pending',
  `WITH browser_row AS (UPDATE browser SET seen_at = $18 WHERE id = $2 AND previous_key_hash IS NULL) ${ADD_SQL}`,
);

/** The same with the browser of the request: most users who have to sign in come with a new one. */
const ADD_WITH_BROWSER = statement(
  'auth_request.add_with_browser',
  `WITH browser_row AS (${addBrowserSql('$2', '$29', '$18')}) ${ADD_SQL}`,
);

const OPENED_COLUMNS = `b.id AS "browserId", ${SESSION_COLUMN}, r.id, r.client_id AS "clientId", r.redirect_uri AS "redirectUri",
     r.response_type AS "responseType", r.response_mode AS "responseMode", r.scopes, r.state, r.nonce,
     r.code_challenge AS "codeChallenge", r.prompts, r.max_age_seconds AS "maxAgeSeconds", r.ui_locales AS "uiLocales",
     r.acr_values AS "acrValues", r.second_factor_required AS "secondFactorRequired", r.claims, r.required_org_id AS "requiredOrgId", r.required_user_id AS "requiredUserId",
     r.created_at AS "createdAt", r.expires_at AS "expiresAt", r.login_name AS "loginName", r.user_id AS "userId",
     r.account_chosen AS "accountChosen", r.consent_given AS "consentGiven", r.answered_at AS "answeredAt",
     r.external_login_id AS "externalLoginId", r.external_proved_at AS "externalProvedAt", r.external_org_id AS "externalOrgId", r.registration_id AS "registrationId",
     r.password_expires_at AS "passwordExpiresAt", r.password_change_wanted AS "passwordChangeWanted"`;

/** The browser of a cookie, its sessions, and the request if it belongs to this browser: a row for each session. */
const OPEN = statement(
  'auth_request.open',
  `SELECT q.place, (SELECT json_agg(found) FROM (
     SELECT ${OPENED_COLUMNS}
     FROM browser b LEFT JOIN auth_request r ON r.id = q.id AND r.browser_id = b.id ${sessionJoins('q."instanceId"')}
     WHERE b.key_hash = decode(q."keyHash", 'hex') ORDER BY s.created_at) found) AS answer
   FROM json_to_recordset(:questions::json) AS q(place int, "keyHash" text, "instanceId" text, id text)`,
);

/** The same by the cookie value that the latest sign-in has replaced. */
const OPEN_BY_PREVIOUS = statement(
  'auth_request.open_by_previous',
  `SELECT ${OPENED_COLUMNS}
   FROM auth_request r JOIN browser b ON b.id = r.browser_id AND b.previous_key_hash = $1 AND b.seen_at > $4 ${sessionJoins('$2')}
   WHERE r.id = $3 ORDER BY s.created_at`,
);

/** A request is answered once: the row count decides. */
const ANSWER = statement(
  'auth_request.answer',
  `UPDATE auth_request SET answered_at = $2, user_id = $3, session_id = $4, auth_time = $5, amr = $6, token_epoch = $7,
     code_expires_at = $8
   WHERE id = $1 AND answered_at IS NULL RETURNING id`,
);

// Another user who continues has not consented to anything yet.

const SET_LOGIN_NAME = statement(
  'auth_request.login_name',
  `UPDATE auth_request SET login_name = $2, user_id = NULL, account_chosen = true, consent_given = false, registration_id = NULL,
     password_expires_at = NULL, password_change_wanted = false
   WHERE id = $1 AND answered_at IS NULL`,
);

const SET_USER = statement(
  'auth_request.user',
  `UPDATE auth_request SET user_id = $2, login_name = $3, account_chosen = true, registration_id = NULL,
     password_expires_at = NULL, password_change_wanted = false,
     consent_given = consent_given AND user_id IS NOT DISTINCT FROM $2
   WHERE id = $1 AND answered_at IS NULL`,
);

/** Giving consent also confirms the user of the request. */
const GIVE_CONSENT = statement(
  'auth_request.consent',
  'UPDATE auth_request SET consent_given = true, user_id = $2 WHERE id = $1 AND answered_at IS NULL',
);

/** A user who returned from a provider unknown continues without any account, whatever was typed or chosen before. */
const SET_EXTERNAL = statement(
  'auth_request.external',
  `UPDATE auth_request SET external_login_id = $2, external_proved_at = $3, external_org_id = $4, user_id = NULL, login_name = NULL, account_chosen = false,
     consent_given = false, registration_id = NULL
   WHERE id = $1 AND answered_at IS NULL`,
);

/** The user claims to have an account and is asked for its name. */
const GO_ON_LOCALLY = statement(
  'auth_request.local',
  'UPDATE auth_request SET user_id = NULL, login_name = NULL, account_chosen = true WHERE id = $1 AND answered_at IS NULL',
);

const CLEAR_EXTERNAL = statement(
  'auth_request.external_done',
  'UPDATE auth_request SET external_login_id = NULL, external_proved_at = NULL, external_org_id = NULL WHERE id = $1 AND answered_at IS NULL',
);

/** A user who registers continues without any account. */
const SET_REGISTRATION = statement(
  'auth_request.registration',
  `UPDATE auth_request SET registration_id = $2, user_id = NULL, consent_given = false WHERE id = $1 AND answered_at IS NULL`,
);

const WARN_OF_EXPIRY = statement(
  'auth_request.password_expires',
  'UPDATE auth_request SET password_expires_at = $2 WHERE id = $1 AND answered_at IS NULL',
);

const HEED_EXPIRY = statement(
  'auth_request.password_expiry_told',
  'UPDATE auth_request SET password_expires_at = NULL, password_change_wanted = $2 WHERE id = $1 AND answered_at IS NULL',
);

const SET_LANGUAGE = statement(
  'auth_request.language',
  'UPDATE auth_request SET ui_locales = ARRAY[$2] WHERE id = $1 AND answered_at IS NULL',
);

const CREATED_BEFORE = purgeStatement('auth_request', 'id', 'created_at < :moment');
const UNANSWERED_SINCE = purgeStatement('auth_request', 'id', 'answered_at IS NULL AND expires_at < :moment');

/** The session that answers a request, with the factors that were checked. */
export interface Answer {
  readonly userId: string;
  readonly sessionId: string;
  readonly authTime: Date;
  readonly amr: readonly string[];
  readonly tokenEpoch: number;
  readonly answeredAt: Date;
  /** Null for the implicit flow, which has no code. */
  readonly codeExpiresAt: Date | null;
}

export interface RequestTimes {
  readonly id: string;
  readonly browserId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A browser, and the requested authorization if it belongs to this browser. */
export interface OpenedRequest {
  readonly browser: KnownBrowser;
  readonly request: AuthRequest | undefined;
}

@Injectable()
export class AuthRequestRepository {
  private readonly opened: BatchedRead<{ keyHash: string; instanceId: string; id: string }, OpenedRow[]>;

  constructor(private readonly database: Database) {
    this.opened = new BatchedRead(database, OPEN);
  }

  async add(request: NewAuthRequest, times: RequestTimes, answer?: Answer): Promise<void> {
    await this.database.query(answer ? ADD : ADD_PENDING, toValues(request, times, answer));
  }

  async addWithBrowser(request: NewAuthRequest, times: RequestTimes, cookieValue: string): Promise<void> {
    await this.database.query(ADD_WITH_BROWSER, [...toValues(request, times), sha256(cookieValue)]);
  }

  async open(cookieValue: string, id: string, instanceId: string): Promise<OpenedRequest | undefined> {
    return toOpened((await this.opened.ask({ keyHash: sha256(cookieValue).toString('hex'), instanceId, id })) ?? []);
  }

  /** By the cookie value that was replaced after `since`. */
  async openByPrevious(
    cookieValue: string,
    id: string,
    instanceId: string,
    since: Date,
  ): Promise<OpenedRequest | undefined> {
    return toOpened(
      await this.database.query<OpenedRow>(OPEN_BY_PREVIOUS, [sha256(cookieValue), instanceId, id, since]),
    );
  }

  async answer(on: Queryable, id: string, answer: Answer): Promise<boolean> {
    const rows = await on.query(ANSWER, [
      id,
      answer.answeredAt,
      answer.userId,
      answer.sessionId,
      answer.authTime,
      answer.amr,
      answer.tokenEpoch,
      answer.codeExpiresAt,
    ]);
    return rows.length === 1;
  }

  async setLoginName(id: string, loginName: string): Promise<void> {
    await this.database.query(SET_LOGIN_NAME, [id, loginName]);
  }

  async setUser(on: Queryable, id: string, userId: string, loginName: string): Promise<void> {
    await on.query(SET_USER, [id, userId, loginName]);
  }

  async setExternal(id: string, loginId: string, orgId: string, provedAt: Date): Promise<void> {
    await this.database.query(SET_EXTERNAL, [id, loginId, provedAt, orgId]);
  }

  async goOnLocally(id: string): Promise<void> {
    await this.database.query(GO_ON_LOCALLY, [id]);
  }

  async clearExternal(on: Queryable, id: string): Promise<void> {
    await on.query(CLEAR_EXTERNAL, [id]);
  }

  async setRegistration(on: Queryable, id: string, registrationId: string): Promise<void> {
    await on.query(SET_REGISTRATION, [id, registrationId]);
  }

  async warnOfExpiry(id: string, passwordExpiresAt: Date): Promise<void> {
    await this.database.query(WARN_OF_EXPIRY, [id, passwordExpiresAt]);
  }

  async acknowledgeExpiry(on: Queryable, id: string, passwordChangeWanted: boolean): Promise<void> {
    await on.query(HEED_EXPIRY, [id, passwordChangeWanted]);
  }

  async setLanguage(id: string, language: string): Promise<void> {
    await this.database.query(SET_LANGUAGE, [id, language]);
  }

  async giveConsent(id: string, userId: string): Promise<void> {
    await this.database.query(GIVE_CONSENT, [id, userId]);
  }

  async purgeCreatedBefore(on: Queryable, moment: Date): Promise<number> {
    return runPurge(on, CREATED_BEFORE, moment);
  }

  async purgeUnanswered(on: Queryable, expiredBefore: Date): Promise<number> {
    return runPurge(on, UNANSWERED_SINCE, expiredBefore);
  }
}

function toValues(request: NewAuthRequest, times: RequestTimes, answer?: Answer): SqlValue[] {
  return [
    times.id,
    times.browserId,
    request.clientId,
    request.redirectUri,
    request.responseType,
    request.responseMode,
    request.scopes,
    request.state ?? null,
    request.nonce ?? null,
    request.codeChallenge ?? null,
    request.prompts,
    request.maxAgeSeconds ?? null,
    request.uiLocales,
    request.acrValues,
    request.claims ? JSON.stringify(request.claims) : null,
    request.requiredOrgId ?? null,
    request.requiredUserId ?? null,
    times.createdAt,
    times.expiresAt,
    request.loginHint ?? null,
    answer?.userId ?? null,
    answer?.sessionId ?? null,
    answer?.authTime ?? null,
    answer?.amr ?? [],
    answer?.tokenEpoch ?? 0,
    answer?.answeredAt ?? null,
    answer?.codeExpiresAt ?? null,
    request.secondFactorRequired,
  ];
}

type OpenedRow = BrowserRow & Record<string, unknown>;

function toOpened(rows: readonly OpenedRow[]): OpenedRequest | undefined {
  const browser = toKnownBrowser(rows);
  return browser && { browser, request: toRequest(rows[0]!) };
}

function toRequest(row: OpenedRow): AuthRequest | undefined {
  if (row['id'] === null) return undefined;
  const present = Object.entries(row)
    .filter(([name]) => name !== 'session')
    .map(([name, value]) => [name, value ?? undefined] as const);
  const request = Object.fromEntries(present) as unknown as AuthRequest;
  return { ...request, ...datesOf(request) };
}

/** In JSON, timestamps of a row are strings. */
function datesOf({
  createdAt,
  expiresAt,
  answeredAt,
  externalProvedAt,
  passwordExpiresAt,
}: AuthRequest): Pick<
  AuthRequest,
  'createdAt' | 'expiresAt' | 'answeredAt' | 'externalProvedAt' | 'passwordExpiresAt'
> {
  return {
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
    answeredAt: answeredAt && new Date(answeredAt),
    externalProvedAt: externalProvedAt && new Date(externalProvedAt),
    passwordExpiresAt: passwordExpiresAt && new Date(passwordExpiresAt),
  };
}
