import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import type { ExternalIdentity } from '../../idp/external-identity.js';
import type { LinkedAccount } from '../../idp/idp-links.js';
import { PersonService } from '../../user/person.service.js';
import { type Profile, profileViolations } from '../../user/profile.js';
import { UserService } from '../../user/user.service.js';

/**
 * Lets the names of users follow what their provider says (`isAutoUpdate`). Addresses and numbers do not: with them
 * somebody gets back into an account, so that their owner has to prove them here.
 */
@Injectable()
export class FollowedProfile {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
    private readonly persons: PersonService,
    private readonly log: Logger,
  ) {}

  async follow(account: LinkedAccount, identity: ExternalIdentity): Promise<void> {
    try {
      await this.store(account, namesIn(identity));
    } catch (error) {
      // Names that a rule of the organization does not accept stay as they are; that is no reason to keep somebody out.
      if (!(error instanceof DomainError) || error.reason !== 'user.rule_refused') throw error;
      this.log.warn({ reason: error.reason, userId: account.userId }, 'names of a provider not taken');
    }
  }

  private async store({ userId, orgId }: LinkedAccount, said: Partial<Profile>): Promise<void> {
    await this.database.transaction(async (tx) => {
      const user = await this.users.getOf(tx, orgId, userId);
      const isNew = ([name, value]: readonly [string, unknown]) => user[name as keyof typeof said] !== value;
      const changed = Object.fromEntries(Object.entries(said).filter(isNew));
      if (Object.keys(changed).length > 0) await this.persons.changeProfile(tx, user, changed, SYSTEM);
    });
  }
}

/** The names that may be stored; none where nobody has proved them. */
function namesIn({ givenName, familyName, name, nickName, isNameUnproved }: ExternalIdentity): Partial<Profile> {
  if (isNameUnproved) return {};
  const said = { firstName: givenName, lastName: familyName, displayName: name, nickName };
  const isFit = ([member, value]: readonly [string, string | undefined]) =>
    value !== undefined && profileViolations({ [member]: value }, '').length === 0;
  return Object.fromEntries(Object.entries(said).filter(isFit));
}
