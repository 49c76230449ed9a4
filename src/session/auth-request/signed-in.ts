import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { activeGrantsOf } from '../../project/user-grant/grants-of-user.js';
import type { BrowserSession } from '../browser-session.js';
import type { AuthRequest } from './auth-request.js';
import type { SignedIn, SignedInUser } from './ext-protocol.js';

type Row = Omit<SignedInUser, 'loginName'> & Pick<SignedIn, 'roles' | 'groups'>;

const FIND = statement<{ userId: string; projectId: string }>(
  'session.signed_in',
  `SELECT
     u.id, u.org_id AS "orgId", u.user_name AS "userName", u.first_name AS "firstName", u.middle_name AS "middleName",
     u.last_name AS "lastName", u.nick_name AS "nickName", u.display_name AS "displayName",
     u.preferred_language AS "preferredLanguage", u.email, u.email_verified AS "emailVerified", u.phone,
     u.phone_verified AS "phoneVerified",
     ARRAY(
       SELECT DISTINCT held.key
       FROM ${activeGrantsOf('u.id', ':projectId')} g
       CROSS JOIN LATERAL unnest(g.role_keys) AS held (key)
       ORDER BY held.key) AS roles,
     ARRAY(
       SELECT gn.name
       FROM user_group_member gm
       JOIN user_group gn ON gn.id = gm.group_id
       WHERE gm.user_id = u.id
       ORDER BY gn.name, gn.id) AS groups
   FROM user_account u
   WHERE u.id = :userId AND u.state = 'active'`,
).rows<Row>();

/** What the protocols of extensions learn of a user who has signed in. */
@Injectable()
export class SignedInUsers {
  constructor(private readonly database: Database) {}

  /** Undefined if the account was closed just now. */
  async of(
    session: BrowserSession,
    request: Pick<AuthRequest, 'createdAt'>,
    projectId: string,
    now: Date,
  ): Promise<SignedIn | undefined> {
    const [row] = await this.database.query(FIND, { userId: session.userId, projectId });
    if (!row) return undefined;
    const { roles, groups, ...user } = row;
    const amr = session.amrAt(now, request.createdAt);
    return {
      user: { ...user, loginName: session.loginName },
      sessionId: session.id,
      authTime: session.authTime ?? now,
      amr,
      // Signing in through a provider, which no `amr` expresses, counts no less than a password.
      acr: amr.includes('mfa') ? '2' : '1',
      roles,
      groups,
    };
  }
}
