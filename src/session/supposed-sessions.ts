import { Injectable } from '@nestjs/common';
import { PasskeyConfig } from '../foundation/config/config.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS } from '../user/login-name-search.js';
import { isOfKind } from '../user/user-name.js';
import { sessionJson } from './browser-sessions.js';
import { Candidate, type FoundCandidate } from './candidate.js';

const FIND = statement(
  'session.supposed',
  `SELECT ${ACCOUNT_COLUMNS}, u.sequence::text AS "userSequence", ${sessionJson('ud.domain')} AS "session"
   FROM user_account u
   ${ACCOUNT_JOINS}
   LEFT JOIN session s ON false
   WHERE u.id = :userId AND ${isOfKind('u', 'human')}`,
).rows<FoundCandidate>();

/** Sessions that nobody has begun, for explaining how they would begin. */
@Injectable()
export class SupposedSessions {
  constructor(
    private readonly database: Database,
    private readonly passkeys: PasskeyConfig,
  ) {}

  /** A person of an active organization, and what their session in a browser that is new to them would be. */
  async find(userId: string): Promise<Candidate | undefined> {
    const [found] = await this.database.query(FIND, { userId });
    return found && new Candidate(found, this.passkeys.rpId);
  }
}
