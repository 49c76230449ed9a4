import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256 } from '../foundation/crypto/digest.js';
import { newId } from '../foundation/crypto/id.js';
import { MasterKeys } from '../foundation/crypto/master-key.js';
import { BatchedRead } from '../foundation/database/batched-read.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import type { Purge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { Journal } from '../foundation/event/journal.js';
import { Tallies } from '../foundation/metrics/tallies.js';
import { Clock } from '../foundation/time/clock.js';
import { secondsAfter } from '../foundation/time/duration.js';
import { InstanceService } from '../instance/instance.service.js';
import type { SecondFactor } from '../policy/login-policy.entity.js';
import {
  ACCOUNT_COLUMNS,
  type LoginNameQuestion,
  loginNameSql,
  soleOf,
  toLoginNameQuestion,
} from '../user/login-name-search.js';
import { browserIdOf, firstCookieValue, isFirstCookieValue } from './browser-id.js';
import type { BrowserSession } from './browser-session.js';
import {
  type BrowserRow,
  type KnownBrowser,
  SESSION_COLUMN,
  sessionJoins,
  sessionJson,
  toKnownBrowser,
} from './browser-sessions.js';
import { Candidate, type FoundCandidate } from './candidate.js';
import type { Device } from './device.js';
import { purgeSessions } from './expired-sessions.js';
import {
  type ExternalProof,
  type PasswordProof,
  SIGN_IN_PARTS,
  SIGN_IN_RESULT,
  type SignInResult,
  type SignInValues,
} from './sign-in-sql.js';

interface BrowserQuestion {
  readonly keyHash: string;
  readonly browserId: string;
  readonly since: string;
  readonly instanceId: string;
}

type FoundRow = BrowserRow & { readonly isCurrent: boolean; readonly isReplaced: boolean };

/** A form that arrives again within this time was sent twice, by a double click or after a lost answer. */
const REPEAT_SECONDS = 10;

/** The browser's cookie value is known only here and in the browser. */
export interface IssuedBrowser {
  readonly browserId: string;
  readonly cookieValue: string;
}

const FIND_BROWSER = statement(
  'session.browser',
  `SELECT q.place, (
     SELECT json_agg(found)
     FROM (
       SELECT b.id AS "browserId", b.key_hash = decode(q."keyHash", 'hex') AS "isCurrent",
         coalesce(b.previous_key_hash = decode(q."keyHash", 'hex') AND b.seen_at > q.since, false) AS "isReplaced",
         ${SESSION_COLUMN}
       FROM browser b
       ${sessionJoins('q."instanceId"')}
       WHERE b.id = coalesce(
         (SELECT c.id FROM browser c WHERE c.key_hash = decode(q."keyHash", 'hex')),
         q."browserId")
       ORDER BY s.created_at) found) AS answer
   FROM json_to_recordset(:questions::json)
     AS q(place int, "keyHash" text, "browserId" text, since timestamptz, "instanceId" text)`,
);

/** A browser that has sent a cookie. */
export interface FoundBrowser extends KnownBrowser {
  /** The cookie value is the one that a sign-in has just replaced: the form was sent twice. */
  readonly isReplaced: boolean;
}

/** A browser as it arrived: its id, the cookie value that it sent, and what it says about itself. */
export interface SentBrowser {
  readonly id: string;
  readonly cookieValue: string;
  readonly device: Device;
}

/** A session that has begun or was renewed, and the new cookie value. */
export interface BegunSession extends IssuedBrowser {
  readonly sessionId: string;
  /** The same form has done so a moment ago: nothing was recorded again. */
  readonly isRepeated: boolean;
}

/** Why no session has begun, although the user has authenticated. */
export interface RefusedSignIn {
  /**
   * `account_changed`: another password, or the account was locked or deactivated. `browser_replaced`: another user has
   * signed in with the same cookie value.
   */
  readonly refusal: 'account_changed' | 'browser_replaced';
}

interface CandidateQuestion extends LoginNameQuestion {
  readonly browserId: string;
}

const FIND_CANDIDATE = statement(
  'session.candidate',
  `SELECT q.place, (
     SELECT json_agg(found)
     FROM (
       ${loginNameSql(
         `${ACCOUNT_COLUMNS}, u.sequence::text AS "userSequence", ${sessionJson('ud.domain')} AS "session"`,
         (name) => `q."${name}"`,
         'LEFT JOIN session s ON s.browser_id = q."browserId" AND s.user_id = u.id AND s.ended_at IS NULL',
       )}) found) AS answer
   FROM json_to_recordset(:questions::json)
     AS q(place int, "nameKey" text, "localKey" text, domain text, "orgId" text, phone text, "browserId" text)`,
);

const SIGN_IN = statement<SignInValues>(
  'session.sign_in',
  `WITH ${SIGN_IN_PARTS}
   SELECT ${SIGN_IN_RESULT}`,
).rows<SignInResult>();

const FIND_REPEATED = statement(
  'session.find_repeated',
  `SELECT s.id
   FROM browser b
   JOIN session s ON s.browser_id = b.id AND s.user_id = :userId AND s.ended_at IS NULL
   JOIN user_account u ON u.id = s.user_id
   WHERE b.id = :browserId AND b.key_hash = :keyHash AND b.previous_key_hash = :previousKeyHash
     AND u.state = 'active' AND (:userEpoch::int IS NULL OR u.token_epoch = :userEpoch)`,
).rows<{ id: string }>();

const END = statement(
  'session.end',
  `UPDATE session SET ended_at = :now
   WHERE id = ANY(:sessionIds) AND ended_at IS NULL
   RETURNING id, user_id AS "userId"`,
).rows<{ id: string; userId: string }>();

/** A correct guess that arrives after the lock must not count, now or later. */
const CHECK_FACTOR = statement(
  'session.check_factor',
  `WITH person AS MATERIALIZED (
     SELECT u.id
     FROM user_account u
     JOIN session s ON s.user_id = u.id
     WHERE s.id = :id AND u.state = 'active'
     FOR SHARE OF u)
   UPDATE session SET factor_checked_at = :now
   FROM person
   WHERE session.id = :id AND session.ended_at IS NULL
   RETURNING session.id`,
);

const HAS_CHECKED_FACTOR = statement(
  'session.has_checked_factor',
  `SELECT 1
   FROM session
   WHERE id = :sessionId AND factor_checked_at >= :moment AND ended_at IS NULL`,
);

const LIVING_OF_USER = statement(
  'session.living_of_user',
  `SELECT id
   FROM session
   WHERE user_id = :userId AND ended_at IS NULL AND id <> :exceptSessionId`,
).rows<{ id: string }>();

const LAST_SIGN_IN = statement(
  'session.last_sign_in',
  `SELECT max(greatest(password_checked_at, external_checked_at, passkey_checked_at)) AS "at"
   FROM session
   WHERE user_id = :userId`,
).rows<{ at: Date | null }>();

const ORG_OF_USER = statement(
  'session.org_of_user',
  'SELECT org_id AS "orgId" FROM user_account WHERE id = :userId',
).rows<{ orgId: string }>();

/** Who is signed in where. A session belongs to one browser and one user; its id is the `sid` of tokens. */
@Injectable()
export class SessionService implements Purge {
  private readonly browsers: BatchedRead<BrowserQuestion, FoundRow[]>;
  private readonly candidates: BatchedRead<CandidateQuestion, FoundCandidate[]>;

  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
    private readonly tallies: Tallies,
  ) {
    this.browsers = new BatchedRead(database, FIND_BROWSER);
    this.candidates = new BatchedRead(database, FIND_CANDIDATE);
  }

  /**
   * The browser with this cookie value, which is stored only once it has a session. Undefined without a cookie, and for
   * a value that we did not set, that a sign-in has replaced, or whose row is gone.
   */
  async findBrowser(cookieValue: string | undefined): Promise<KnownBrowser | undefined> {
    if (cookieValue === undefined) return undefined;
    const found = await this.findBrowserOfForm(cookieValue, browserIdOf(cookieValue));
    return found?.isReplaced === true ? undefined : found;
  }

  /** The same for a form that was made for the browser with this id, and may come with the value just replaced. */
  async findBrowserOfForm(cookieValue: string, browserId: string): Promise<FoundBrowser | undefined> {
    const instance = await this.instances.get();
    const rows = await this.browsers.ask({
      keyHash: sha256(cookieValue).toString('hex'),
      browserId,
      since: secondsAfter(this.clock.now(), -REPEAT_SECONDS).toISOString(),
      instanceId: instance.id,
    });
    const [row] = rows ?? [];
    if (!rows || !row) {
      return isFirstCookieValue(cookieValue, this.masterKeys.all('browser'))
        ? { id: browserIdOf(cookieValue), sessions: [], isReplaced: false }
        : undefined;
    }
    const browser = toKnownBrowser(rows);
    return browser && (row.isCurrent || row.isReplaced) ? { ...browser, isReplaced: !row.isCurrent } : undefined;
  }

  /** Nothing is stored before its first session. */
  newBrowser(): IssuedBrowser {
    const cookieValue = firstCookieValue(this.masterKeys.current('browser').key);
    return { browserId: browserIdOf(cookieValue), cookieValue };
  }

  /**
   * The user has authenticated, here or at a provider: the session in this browser begins or is renewed, and the
   * browser gets a new cookie value, so that a value planted before is useless (LOG-004). The same user signing in with
   * the same value gets the same new one: of two answers to a form that was sent twice, either may arrive.
   */
  async signIn(browser: SentBrowser, proof: PasswordProof | ExternalProof): Promise<BegunSession | RefusedSignIn> {
    const { values, cookieValue } = this.toSignIn(browser, proof);
    const [result] = await this.database.atomically(SIGN_IN, values);
    return this.conclude(result!, browser, proof, cookieValue);
  }

  /** What the result of a statement with `SIGN_IN_PARTS` means. */
  async conclude(
    { sessionId, isAdmitted }: SignInResult,
    browser: SentBrowser,
    proof: PasswordProof | ExternalProof,
    cookieValue: string,
  ): Promise<BegunSession | RefusedSignIn> {
    if (sessionId !== null) {
      this.tallies.add('signIns', 'idpId' in proof && proof.idpId !== undefined ? 'provider' : 'here');
      return { browserId: browser.id, cookieValue, sessionId, isRepeated: false };
    }
    if (!isAdmitted) return { refusal: 'account_changed' };
    return (await this.findRepeated(browser, proof)) ?? { refusal: 'browser_replaced' };
  }

  /**
   * What the user got who signed in with this cookie value a moment ago; undefined if that was another user, or the
   * password has changed since.
   */
  async findRepeated(
    browser: Pick<SentBrowser, 'id' | 'cookieValue'>,
    proof: Pick<ExternalProof, 'userId'> & Partial<Pick<PasswordProof, 'userEpoch'>>,
  ): Promise<BegunSession | undefined> {
    const { userId, userEpoch = null } = proof;
    const cookieValue = this.successorOf(browser.cookieValue, userId);
    const [session] = await this.database.query(FIND_REPEATED, {
      userId,
      userEpoch,
      browserId: browser.id,
      keyHash: sha256(cookieValue),
      previousKeyHash: sha256(browser.cookieValue),
    });
    return session && { browserId: browser.id, cookieValue, sessionId: session.id, isRepeated: true };
  }

  /** The user with this login name, and what a session of the user in this browser would be. */
  async findCandidate(loginName: string, orgId: string, browserId: string): Promise<Candidate | undefined> {
    const found = soleOf((await this.candidates.ask({ ...toLoginNameQuestion(loginName, orgId), browserId })) ?? []);
    return found && new Candidate(found);
  }

  /** What `SIGN_IN_PARTS` needs, and the new cookie value. */
  toSignIn(browser: SentBrowser, proof: PasswordProof | ExternalProof): { values: SignInValues; cookieValue: string } {
    const cookieValue = this.successorOf(browser.cookieValue, proof.userId);
    const values = {
      browserId: browser.id,
      keyHash: sha256(cookieValue),
      now: proof.at ?? this.clock.now(),
      newId: proof.newSessionId ?? newId(),
      userId: proof.userId,
      orgId: proof.orgId,
      previousKeyHash: sha256(browser.cookieValue),
      idpId: 'idpId' in proof ? (proof.idpId ?? null) : null,
      userEpoch: 'userEpoch' in proof ? proof.userEpoch : null,
      clearedAttempts: 'clearedAttempts' in proof ? proof.clearedAttempts : [],
      agent: browser.device.agent,
      system: browser.device.system,
      network: browser.device.network,
    };
    return { values, cookieValue };
  }

  /** When the user last signed in, as far as sessions are still known. */
  async findLastSignIn(userId: string): Promise<Date | undefined> {
    const [row] = await this.database.query(LAST_SIGN_IN, { userId });
    return row?.at ?? undefined;
  }

  /**
   * Records a second factor in this session. The cookie value stays: it changed with the first factor, and only this
   * browser knows it since. Returns false if the session has ended, or the account is locked or inactive.
   */
  async recordSecondFactor(
    tx: Transaction,
    session: Pick<BrowserSession, 'id' | 'userId' | 'orgId'>,
    factor: SecondFactor,
  ): Promise<boolean> {
    if ((await tx.query(CHECK_FACTOR, { id: session.id, now: this.clock.now() })).length === 0) return false;
    await this.journal.append(tx, {
      aggregateType: 'session',
      aggregateId: session.id,
      type: 'session.second_factor_checked',
      orgId: session.orgId,
      editorId: session.userId,
      payload: { factor },
    });
    return true;
  }

  async hasCheckedFactorSince(sessionId: string, moment: Date): Promise<boolean> {
    return (await this.database.query(HAS_CHECKED_FACTOR, { sessionId, moment })).length > 0;
  }

  /**
   * Ends sessions; tokens of these become invalid with the commit. Sessions that ended before are not changed.
   * @param editorId a manager, if it is not the user
   * @returns how many there were
   */
  async end(tx: Transaction, sessionIds: readonly string[], editorId?: string): Promise<number> {
    const ended = await tx.query(END, { sessionIds, now: this.clock.now() });
    for (const session of ended) {
      const [user] = await tx.query(ORG_OF_USER, { userId: session.userId });
      await this.journal.append(tx, {
        aggregateType: 'session',
        aggregateId: session.id,
        type: 'session.ended',
        orgId: user?.orgId ?? '',
        editorId: editorId ?? session.userId,
      });
    }
    return ended.length;
  }

  /** Ends every session of a user but one: after a change of password the others must authenticate again. */
  async endOthersOf(tx: Transaction, userId: string, exceptSessionId: string, editorId?: string): Promise<number> {
    const others = await tx.query(LIVING_OF_USER, { userId, exceptSessionId });
    return this.end(
      tx,
      others.map((session) => session.id),
      editorId,
    );
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return purgeSessions(on, now);
  }

  /** As unpredictable as a random value for anybody without the master key, even if the old value is known. */
  private successorOf(cookieValue: string, userId: string): string {
    const { key } = this.masterKeys.current('browser');
    return createHmac('sha256', key)
      .update(JSON.stringify([cookieValue, userId]))
      .digest('base64url');
  }
}
