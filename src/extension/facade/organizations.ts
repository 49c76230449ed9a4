import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';

/** An organization as extensions see it. Members may be added in a minor version. @public */
export interface FoundOrganization {
  readonly id: string;
  readonly name: string;
  /** Empty if there is none. */
  readonly primaryDomain: string;
}

/** Reads organizations. Inject it by this class. @public */
export abstract class Organizations {
  /** An active organization; undefined if there is none. */
  abstract find(orgId: string): Promise<FoundOrganization | undefined>;

  /**
   * Its verified domains in lower case, the primary one first; none for an unknown organization. Where the policy of
   * the instance asks for no proof (`validateOrgDomains`), every domain counts as verified, whoever owns it.
   */
  abstract verifiedDomains(orgId: string): Promise<readonly string[]>;
}

const FIND = statement(
  'facade.organization',
  `SELECT o.id, o.name,
     coalesce((SELECT d.domain FROM org_domain d WHERE d.org_id = o.id AND d.is_primary), '') AS "primaryDomain"
   FROM org o
   WHERE o.id = :orgId AND o.state = 'active'`,
).rows<FoundOrganization>();

const DOMAINS = statement(
  'facade.verified_domains',
  `SELECT domain
   FROM org_domain
   WHERE org_id = :orgId AND is_verified
   ORDER BY is_primary DESC, domain`,
).rows<{ domain: string }>();

/** The façade over the product's organizations. */
export class SharedOrganizations extends Organizations {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(orgId: string): Promise<FoundOrganization | undefined> {
    const [organization] = await this.database.query(FIND, { orgId });
    return organization;
  }

  override async verifiedDomains(orgId: string): Promise<readonly string[]> {
    return (await this.database.query(DOMAINS, { orgId })).map(({ domain }) => domain);
  }
}
