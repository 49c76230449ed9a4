import { Injectable } from '@nestjs/common';
import { BatchedWrite } from '../../foundation/database/batched-write.js';
import { insertForEach, insertInto, recordOf } from '../../foundation/database/columns.js';
import { Database } from '../../foundation/database/database.js';
import { purgeStatement, runPurge } from '../../foundation/database/purge.js';
import { type Queryable, type SqlValue, statement } from '../../foundation/database/statement.js';
import {
  PASSKEY_RESULT,
  PASSKEY_SIGN_IN_PARTS,
  PASSWORD_SIGN_IN_PARTS,
  type PasskeyResult,
  type PasskeyValues,
  type PasswordValues,
  SIGN_IN_RESULT,
  type SignInResult,
} from '../sign-in-sql.js';
import { AuthRequestRow } from './auth-request.entity.js';

const ANSWER_COLUMNS = [
  'id',
  'clientId',
  'redirectUri',
  'scopes',
  'resources',
  'nonce',
  'codeChallenge',
  'dpopJkt',
  'acrValues',
  'claims',
  'userId',
  'sessionId',
  'authTime',
  'amr',
  'isProved',
  'tokenEpoch',
  'answeredAt',
  'codeExpiresAt',
  'pushedId',
  'isSigned',
] as const satisfies ReadonlyArray<keyof AuthRequestRow>;

type AnswerColumn = (typeof ANSWER_COLUMNS)[number];

/** The answer to a request: who signed in and how, and what a code gives access to. */
export type Answer = Pick<AuthRequestRow, AnswerColumn>;

/** A request is answered once, and so is a pushed one: the row count decides. */
const ADD = statement<Record<AnswerColumn, SqlValue>>(
  'auth_request.add',
  `${insertInto(AuthRequestRow, ANSWER_COLUMNS)} ON CONFLICT DO NOTHING RETURNING id`,
).rows<AddedRow>();

/**
 * The answers to several requests. It can only wait for another answer to one of them that is just being stored;
 * because of the order, two such statements never wait for each other. A request that is among them twice is answered
 * by the first.
 */
const ADD_TOGETHER = statement<{ readonly questions: string }>(
  'auth_request.add_together',
  `WITH asked AS MATERIALIZED (
     SELECT q.*
     FROM json_to_recordset(:questions::json) AS q(place int, ${recordOf(AuthRequestRow, ANSWER_COLUMNS)})),
   added AS (
     ${insertForEach(AuthRequestRow, [], 'asked q ORDER BY q.id', askedColumns())}
     ON CONFLICT DO NOTHING
     RETURNING id)
   SELECT a.id, min(q.place) AS place
   FROM added a
   JOIN asked q ON q.id = a.id
   GROUP BY a.id`,
);

function askedColumns(): Record<AnswerColumn, string> {
  return Object.fromEntries(ANSWER_COLUMNS.map((name) => [name, `q."${name}"`])) as Record<AnswerColumn, string>;
}

interface AddedRow {
  readonly id: string;
}

const ANSWER_PART = `answer AS (
     ${insertForEach(AuthRequestRow, ANSWER_COLUMNS, 'session_row s JOIN person p ON p.sequence = :userSequence::bigint')}
     WHERE s.id = :sessionId
     ON CONFLICT DO NOTHING
     RETURNING id)`;

/**
 * A sign-in by password whose request needs nothing else, with its answer, so that a user waits for the disk once. The
 * answer was made from what the user and the session were before the password was checked: if either has changed since,
 * only the session begins, and the answer is decided anew.
 */
const SIGN_IN_AND_ADD = statement<PasswordValues & Record<AnswerColumn | 'userSequence', SqlValue>>(
  'auth_request.sign_in_and_add',
  `WITH ${PASSWORD_SIGN_IN_PARTS},
   ${ANSWER_PART}
   SELECT ${SIGN_IN_RESULT}, EXISTS (SELECT 1 FROM answer) AS "isAnswered"`,
).rows<SignInResult & { isAnswered: boolean }>();

/** A sign-in by passkey whose request needs nothing else, with its answer, as `SIGN_IN_AND_ADD` has it. */
const PASSKEY_SIGN_IN_AND_ADD = statement<PasskeyValues & Record<AnswerColumn | 'userSequence', SqlValue>>(
  'auth_request.passkey_sign_in_and_add',
  `WITH ${PASSKEY_SIGN_IN_PARTS},
   ${ANSWER_PART}
   SELECT ${PASSKEY_RESULT}, EXISTS (SELECT 1 FROM answer) AS "isAnswered"`,
).rows<PasskeyResult & { isAnswered: boolean }>();

const FIND_ANSWER = statement(
  'auth_request.answer',
  `SELECT session_id AS "sessionId",
     answered_at AS "answeredAt",
     redeemed_at AS "redeemedAt"
   FROM auth_request
   WHERE id = :id`,
).rows<Pick<AuthRequestRow, 'sessionId' | 'answeredAt' | 'redeemedAt'>>();

const PARK = statement(
  'parked_request.put',
  `INSERT INTO parked_request (id, sealed, expires_at) VALUES (:id, :sealed, :expiresAt)
   ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed`,
);

const FIND_PARKED = statement('parked_request.find', 'SELECT sealed FROM parked_request WHERE id = :id').rows<{
  sealed: string;
}>();

const ANSWERED_BEFORE = purgeStatement('auth_request', 'id', 'answered_at < :moment');
const PARKED_UNTIL = purgeStatement('parked_request', 'id', 'expires_at < :moment');

@Injectable()
export class AuthRequestRepository {
  private readonly adding: BatchedWrite<Answer, AddedRow>;

  constructor(private readonly database: Database) {
    this.adding = new BatchedWrite<Answer, AddedRow>(database, {
      together: ADD_TOGETHER,
      alone: async (answer) => this.addAlone(answer),
    });
  }

  /** False if the request was answered before. */
  async add(answer: Answer): Promise<boolean> {
    // A pushed request is unique by another column as well, which would be another order to wait in.
    const added = answer.pushedId === null ? this.adding.ask(answer) : this.addAlone(answer);
    return (await added) !== undefined;
  }

  private async addAlone(answer: Answer): Promise<AddedRow | undefined> {
    const [added] = await this.database.query(ADD, toValues(answer));
    return added;
  }

  /** Begins a session by password and adds the answer. `userSequence`: of the user when it was read. */
  async signInAndAdd(
    signIn: PasswordValues,
    answer: Answer,
    userSequence: string,
  ): Promise<SignInResult & { readonly isAnswered: boolean }> {
    const [row] = await this.database.atomically(SIGN_IN_AND_ADD, { ...signIn, ...toValues(answer), userSequence });
    return row!;
  }

  /** Begins a session by passkey and adds the answer. `userSequence`: of the user when it was read. */
  async passkeySignInAndAdd(
    signIn: PasskeyValues,
    answer: Answer,
    userSequence: string,
  ): Promise<PasskeyResult & { readonly isAnswered: boolean }> {
    const values = { ...signIn, ...toValues(answer), userSequence };
    const [row] = await this.database.atomically(PASSKEY_SIGN_IN_AND_ADD, values);
    return row!;
  }

  async findAnswer(id: string): Promise<Pick<AuthRequestRow, 'sessionId' | 'answeredAt' | 'redeemedAt'> | undefined> {
    const [row] = await this.database.query(FIND_ANSWER, { id });
    return row;
  }

  async park(on: Queryable, id: string, sealed: string, expiresAt: Date): Promise<void> {
    await on.query(PARK, { id, sealed, expiresAt });
  }

  async findParked(id: string): Promise<string | undefined> {
    const [row] = await this.database.query(FIND_PARKED, { id });
    return row?.sealed;
  }

  async purge(on: Queryable, answeredBefore: Date, parkedUntil: Date): Promise<number> {
    return (await runPurge(on, ANSWERED_BEFORE, answeredBefore)) + (await runPurge(on, PARKED_UNTIL, parkedUntil));
  }
}

function toValues(answer: Answer): Record<AnswerColumn, SqlValue> {
  return { ...answer, claims: answer.claims && JSON.stringify(answer.claims) };
}
