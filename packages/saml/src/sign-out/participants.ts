import { Injectable } from '@nestjs/common';
import { Clock, Database, type SignedIn, type Sql } from 'gatehouse';
import type { NameId } from '../protocol/name-id.js';
import { SamlRefusal } from '../refusal.js';

/** An application that a user has signed in to in a session, and under which name it knows them. */
export interface Participant {
  readonly sessionId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly nameId: NameId;
}

interface Row {
  readonly sessionId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly value: string;
  readonly format: string;
}

/** No session is in use for longer without a sign-in: what is older, nobody signs out any more. */
const KEPT_MS = 90 * 86_400_000;

/** Of an application and a user that are there, and stay so until it is written. */
const ADD = `INSERT INTO ext_saml.participant
    (session_id, client_id, user_id, name_id, name_id_format, signed_in_at)
  SELECT :sessionId, a.client_id, u.id, :value, :format, :now FROM ext_saml.application a, user_account u
  WHERE a.client_id = :clientId AND u.id = :userId FOR KEY SHARE
  ON CONFLICT (session_id, client_id) DO UPDATE
  SET user_id = excluded.user_id, name_id = excluded.name_id, name_id_format = excluded.name_id_format,
    logout_id = NULL, signed_in_at = excluded.signed_in_at
  RETURNING session_id`;

/** A few at each sign-in, so that none of them waits. */
const REMOVE_OLD = `DELETE FROM ext_saml.participant WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM ext_saml.participant
  WHERE signed_in_at < :before ORDER BY signed_in_at LIMIT 10 FOR UPDATE SKIP LOCKED))`;

const COLUMNS = `session_id AS "sessionId", client_id AS "clientId", user_id AS "userId", name_id AS value,
  name_id_format AS format`;

const OF_SESSIONS = `SELECT ${COLUMNS} FROM ext_saml.participant
  WHERE session_id = ANY (:sessionIds) AND client_id = :clientId`;

const LEAVE = `DELETE FROM ext_saml.participant WHERE session_id = ANY (:sessionIds) AND client_id = :clientId`;

const TO_BE_TOLD = `UPDATE ext_saml.participant SET logout_id = :logoutId WHERE session_id = ANY (:sessionIds)`;

const NEXT = `SELECT ${COLUMNS} FROM ext_saml.participant
  WHERE logout_id = :logoutId ORDER BY client_id, session_id LIMIT 1`;

const TOLD = `DELETE FROM ext_saml.participant WHERE session_id = :sessionId AND client_id = :clientId`;

/** Which applications take part in which sessions. */
@Injectable()
export class Participants {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws SamlRefusal `removed_meanwhile` */
  async add(clientId: string, { sessionId, user }: SignedIn, { value, format }: NameId): Promise<void> {
    const now = this.clock.now();
    const added = await this.database.query(ADD, { sessionId, clientId, userId: user.id, value, format, now });
    if (added.length === 0) throw new SamlRefusal('removed_meanwhile');
    await this.database.query(REMOVE_OLD, { before: new Date(now.getTime() - KEPT_MS) });
  }

  /** As whom an application knows the users of these sessions. */
  async of(clientId: string, sessionIds: readonly string[]): Promise<readonly Participant[]> {
    return (await this.database.query<Row>(OF_SESSIONS, { clientId, sessionIds })).map(toParticipant);
  }

  /** The application has signed them out itself; all others of the sessions are to be told. */
  async leave(tx: Sql, clientId: string, sessionIds: readonly string[], logoutId: string): Promise<void> {
    await tx.query(LEAVE, { clientId, sessionIds });
    await tx.query(TO_BE_TOLD, { sessionIds, logoutId });
  }

  /** The next one that is to be told. */
  async next(logoutId: string): Promise<Participant | undefined> {
    const [row] = await this.database.query<Row>(NEXT, { logoutId });
    return row && toParticipant(row);
  }

  async told(on: Sql, { sessionId, clientId }: Participant): Promise<void> {
    await on.query(TOLD, { sessionId, clientId });
  }
}

function toParticipant({ value, format, ...rest }: Row): Participant {
  return { ...rest, nameId: { value, format, nameQualifier: undefined, spNameQualifier: undefined } };
}
