import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { USER_JOINS } from '../../user/user-facts.js';

/** A user as extensions see it. Members may be added in a minor version. @public */
export interface FoundUser {
  readonly id: string;
  readonly orgId: string;
  readonly kind: 'human' | 'service';
  readonly userName: string;
  /** For a service user, its name. */
  readonly displayName: string;
  /** Empty if there is none. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly preferredLanguage: string;
}

/** Reads users. Inject it by this class. @public */
export abstract class Users {
  /** An active user of an active organization; undefined if there is none. */
  abstract find(userId: string): Promise<FoundUser | undefined>;
}

const FIND = statement(
  'facade.user',
  `SELECT u.id, u.org_id AS "orgId", u.kind, u.user_name AS "userName",
     CASE WHEN u.kind = 'service' THEN u.service_name ELSE u.display_name END AS "displayName",
     u.email, u.email_verified AS "emailVerified", u.preferred_language AS "preferredLanguage"
   FROM user_account u
   ${USER_JOINS}
   WHERE u.id = :userId AND u.state = 'active'`,
).rows<FoundUser>();

/** The façade over the product's users. */
export class SharedUsers extends Users {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(userId: string): Promise<FoundUser | undefined> {
    const [user] = await this.database.query(FIND, { userId });
    return user;
  }
}
