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

/** A user's account at an identity provider. Members may be added in a minor version. @public */
export interface ProviderAccountOfUser {
  readonly providerId: string;
  /** `oidc`, `jwt`, or the kind of an extension. */
  readonly providerKind: string;
  readonly providerName: string;
  /** What identifies the user at the provider. */
  readonly subject: string;
  /** The name of the account at the provider; empty if there is none. */
  readonly displayName: string;
  /** What the provider said when the user last signed in by it (`IdpIdentity.attributes`). */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  readonly linkedAt: Date;
}

/** Reads users. Inject it by this class. @public */
export abstract class Users {
  /** An active user of an active organization; undefined if there is none. */
  abstract find(userId: string): Promise<FoundUser | undefined>;

  /**
   * The accounts at providers with which a user is linked, whatever the state of the user: at most 100, in the order of
   * providers and subjects.
   */
  abstract providerAccounts(userId: string): Promise<readonly ProviderAccountOfUser[]>;
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

const ACCOUNTS = statement(
  'facade.provider_accounts',
  `SELECT l.idp_id AS "providerId", i.type AS "providerKind", i.name AS "providerName",
     l.external_user_id AS subject, l.display_name AS "displayName", l.attributes, l.creation_date AS "linkedAt"
   FROM idp_link l
   JOIN idp i ON i.id = l.idp_id
   WHERE l.user_id = :userId
   ORDER BY l.idp_id, l.external_user_id
   LIMIT 100`,
).rows<ProviderAccountOfUser>();

/** The façade over the product's users. */
export class SharedUsers extends Users {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(userId: string): Promise<FoundUser | undefined> {
    const [user] = await this.database.query(FIND, { userId });
    return user;
  }

  override async providerAccounts(userId: string): Promise<readonly ProviderAccountOfUser[]> {
    return this.database.query(ACCOUNTS, { userId });
  }
}
