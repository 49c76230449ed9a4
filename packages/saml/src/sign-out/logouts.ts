import { Injectable } from '@nestjs/common';
import { Clock, Database } from 'gatehouse';
import { newMessageId } from '../protocol/message-id.js';
import { type Participant, Participants } from './participants.js';

/** A logout on its way from one application to the next. */
export interface Logout {
  readonly id: string;
  /** The application that waits for the answer, and what it has sent. */
  readonly clientId: string;
  readonly requestId: string;
  readonly relayState: string | null;
  readonly isPartial: boolean;
  /** The one that was asked last, and by which request. */
  readonly askedClientId: string | null;
  readonly askedRequestId: string | null;
}

/** What begins one: a request of an application, and the sessions that it has ended. */
export interface NewLogout {
  readonly clientId: string;
  readonly userId: string;
  readonly requestId: string;
  readonly relayState: string | undefined;
  readonly sessionIds: readonly string[];
}

/** As `newMessageId` makes them. */
const ID = /^_[0-9a-f]{40}$/;
/** A browser goes from one to the next at once. */
const KEPT_MS = 3_600_000;

const ADD = `INSERT INTO ext_saml.logout (id, client_id, user_id, request_id, relay_state, is_partial, begun_at)
  VALUES (:id, :clientId, :userId, :requestId, :relayState, false, :now)`;

const REMOVE_OLD = `DELETE FROM ext_saml.logout WHERE id = ANY (ARRAY(
  SELECT id FROM ext_saml.logout WHERE begun_at < :before ORDER BY begun_at LIMIT 10 FOR UPDATE SKIP LOCKED))`;

const FIND = `SELECT id, client_id AS "clientId", request_id AS "requestId", relay_state AS "relayState",
    is_partial AS "isPartial", asked_client_id AS "askedClientId", asked_request_id AS "askedRequestId"
  FROM ext_saml.logout WHERE id = :id`;

const ASK = `UPDATE ext_saml.logout SET asked_client_id = :clientId, asked_request_id = :requestId WHERE id = :id`;

const TOLD = `UPDATE ext_saml.logout
  SET is_partial = is_partial OR :failed, asked_client_id = NULL, asked_request_id = NULL
  WHERE id = :id`;

const REMOVE = `DELETE FROM ext_saml.logout WHERE id = :id`;

@Injectable()
export class Logouts {
  constructor(
    private readonly database: Database,
    private readonly participants: Participants,
    private readonly clock: Clock,
  ) {}

  async begin({ sessionIds, relayState, ...logout }: NewLogout): Promise<string> {
    const id = newMessageId();
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      await tx.query(REMOVE_OLD, { before: new Date(now.getTime() - KEPT_MS) });
      await tx.query(ADD, { ...logout, relayState: relayState ?? null, id, now });
      await this.participants.leave(tx, logout.clientId, sessionIds, id);
    });
    return id;
  }

  /** @param id as it came */
  async find(id: string | undefined): Promise<Logout | undefined> {
    if (id === undefined || !ID.test(id)) return undefined;
    const [row] = await this.database.query<Logout>(FIND, { id });
    return row;
  }

  async ask(id: string, clientId: string, requestId: string): Promise<void> {
    await this.database.query(ASK, { id, clientId, requestId });
  }

  /** One of them has been told, in vain if it has failed. */
  async told(id: string, participant: Participant, failed: boolean): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query(TOLD, { id, failed });
      await this.participants.told(tx, participant);
    });
  }

  async end(id: string): Promise<void> {
    await this.database.query(REMOVE, { id });
  }
}
