import { Injectable } from '@nestjs/common';
import { PasskeyConfig } from '../foundation/config/config.js';
import { sha256 } from '../foundation/crypto/digest.js';
import { newId } from '../foundation/crypto/id.js';
import { macOf } from '../foundation/crypto/keyed-hash.js';
import { MasterKeys } from '../foundation/crypto/master-key.js';
import { BatchedRead } from '../foundation/database/batched-read.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import type { Purge } from '../foundation/database/purge.js';
import type { Queryable } from '../foundation/database/statement.js';
import { DayCounts } from '../foundation/day-count/day-counts.js';
import { Journal } from '../foundation/event/journal.js';
import { Tallies } from '../foundation/metrics/tallies.js';
import { Clock } from '../foundation/time/clock.js';
import { secondsAfter } from '../foundation/time/duration.js';
import { InstanceService } from '../org/instance/instance.service.js';
import type { SecondFactor } from '../org/policy/login-policy.entity.js';
import { type FoundByName, type LoginNameQuestion, soleOf, toLoginNameQuestion } from '../user/login-name-search.js';
import { browserIdOf, firstCookieValue, isFirstCookieValue } from './browser-id.js';
import type { BrowserSession } from './browser-session.js';
import { type BrowserRow, type KnownBrowser, toKnownBrowser } from './browser-sessions.js';
import { Candidate, type FoundCandidate } from './candidate.js';
import type { Device } from './device.js';
import { purgeSessions } from './expired-sessions.js';
import { REMEMBER } from './session-client-sql.js';
import { END, END_OF_ORG, NOTIFY, NOTIFY_OF_ORG } from './session-end-sql.js';
import {
  type CandidateKey,
  CHECK_FACTOR,
  EXTERNAL_SIGN_IN,
  FIND_BROWSER,
  FIND_CANDIDATE,
  FIND_PASSKEY,
  FIND_REPEATED,
  HAS_CHECKED_FACTOR,
  HOLD,
  IS_SPENT_FOR,
  LAST_SIGN_IN,
  LIVING_OF_USER,
  NEW_KEY_SIGN_IN,
  PASSKEY_SIGN_IN,
  PASSWORD_SIGN_IN,
} from './session-sql.js';
import {
  type CommonValues,
  type MailedCodeProof,
  type PasskeyProof,
  type PasskeyResult,
  type PasskeyValues,
  type PasswordProof,
  type PasswordValues,
  type ProviderProof,
  type SignInProof,
  type SignInResult,
} from './sign-in-sql.js';

const AT_NO_PROVIDER = { idpId: null, externalUserId: null, provedAt: null };

interface BrowserQuestion {
  readonly keyHash: string;
  readonly browserId: string;
  readonly since: string;
  readonly instanceId: string;
}

type FoundRow = BrowserRow & { readonly isCurrent: boolean; readonly isReplaced: boolean };

/** A form that arrives again within this time was sent twice, by a double click or after a lost answer. */
export const REPEAT_SECONDS = 10;

/** The browser's cookie value is known only here and in the browser. */
export interface IssuedBrowser {
  readonly browserId: string;
  readonly cookieValue: string;
}

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
  /** Whether the same form has done so a moment ago, so that nothing was recorded again. */
  readonly isRepeated: boolean;
}

/** Why no session has begun, although the user has authenticated. */
export interface RefusedSignIn {
  /**
   * `account_changed`: another password, or the account was locked or deactivated. `browser_replaced`: another user has
   * signed in with the same cookie value. `challenge_spent`: the answer of a passkey was used already. `key_refused`:
   * the counter of the passkey went back, or it was removed.
   */
  readonly refusal: 'account_changed' | 'browser_replaced' | 'challenge_spent' | 'key_refused';
}

/** An application, as far as sessions know it: they are below clients. */
export interface RememberedClient {
  /** `client_id` */
  readonly id: string;
  readonly clientEpoch: string;
  readonly isToldOfLogout: boolean;
}

/** The owner of a passkey, and the key. */
export interface PasskeyCandidate {
  readonly candidate: Candidate;
  readonly key: CandidateKey;
}

interface CandidateQuestion extends LoginNameQuestion {
  readonly browserId: string;
}

/** Who is signed in where. A session belongs to one browser and one user; its id is the `sid` of tokens. */
@Injectable()
export class SessionService implements Purge {
  private readonly browsers: BatchedRead<BrowserQuestion, FoundRow[]>;
  private readonly candidates: BatchedRead<CandidateQuestion, Array<FoundCandidate & FoundByName>>;

  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
    private readonly tallies: Tallies,
    private readonly counts: DayCounts,
    private readonly passkeys: PasskeyConfig,
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

  /** Like `findBrowser`, for a form made for the browser with this id, which may come with the value just replaced. */
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
    const browser = toKnownBrowser(rows, this.passkeys.rpId);
    return browser && (row.isCurrent || row.isReplaced) ? { ...browser, isReplaced: !row.isCurrent } : undefined;
  }

  /** A new browser, of which nothing is stored before its first session. */
  newBrowser(): IssuedBrowser {
    const cookieValue = firstCookieValue(this.masterKeys.current('browser').key);
    return { browserId: browserIdOf(cookieValue), cookieValue };
  }

  /**
   * The user has authenticated, here or at a provider: the session in this browser begins or is renewed, and the
   * browser gets a new cookie value, so that a value planted before is useless (LOG-004). The same user signing in with
   * the same value gets the same new one: of two answers to a form that was sent twice, either may arrive.
   */
  async signIn(browser: SentBrowser, proof: SignInProof): Promise<BegunSession | RefusedSignIn> {
    if (proof.kind === 'new_key') {
      const { values, cookieValue } = this.toValues(browser, proof);
      const [result] = await this.database.atomically(NEW_KEY_SIGN_IN, { ...values, newKeyId: proof.newKeyId });
      return this.conclude(result!, browser, proof, cookieValue);
    }
    if (proof.kind === 'passkey') {
      const { values, cookieValue } = this.toPasskeySignIn(browser, proof);
      const [result] = await this.database.atomically(PASSKEY_SIGN_IN, values);
      return this.conclude(result!, browser, proof, cookieValue);
    }
    if (proof.kind === 'password') {
      const { values, cookieValue } = this.toPasswordSignIn(browser, proof);
      const [result] = await this.database.atomically(PASSWORD_SIGN_IN, values);
      return this.conclude(result!, browser, proof, cookieValue);
    }
    const elsewhere: ProviderProof | MailedCodeProof = proof; // a kind that is added must not end here
    const { values, cookieValue } = this.toValues(browser, elsewhere);
    const { idpId, externalUserId, provedAt = null } = elsewhere.kind === 'provider' ? elsewhere : AT_NO_PROVIDER;
    const [result] = await this.database.atomically(EXTERNAL_SIGN_IN, { ...values, idpId, externalUserId, provedAt });
    return this.conclude(result!, browser, elsewhere, cookieValue);
  }

  /** Turns the result of a statement that signs in into a session or a refusal. */
  async conclude(
    { sessionId, isAdmitted, ...key }: SignInResult | PasskeyResult,
    browser: SentBrowser,
    proof: SignInProof,
    cookieValue: string,
  ): Promise<BegunSession | RefusedSignIn> {
    if (sessionId !== null) {
      this.tallies.add('signIns', proof.kind === 'provider' ? 'provider' : 'here');
      this.counts.addOfOrg('sign_in', proof.orgId, proof.kind);
      return { browserId: browser.id, cookieValue, sessionId, isRepeated: false };
    }
    if (!isAdmitted) return { refusal: 'account_changed' };
    if (proof.kind === 'passkey' && 'isSpent' in key) {
      if (!key.isSpent) return (await this.findRepeatedPasskey(browser, proof)) ?? { refusal: 'challenge_spent' };
      return { refusal: key.isUsed ? 'browser_replaced' : 'key_refused' };
    }
    return (await this.findRepeated(browser, proof)) ?? { refusal: 'browser_replaced' };
  }

  /**
   * The session that the same user began with this cookie value a moment ago; undefined if it was another user, or the
   * password has changed since.
   */
  async findRepeated(
    browser: Pick<SentBrowser, 'id' | 'cookieValue'>,
    proof: Pick<SignInProof, 'userId'> & Partial<Pick<PasswordProof, 'userEpoch'>>,
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

  /** The session that the same answer of a passkey began with this cookie value a moment ago. */
  async findRepeatedPasskey(
    browser: SentBrowser,
    { userId, challenge }: Pick<PasskeyProof, 'userId' | 'challenge'>,
  ): Promise<BegunSession | undefined> {
    const keyHash = sha256(this.successorOf(browser.cookieValue, userId));
    const spent = await this.database.query(IS_SPENT_FOR, { challengeHash: sha256(challenge.value), keyHash });
    return spent.length > 0 ? this.findRepeated(browser, { userId }) : undefined;
  }

  /** The owner of the passkey with this id, and what a session of the user in this browser would be. */
  async findPasskeyCandidate(credentialId: string, browserId: string): Promise<PasskeyCandidate | undefined> {
    const [found] = await this.database.query(FIND_PASSKEY, { credentialId, browserId });
    return found && { candidate: new Candidate(found, this.passkeys.rpId), key: found };
  }

  /** The user with this login name, and what a session of the user in this browser would be. */
  async findCandidate(loginName: string, orgId: string, browserId: string): Promise<Candidate | undefined> {
    const found = soleOf((await this.candidates.ask({ ...toLoginNameQuestion(loginName, orgId), browserId })) ?? []);
    return found && new Candidate(found, this.passkeys.rpId);
  }

  /** The values of `PASSWORD_SIGN_IN_PARTS`, and the new cookie value. */
  toPasswordSignIn(browser: SentBrowser, proof: PasswordProof): { values: PasswordValues; cookieValue: string } {
    const { values, cookieValue } = this.toValues(browser, proof);
    const { userEpoch, clearedAttempts } = proof;
    return { values: { ...values, userEpoch, clearedAttempts }, cookieValue };
  }

  /** The values of `PASSKEY_SIGN_IN_PARTS`, and the new cookie value. */
  toPasskeySignIn(browser: SentBrowser, proof: PasskeyProof): { values: PasskeyValues; cookieValue: string } {
    const { values, cookieValue } = this.toValues(browser, proof);
    const { factorId, signCount, backupEligible, backedUp, challenge, clearedAttempts } = proof;
    const key = { factorId, signCount, backupEligible, backedUp, challengeHash: sha256(challenge.value) };
    return { values: { ...values, ...key, challengeExpiresAt: challenge.expiresAt, clearedAttempts }, cookieValue };
  }

  private toValues(browser: SentBrowser, proof: SignInProof): { values: CommonValues; cookieValue: string } {
    const cookieValue = this.successorOf(browser.cookieValue, proof.userId);
    const values = {
      browserId: browser.id,
      keyHash: sha256(cookieValue),
      now: proof.at ?? this.clock.now(),
      newId: proof.newSessionId ?? newId(),
      userId: proof.userId,
      orgId: proof.orgId,
      previousKeyHash: sha256(browser.cookieValue),
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
    const kind = factor === 'u2f' ? factor : null;
    if ((await tx.query(CHECK_FACTOR, { id: session.id, now: this.clock.now(), kind })).length === 0) return false;
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

  /**
   * For a change of what signs the user in: whether the session has not ended, and the password is the one that it was
   * when the session was read. If so, both stay until the transaction ends. A change that waits for another one, such
   * as a reset of the password, must not be made after it.
   */
  async hold(tx: Transaction, session: Pick<BrowserSession, 'id' | 'userId' | 'userEpoch'>): Promise<boolean> {
    const { id, userId, userEpoch } = session;
    return (await tx.query(HOLD, { id, userId, userEpoch })).length > 0;
  }

  async hasCheckedFactorSince(sessionId: string, moment: Date): Promise<boolean> {
    return (await this.database.query(HAS_CHECKED_FACTOR, { sessionId, moment })).length > 0;
  }

  /**
   * Ends sessions; tokens of these become invalid with the commit, and the applications that want to know are told
   * after it. Sessions that ended before are not changed.
   * @param editorId a manager, if it is not the user
   * @returns how many there were
   */
  async end(tx: Transaction, sessionIds: readonly string[], editorId?: string): Promise<number> {
    if (sessionIds.length === 0) return 0;
    const now = this.clock.now();
    const ended = await tx.query(END, { sessionIds, now, editorId: editorId ?? null });
    if (ended.length === 0) return 0;
    this.announceNotices(tx, await tx.query(NOTIFY, { sessionIds: ended.map(({ id }) => id), now }));
    return ended.length;
  }

  /** Like `end`, in a transaction of its own. */
  async endNow(sessionIds: readonly string[]): Promise<void> {
    await this.database.transaction((tx) => this.end(tx, sessionIds));
  }

  /** Ends every session of a user but one: after a change of password the others must authenticate again. */
  async endOthersOf(tx: Transaction, userId: string, exceptSessionId: string, editorId?: string): Promise<number> {
    const others = (await tx.query(LIVING_OF_USER, { userId, exceptSessionId })).map(({ id }) => id);
    return this.end(tx, others, editorId);
  }

  /** Ends the sessions of all users of an organization that is about to be removed. */
  async endOfOrg(tx: Transaction, orgId: string): Promise<void> {
    const now = this.clock.now();
    await tx.query(END_OF_ORG, { orgId, now });
    this.announceNotices(tx, await tx.query(NOTIFY_OF_ORG, { orgId, now }));
  }

  /** Records the client of tokens issued without a code, so that it is told of the end of the session. */
  async remember(sessionId: string, { id, clientEpoch, isToldOfLogout }: RememberedClient): Promise<void> {
    if (!isToldOfLogout) return;
    await this.database.query(REMEMBER, { sessionId, clientId: id, clientEpoch });
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return purgeSessions(on, now);
  }

  /** Wakes the worker of this process; other processes look for notices by themselves. */
  private announceNotices(tx: Transaction, [added]: ReadonlyArray<{ readonly count: number }>): void {
    if (added && added.count > 0) this.changes.announceHere(tx, 'logout-notice', EVERYTHING);
  }

  /** The next cookie value: unpredictable for anybody without the master key, even if the old value is known. */
  private successorOf(cookieValue: string, userId: string): string {
    const { key } = this.masterKeys.current('browser');
    return macOf(key, [cookieValue, userId]).toString('base64url');
  }
}
