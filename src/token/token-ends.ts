import { Injectable } from '@nestjs/common';
import { insertInto } from '../foundation/database/columns.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { journalSql, SYSTEM } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { fromUnixSeconds, seconds, secondsAfter, toUnixSeconds } from '../foundation/time/duration.js';
import { Consents } from '../project/client/consents.js';
import type { AccessTokenFacts } from './access-token.js';
import { accessOf, KEEP_END_SECONDS } from './removed-access.js';
import { TokenEnd } from './token-end.entity.js';

/** Why a family ends early: RFC 7009 §2.1, RFC 6749 §4.1.2, RFC 9700 §4.14.2. */
export type FamilyEnd = 'revoked' | 'code_reused' | 'refresh_token_reused';

/** A family that has ended, and its user and client. */
export interface EndedFamily {
  readonly familyId: string;
  /** Undefined if nothing is known about it any more. */
  readonly userId?: string;
}

/** Ending a token a second time writes no event. */
const END_ONE = statement(
  'token_end.one',
  `WITH ended AS (
     ${insertInto(TokenEnd, ['id', 'keepUntil'])}
     ON CONFLICT (id) DO NOTHING
     RETURNING id)
   ${journalSql(
     {
       aggregateType: "'access_token'",
       aggregateId: 'ended.id',
       type: "'access_token.revoked'",
       editorId: ':clientId::text',
       at: ':now::timestamptz',
       orgId: `coalesce((SELECT org_id FROM user_account WHERE id = :userId), '')`,
       payload: `jsonb_build_object('userId', :userId::text, 'clientId', :clientId::text)`,
     },
     'ended',
   )}`,
);

/**
 * The family's row (if any), its access tokens and the event, in one statement. The user comes from the row, or else
 * from the request of its code.
 */
const END_FAMILY = statement(
  'token_end.family',
  `WITH concerned AS (
     SELECT user_id, client_id FROM token_family WHERE id = :familyId
     UNION ALL
     SELECT user_id, client_id FROM auth_request WHERE id = :familyId AND user_id IS NOT NULL
     LIMIT 1),
   revoked AS (UPDATE token_family SET revoked_at = :now WHERE id = :familyId AND revoked_at IS NULL),
   ended AS (
     INSERT INTO token_end (id, keep_until)
     VALUES (:familyId, :keepUntil)
     ON CONFLICT (id) DO NOTHING
     RETURNING id),
   journaled AS (${journalSql(
     {
       aggregateType: "'token_family'",
       aggregateId: 'ended.id',
       type: ':eventType::text',
       editorId: ':editorId::text',
       at: ':now::timestamptz',
       orgId: `coalesce(u.org_id, '')`,
       payload: `jsonb_build_object('userId', c.user_id, 'clientId', c.client_id)`,
     },
     'ended LEFT JOIN concerned c ON true LEFT JOIN user_account u ON u.id = c.user_id',
   )})
   SELECT user_id AS "userId" FROM concerned`,
).rows<{ userId: string }>();

/** Ends the families of a user that began in one session, or in any but one, or that are of one client. */
const END_FAMILIES_OF = statement(
  'token_end.families_of',
  `WITH revoked AS (
     UPDATE token_family SET revoked_at = :now
     WHERE user_id = :userId AND revoked_at IS NULL AND expires_at > :now
       AND (:sessionId::text IS NULL OR session_id = :sessionId)
       AND session_id IS DISTINCT FROM :exceptSessionId::text
       AND (:clientId::text IS NULL OR client_id = :clientId)
     RETURNING id, client_id),
   ended AS (
     INSERT INTO token_end (id, keep_until)
     SELECT id, :keepUntil
     FROM revoked
     ON CONFLICT (id) DO NOTHING
     RETURNING id)
   ${journalSql(
     {
       aggregateType: "'token_family'",
       aggregateId: 'ended.id',
       type: "'token_family.revoked'",
       editorId: ':editorId::text',
       at: ':now::timestamptz',
       orgId: ':orgId::text',
       payload: "jsonb_build_object('userId', :userId::text, 'clientId', r.client_id)",
     },
     'ended JOIN revoked r ON r.id = ended.id',
   )}`,
);

/** A later removal of the same access ends tokens up to a later moment. */
const END_ACCESS = statement(
  'token_end.access',
  `INSERT INTO token_end (id, issued_until, keep_until)
   VALUES (:accessId, :issuedUntil, :keepUntil)
   ON CONFLICT (id) DO UPDATE SET
     issued_until = greatest(token_end.issued_until, excluded.issued_until),
     keep_until = greatest(token_end.keep_until, excluded.keep_until)`,
);

/** Selects the families of one session, of all sessions but one, or of one client. */
export type FamiliesOf =
  | { readonly sessionId: string }
  | { readonly exceptSessionId: string }
  | { readonly clientId: string };

const EXPIRED_ENDS = purgeStatement('token_end', 'id', 'keep_until < :moment');
const EXPIRED_FAMILIES = purgeStatement('token_family', 'id', 'expires_at < :moment');

/** Ends tokens before their expiry. A row is kept until what it ends would have expired. */
@Injectable()
export class TokenEnds implements Purge {
  constructor(
    private readonly database: Database,
    private readonly consents: Consents,
    private readonly clock: Clock,
  ) {}

  /** Ends one access token, at the request of its client. */
  async endAccessToken(token: Pick<AccessTokenFacts, 'id' | 'expiresAt' | 'userId' | 'clientId'>): Promise<void> {
    const keepUntil = secondsAfter(fromUnixSeconds(token.expiresAt), seconds.perHour);
    await this.database.atomically(END_ONE, {
      id: token.id,
      now: this.clock.now(),
      keepUntil,
      userId: token.userId,
      clientId: token.clientId,
    });
  }

  /** Ends a family: its refresh token, and every access token with its id. `editorId`: the client that requested it. */
  async endFamily(familyId: string, why: FamilyEnd, editorId: string = SYSTEM): Promise<EndedFamily> {
    const now = this.clock.now();
    const [row] = await this.database.atomically(END_FAMILY, {
      familyId,
      now,
      keepUntil: secondsAfter(now, KEEP_END_SECONDS),
      eventType: `token_family.${why}`,
      editorId,
    });
    return { familyId, ...row };
  }

  /** Ends what keeps its access without a session. Returns how many there were. */
  async endFamiliesOf(
    tx: Transaction,
    { userId, orgId }: { readonly userId: string; readonly orgId: string },
    families: FamiliesOf,
  ): Promise<number> {
    const now = this.clock.now();
    const ended = await tx.query(END_FAMILIES_OF, {
      userId,
      orgId,
      editorId: userId,
      sessionId: 'sessionId' in families ? families.sessionId : null,
      exceptSessionId: 'exceptSessionId' in families ? families.exceptSessionId : null,
      clientId: 'clientId' in families ? families.clientId : null,
      now,
      keepUntil: secondsAfter(now, KEEP_END_SECONDS),
    });
    return ended.length;
  }

  /**
   * A user removes the access of an application: its refresh tokens end, and every access token and code issued so far,
   * also those that no row knows of. The user is asked before it is given anything again.
   */
  async endAccessOf(
    tx: Transaction,
    user: { readonly userId: string; readonly orgId: string },
    clientId: string,
  ): Promise<void> {
    await this.endFamiliesOf(tx, user, { clientId });
    await this.consents.forget(tx, user.userId, clientId);
    const now = this.clock.now();
    await tx.query(END_ACCESS, {
      accessId: accessOf({ userId: user.userId, clientId }),
      issuedUntil: toUnixSeconds(now),
      keepUntil: secondsAfter(now, KEEP_END_SECONDS),
    });
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return (await runPurge(on, EXPIRED_ENDS, now)) + (await runPurge(on, EXPIRED_FAMILIES, now));
  }
}
