import { Injectable, type OnModuleInit } from '@nestjs/common';
import { shareLock, takeLock } from '../database/advisory-lock.js';
import { isUniqueViolation } from '../database/database-failure.js';
import type { Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import { PolicyService } from '../policy/policy.service.js';
import { userNamesCollide } from './user.errors.js';

/** `$1`: an organization, or the instance for every one that has no policy of its own. */
const OF_OWNER = `(u.org_id = $1 OR (EXISTS (SELECT 1 FROM instance i WHERE i.id = $1)
  AND NOT EXISTS (SELECT 1 FROM domain_policy own WHERE own.owner_id = u.org_id)))`;

const MUST_BE_DOMAIN = statement(
  'name_scope.must_be_domain',
  `SELECT user_login_must_be_domain AS "mustBeDomain" FROM domain_policy
   WHERE owner_id IN ($1, (SELECT id FROM instance)) ORDER BY owner_id = $1 DESC LIMIT 1`,
);

const NARROW = statement(
  'name_scope.narrow',
  `UPDATE user_account u SET name_scope = u.org_id FROM org o
   WHERE o.id = u.org_id AND u.kind = 'human' AND u.name_scope = '' AND ${OF_OWNER}`,
);

const WIDEN = statement(
  'name_scope.widen',
  `UPDATE user_account u SET name_scope = '' FROM org o
   WHERE o.id = u.org_id AND u.kind = 'human' AND u.name_scope <> '' AND ${OF_OWNER}`,
);

/** Somebody's whole name that is somebody else's name at a domain: the login name would mean two, which is nobody. */
const FIND_NAMESAKE = statement(
  'name_scope.namesake',
  `SELECT u.id FROM user_account u JOIN org o ON o.id = u.org_id
     JOIN org_domain d ON d.domain = substring(u.user_name_key FROM '@([^@]*)$') AND d.is_verified
     JOIN user_account n ON n.org_id = d.org_id AND n.user_name_key = substring(u.user_name_key FROM '^(.*)@[^@]*$') AND n.id <> u.id
   WHERE u.kind = 'human' AND n.kind = 'human' AND u.name_scope = '' AND ${OF_OWNER} LIMIT 1`,
);

/**
 * Within what the names of an organization's people are unique: the instance, or their organization where its domain
 * policy says so. Names of service users are always unique in the instance: they are client ids of the token endpoint,
 * where nobody types a domain.
 */
@Injectable()
export class NameScopeService implements OnModuleInit {
  constructor(private readonly policies: PolicyService) {}

  onModuleInit(): void {
    this.policies.follow('domain', (tx, ownerId) => this.rescope(tx, ownerId));
  }

  /** For a new person; nobody changes the policy before the transaction ends. */
  async of(tx: Transaction, orgId: string): Promise<string> {
    await shareLock(tx, 'nameScope');
    return (await this.mustBeDomain(tx, orgId)) ? orgId : '';
  }

  /**
   * Takes along those who live by the policy that has just changed.
   * @throws DomainError FailedPrecondition `user.names_collide` when a name that was unique in its organization is not in the instance
   */
  private async rescope(tx: Transaction, ownerId: string): Promise<void> {
    await takeLock(tx, 'nameScope');
    if (await this.mustBeDomain(tx, ownerId)) {
      await tx.query(NARROW, [ownerId]);
      return;
    }
    try {
      await tx.query(WIDEN, [ownerId]);
    } catch (error) {
      throw isUniqueViolation(error, 'user_account_name_key') ? userNamesCollide() : error;
    }
    if ((await tx.query(FIND_NAMESAKE, [ownerId])).length > 0) throw userNamesCollide();
  }

  /** Asked within the transaction, after the lock: memory may not know yet. */
  private async mustBeDomain(tx: Transaction, ownerId: string): Promise<boolean> {
    const [row] = await tx.query<{ mustBeDomain: boolean }>(MUST_BE_DOMAIN, [ownerId]);
    return row?.mustBeDomain === true;
  }
}
