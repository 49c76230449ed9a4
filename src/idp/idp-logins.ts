import { Injectable } from '@nestjs/common';
import { sha256 } from '../foundation/crypto/digest.js';
import { newId } from '../foundation/crypto/id.js';
import { randomToken } from '../foundation/crypto/random.js';
import { TokenSeal } from '../foundation/crypto/token-seal.js';
import { type SealedPlace, Vault } from '../foundation/crypto/vault.js';
import { columnsOf, insertInto, type ValuesOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import type { ExternalIdentity } from './external-identity.js';
import { IdpLogin } from './idp-login.entity.js';

/** As long as a sign-in on our own pages may take. */
const LIFETIME_SECONDS = seconds.perHour;

/** The secrets of a login: only we, and the browser, the provider or the database know them. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The browser, sealed: for a way back on which our cookie may not be visible. */
  readonly userAgentId: string;
}

export interface NewIdpLogin {
  readonly id: string;
  readonly idpId: string;
  readonly authRequestId: string;
  readonly browserId: string;
  readonly provedAfter: Date | null;
}

/** What of a login a message is read with, whose browser is not known yet. */
export type SentIdpLogin = Pick<TakenIdpLogin, 'id' | 'nonce' | 'provedAfter'>;

/** The login of a browser that has returned. */
export interface TakenIdpLogin {
  readonly id: string;
  readonly idpId: string;
  readonly authRequestId: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly provedAfter: Date | null;
  /** The identity that the token has proved, and when the user proved it there, if the browser came through a proxy. */
  readonly identity: ExternalIdentity | null;
  readonly provedAt: Date | null;
}

/**
 * An identity as the provider describes it, and when the user proved it there; null if no proof counts
 * (`momentOfProof`).
 */
export interface ProvedIdentity {
  readonly identity: ExternalIdentity;
  readonly provedAt: Date | null;
}

/** An identity that is not linked with a user yet. */
export interface KeptIdpLogin extends ProvedIdentity {
  readonly idpId: string;
}

const NEW_PROPERTIES = [
  'id',
  'idpId',
  'authRequestId',
  'browserId',
  'stateHash',
  'nonce',
  'codeVerifier',
  'provedAfter',
  'createdAt',
  'expiresAt',
] as const;

const ADD = statement<ValuesOf<IdpLogin, (typeof NEW_PROPERTIES)[number]>>(
  'idp_login.add',
  insertInto(IdpLogin, NEW_PROPERTIES),
);

const TAKEN_PROPERTIES = [
  'id',
  'idpId',
  'authRequestId',
  'nonce',
  'codeVerifier',
  'provedAfter',
  'identity',
  'provedAt',
] as const;

/** A browser returns once: the updated row decides. */
const TAKE = statement(
  'idp_login.take',
  `UPDATE idp_login l SET taken_at = :now
   WHERE l.state_hash = :stateHash AND l.browser_id = :browserId AND l.taken_at IS NULL AND l.expires_at > :now
   RETURNING ${columnsOf(IdpLogin, 'l', TAKEN_PROPERTIES)}`,
).rows<TakenIdpLogin>();

/**
 * A message is read once: from here on the browser continues with a new value, which the sender of the message does not
 * know.
 */
const TAKE_MESSAGE = statement(
  'idp_login.take_message',
  `UPDATE idp_login l SET state_hash = :nextHash
   WHERE l.state_hash = :stateHash AND l.idp_id = :idpId
     AND l.identity IS NULL AND l.taken_at IS NULL AND l.expires_at > :now
   RETURNING ${columnsOf(IdpLogin, 'l', ['id', 'nonce', 'provedAfter'])}`,
).rows<SentIdpLogin>();

const FIND_ON_ERRAND = statement(
  'idp_login.on_errand',
  `SELECT ${columnsOf(IdpLogin, 'l', ['idpId', 'provedAfter'])}
   FROM idp_login l
   WHERE l.id = :id AND l.browser_id = :browserId AND l.auth_request_id = :authRequestId
     AND l.identity IS NULL AND l.taken_at IS NULL AND l.expires_at > :now`,
).rows<Pick<TakenIdpLogin, 'idpId' | 'provedAfter'>>();

/**
 * A token is accepted once; the browser continues with a new value, which the initiator of the login does not know.
 */
const PROVE = statement(
  'idp_login.prove',
  `UPDATE idp_login SET identity = :identity, proved_at = :provedAt, state_hash = :stateHash
   WHERE id = :id AND identity IS NULL AND taken_at IS NULL AND expires_at > :now
   RETURNING id`,
);

const KEEP = statement(
  'idp_login.keep',
  'UPDATE idp_login SET identity = :identity, proved_at = :provedAt WHERE id = :id RETURNING id',
);

const FIND_KEPT = statement(
  'idp_login.kept',
  `SELECT ${columnsOf(IdpLogin, 'l', ['idpId', 'identity', 'provedAt'])}
   FROM idp_login l
   WHERE l.id = :id AND l.browser_id = :browserId
     AND l.taken_at IS NOT NULL AND l.identity IS NOT NULL AND l.expires_at > :now`,
).rows<KeptIdpLogin>();

const EXPIRED = purgeStatement('idp_login', 'id', 'expires_at < :moment');

/** Logins at providers, pending and returned. */
@Injectable()
export class IdpLogins implements Purge {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly seals: TokenSeal,
    private readonly clock: Clock,
  ) {}

  newId(): string {
    return newId();
  }

  /**
   * The secrets of a login that is about to begin, known only to us and to the browser, the provider or the database.
   */
  newSecrets({ id, browserId }: Pick<NewIdpLogin, 'id' | 'browserId'>): LoginSecrets {
    return {
      state: randomToken(32),
      nonce: randomToken(32),
      codeVerifier: randomToken(32),
      userAgentId: this.seals.seal('agent', Buffer.from(JSON.stringify([id, browserId]))),
    };
  }

  /** The browser leaves for a provider from which it will return with a code. */
  async addWithCode(login: NewIdpLogin, { state, nonce, codeVerifier }: LoginSecrets): Promise<void> {
    await this.add(login, state, nonce, this.vault.seal(codeVerifier, placeOfVerifier(login)));
  }

  /** The browser leaves for a proxy; `userAgentId` will identify it, and nobody knows a state. */
  async addWithProxy(login: NewIdpLogin): Promise<void> {
    await this.add(login, randomToken(32), '', '');
  }

  /** The login of a returning browser; undefined if the state is unknown, used, expired, or another browser's. */
  async take(state: string, browserId: string): Promise<TakenIdpLogin | undefined> {
    const [row] = await this.database.query(TAKE, { stateHash: sha256(state), browserId, now: this.clock.now() });
    if (!row || row.codeVerifier === '') return row;
    return { ...row, codeVerifier: this.vault.open(row.codeVerifier, placeOfVerifier(row)) };
  }

  /** The login of a browser that returns through a proxy, where its own cookie may not be visible. */
  async findOnErrand(
    userAgentId: string,
    authRequestId: string,
  ): Promise<Pick<TakenIdpLogin, 'id' | 'idpId' | 'provedAfter'> | undefined> {
    const opened = this.seals.open('agent', userAgentId);
    if (!opened) return undefined;
    const [id, browserId] = JSON.parse(opened.toString()) as [string, string];
    const [row] = await this.database.query(FIND_ON_ERRAND, { id, browserId, authRequestId, now: this.clock.now() });
    return row && { id, ...row };
  }

  /**
   * A token has proved the identity. Returns the value with which the browser continues, or undefined if another
   * request was faster.
   */
  async prove(id: string, { identity, provedAt }: ProvedIdentity): Promise<string | undefined> {
    const state = randomToken(32);
    const rows = await this.database.query(PROVE, {
      id,
      identity: JSON.stringify(identity),
      provedAt,
      stateHash: sha256(state),
      now: this.clock.now(),
    });
    return rows.length === 1 ? state : undefined;
  }

  /**
   * The login to which a message of this provider belongs, and the value with which the browser continues; undefined if
   * the state is unknown, expired, another provider's, or has brought a message before.
   */
  async takeMessage(idpId: string, state: string): Promise<{ login: SentIdpLogin; next: string } | undefined> {
    const next = randomToken(32);
    const [login] = await this.database.query(TAKE_MESSAGE, {
      stateHash: sha256(state),
      nextHash: sha256(next),
      idpId,
      now: this.clock.now(),
    });
    return login && { login, next };
  }

  /** The identity is not linked with a user yet. */
  async keep(id: string, { identity, provedAt }: ProvedIdentity): Promise<void> {
    await this.database.query(KEEP, { id, identity: JSON.stringify(identity), provedAt });
  }

  async findKept(id: string, browserId: string): Promise<KeptIdpLogin | undefined> {
    const [row] = await this.database.query(FIND_KEPT, { id, browserId, now: this.clock.now() });
    return row;
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, EXPIRED, now);
  }

  private async add(
    { id, idpId, authRequestId, browserId, provedAfter }: NewIdpLogin,
    state: string,
    nonce: string,
    codeVerifier: string,
  ): Promise<void> {
    const now = this.clock.now();
    await this.database.query(ADD, {
      id,
      idpId,
      authRequestId,
      browserId,
      stateHash: sha256(state),
      nonce,
      codeVerifier,
      provedAfter,
      createdAt: now,
      expiresAt: secondsAfter(now, LIFETIME_SECONDS),
    });
  }
}

function placeOfVerifier({ id, idpId }: Pick<NewIdpLogin, 'id' | 'idpId'>): SealedPlace {
  return { table: 'idp_login', column: 'code_verifier', row: id, owner: idpId };
}
