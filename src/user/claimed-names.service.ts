import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../config/config.js';
import { newId } from '../crypto/id.js';
import type { Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import { isWithinOrg } from '../org/name-scope.js';
import type { User } from './user.entity.js';
import { UserService } from './user.service.js';
import { UserMails } from './user-mails.js';
import { toNameKey } from './user-name.js';

/** People of others whose whole login name stands at a domain. Names within an organization do not: they end in its own. */
const FIND_STRANGERS = statement(
  'user.strangers_at_domain',
  `SELECT u.id, u.org_id AS "orgId", u.email, u.user_name AS "userName" FROM user_account u
   WHERE split_part(u.user_name_key, '@', -1) = $1 AND u.user_name_key LIKE '%@%' AND u.org_id <> $2 AND u.kind = 'human' AND NOT ${isWithinOrg('u')}
   ORDER BY u.id FOR NO KEY UPDATE`,
);

/** What becomes of login names at a domain that turns out to be an organization's. */
@Injectable()
export class ClaimedNames {
  constructor(
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly issuer: IssuerConfig,
  ) {}

  /**
   * People of other organizations whose name stands at the domain get another one, which holds until they choose one
   * themselves, and are told: the old name would from now on mean somebody of the organization.
   */
  async giveUp(tx: Transaction, orgId: string, domain: string, editorId: string): Promise<void> {
    const strangers = await tx.query<Pick<User, 'id' | 'orgId' | 'email' | 'userName'>>(FIND_STRANGERS, [
      domain,
      orgId,
    ]);
    for (const stranger of strangers) {
      const userName = `${newId()}@temporary.${this.host()}`;
      await this.users.change(
        tx,
        stranger.id,
        { userName, userNameKey: toNameKey(userName) },
        'user.domain.claimed',
        editorId,
        { userName },
      );
      await this.mails.tellDomainClaimed(tx, stranger, {
        domain,
        formerUserName: stranger.userName,
        tempUserName: userName,
      });
    }
  }

  /** The host of the issuer, where it has a name. */
  private host(): string {
    const { hostname } = new URL(this.issuer.publicUrl);
    return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
  }
}
