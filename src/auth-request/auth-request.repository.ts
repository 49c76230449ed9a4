import { Injectable } from '@nestjs/common';
import { sha256 } from '../foundation/crypto/digest.js';
import { BatchedRead } from '../foundation/database/batched-read.js';
import { insertInto } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { sessionJoins } from '../session/browser-sessions.js';
import { addBrowserSql } from '../session/session.service.js';
import { AuthRequestRow } from './auth-request.entity.js';
import type { NewAuthRequest } from './auth-request.js';
import {
  type Answer,
  NEW_PROPERTIES,
  type NewRow,
  OPENED_COLUMNS,
  type OpenedRequest,
  type OpenedRow,
  type RequestTimes,
  toOpened,
  toRow,
} from './stored-request.js';

const ADD_SQL = insertInto(AuthRequestRow, NEW_PROPERTIES);

const ADD = statement<NewRow>('auth_request.add', ADD_SQL);

/**
 * The same for a user who has to sign in: the browser, although it may never be used to sign in, is kept as long as the
 * request.
 */
const ADD_PENDING = statement<NewRow>(
  'auth_request.add_pending',
  `WITH browser_row AS (
     UPDATE browser SET seen_at = :createdAt
     WHERE id = :browserId AND previous_key_hash IS NULL)
   ${ADD_SQL}`,
);

/** The same with the browser of the request: most users who have to sign in come with a new one. */
const ADD_WITH_BROWSER = statement<NewRow & { readonly keyHash: Buffer }>(
  'auth_request.add_with_browser',
  `WITH browser_row AS (${addBrowserSql(':browserId', ':keyHash', ':createdAt')})
   ${ADD_SQL}`,
);

/** The browser of a cookie, its sessions, and the request if it belongs to this browser: a row for each session. */
const OPEN = statement(
  'auth_request.open',
  `SELECT q.place, (
     SELECT json_agg(found)
     FROM (
       SELECT ${OPENED_COLUMNS}
       FROM browser b
       LEFT JOIN auth_request r ON r.id = q.id AND r.browser_id = b.id
       ${sessionJoins('q."instanceId"')}
       WHERE b.key_hash = decode(q."keyHash", 'hex')
       ORDER BY s.created_at) found) AS answer
   FROM json_to_recordset(:questions::json) AS q(place int, "keyHash" text, "instanceId" text, id text)`,
);

/** The same by the cookie value that the latest sign-in has replaced. */
const OPEN_BY_PREVIOUS = statement(
  'auth_request.open_by_previous',
  `SELECT ${OPENED_COLUMNS}
   FROM auth_request r
   JOIN browser b ON b.id = r.browser_id AND b.previous_key_hash = :keyHash AND b.seen_at > :since
   ${sessionJoins(':instanceId')}
   WHERE r.id = :id
   ORDER BY s.created_at`,
).rows<OpenedRow>();

/** A request is answered once: the row count decides. */
const ANSWER = statement(
  'auth_request.answer',
  `UPDATE auth_request SET
     answered_at = :answeredAt,
     user_id = :userId,
     session_id = :sessionId,
     auth_time = :authTime,
     amr = :amr,
     token_epoch = :tokenEpoch,
     code_expires_at = :codeExpiresAt
   WHERE id = :id AND answered_at IS NULL
   RETURNING id`,
);

// Another user who continues has not consented to anything yet.

const SET_LOGIN_NAME = statement(
  'auth_request.login_name',
  `UPDATE auth_request SET
     login_name = :loginName,
     user_id = NULL,
     account_chosen = true,
     consent_given = false,
     registration_id = NULL,
     password_expires_at = NULL,
     password_change_wanted = false
   WHERE id = :id AND answered_at IS NULL`,
);

const SET_USER = statement(
  'auth_request.user',
  `UPDATE auth_request SET
     user_id = :userId,
     login_name = :loginName,
     account_chosen = true,
     consent_given = consent_given AND user_id IS NOT DISTINCT FROM :userId,
     registration_id = NULL,
     password_expires_at = NULL,
     password_change_wanted = false
   WHERE id = :id AND answered_at IS NULL`,
);

/** Giving consent also confirms the user of the request. */
const GIVE_CONSENT = statement(
  'auth_request.consent',
  `UPDATE auth_request SET consent_given = true, user_id = :userId
   WHERE id = :id AND answered_at IS NULL`,
);

/** A user who returned from a provider unknown continues without any account, whatever was typed or chosen before. */
const SET_EXTERNAL = statement(
  'auth_request.external',
  `UPDATE auth_request SET
     external_login_id = :loginId,
     external_proved_at = :provedAt,
     external_org_id = :orgId,
     user_id = NULL,
     login_name = NULL,
     account_chosen = false,
     consent_given = false,
     registration_id = NULL
   WHERE id = :id AND answered_at IS NULL`,
);

/** The user claims to have an account and is asked for its name. */
const GO_ON_LOCALLY = statement(
  'auth_request.local',
  `UPDATE auth_request SET user_id = NULL, login_name = NULL, account_chosen = true
   WHERE id = :id AND answered_at IS NULL`,
);

const CLEAR_EXTERNAL = statement(
  'auth_request.external_done',
  `UPDATE auth_request SET external_login_id = NULL, external_proved_at = NULL, external_org_id = NULL
   WHERE id = :id AND answered_at IS NULL`,
);

/** A user who registers continues without any account. */
const SET_REGISTRATION = statement(
  'auth_request.registration',
  `UPDATE auth_request SET registration_id = :registrationId, user_id = NULL, consent_given = false
   WHERE id = :id AND answered_at IS NULL`,
);

const WARN_OF_EXPIRY = statement(
  'auth_request.password_expires',
  `UPDATE auth_request SET password_expires_at = :passwordExpiresAt
   WHERE id = :id AND answered_at IS NULL`,
);

const HEED_EXPIRY = statement(
  'auth_request.password_expiry_told',
  `UPDATE auth_request SET password_expires_at = NULL, password_change_wanted = :passwordChangeWanted
   WHERE id = :id AND answered_at IS NULL`,
);

const SET_LANGUAGE = statement(
  'auth_request.language',
  `UPDATE auth_request SET ui_locales = ARRAY[:language]
   WHERE id = :id AND answered_at IS NULL`,
);

const CREATED_BEFORE = purgeStatement('auth_request', 'id', 'created_at < :moment');
const UNANSWERED_SINCE = purgeStatement('auth_request', 'id', 'answered_at IS NULL AND expires_at < :moment');

@Injectable()
export class AuthRequestRepository {
  private readonly opened: BatchedRead<{ keyHash: string; instanceId: string; id: string }, OpenedRow[]>;

  constructor(private readonly database: Database) {
    this.opened = new BatchedRead(database, OPEN);
  }

  async add(request: NewAuthRequest, times: RequestTimes, answer?: Answer): Promise<void> {
    await this.database.query(answer ? ADD : ADD_PENDING, toRow(request, times, answer));
  }

  async addWithBrowser(request: NewAuthRequest, times: RequestTimes, cookieValue: string): Promise<void> {
    await this.database.query(ADD_WITH_BROWSER, { ...toRow(request, times), keyHash: sha256(cookieValue) });
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
      await this.database.query(OPEN_BY_PREVIOUS, { keyHash: sha256(cookieValue), instanceId, id, since }),
    );
  }

  async answer(on: Queryable, id: string, answer: Answer): Promise<boolean> {
    const rows = await on.query(ANSWER, {
      id,
      answeredAt: answer.answeredAt,
      userId: answer.userId,
      sessionId: answer.sessionId,
      authTime: answer.authTime,
      amr: answer.amr,
      tokenEpoch: answer.tokenEpoch,
      codeExpiresAt: answer.codeExpiresAt,
    });
    return rows.length === 1;
  }

  async setLoginName(id: string, loginName: string): Promise<void> {
    await this.database.query(SET_LOGIN_NAME, { id, loginName });
  }

  async setUser(on: Queryable, id: string, userId: string, loginName: string): Promise<void> {
    await on.query(SET_USER, { id, userId, loginName });
  }

  async setExternal(id: string, loginId: string, orgId: string, provedAt: Date): Promise<void> {
    await this.database.query(SET_EXTERNAL, { id, loginId, provedAt, orgId });
  }

  async goOnLocally(id: string): Promise<void> {
    await this.database.query(GO_ON_LOCALLY, { id });
  }

  async clearExternal(on: Queryable, id: string): Promise<void> {
    await on.query(CLEAR_EXTERNAL, { id });
  }

  async setRegistration(on: Queryable, id: string, registrationId: string): Promise<void> {
    await on.query(SET_REGISTRATION, { id, registrationId });
  }

  async warnOfExpiry(id: string, passwordExpiresAt: Date): Promise<void> {
    await this.database.query(WARN_OF_EXPIRY, { id, passwordExpiresAt });
  }

  async acknowledgeExpiry(on: Queryable, id: string, passwordChangeWanted: boolean): Promise<void> {
    await on.query(HEED_EXPIRY, { id, passwordChangeWanted });
  }

  async setLanguage(id: string, language: string): Promise<void> {
    await this.database.query(SET_LANGUAGE, { id, language });
  }

  async giveConsent(id: string, userId: string): Promise<void> {
    await this.database.query(GIVE_CONSENT, { id, userId });
  }

  async purgeCreatedBefore(on: Queryable, moment: Date): Promise<number> {
    return runPurge(on, CREATED_BEFORE, moment);
  }

  async purgeUnanswered(on: Queryable, expiredBefore: Date): Promise<number> {
    return runPurge(on, UNANSWERED_SINCE, expiredBefore);
  }
}
