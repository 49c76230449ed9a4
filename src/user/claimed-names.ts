import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { newId } from '../foundation/crypto/id.js';
import { columnsOf } from '../foundation/database/columns.js';
import type { Transaction } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { User } from './user.entity.js';
import { UserService } from './user.service.js';
import { UserMails } from './user-mails.js';
import { isPersonAtDomain, toNameKey } from './user-name.js';

/** Users of other organizations whose whole user name ends with the domain. */
const FIND_STRANGERS = statement(
  'user.strangers_at_domain',
  `SELECT ${columnsOf(User, 'u', ['id', 'orgId', 'email', 'userName'])}
   FROM user_account u
   WHERE ${isPersonAtDomain('u', ':domain')} AND u.org_id <> :orgId
   ORDER BY u.id
   FOR NO KEY UPDATE`,
).rows<Pick<User, 'id' | 'orgId' | 'email' | 'userName'>>();

/** Handles user names that end with a domain which an organization has verified. */
@Injectable()
export class ClaimedNames {
  constructor(
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly issuer: IssuerConfig,
  ) {}

  /**
   * Renames users of other organizations whose name ends with the domain, until they choose another name, and notifies
   * them: from now on the old name would denote a user of the organization.
   */
  async giveUp(tx: Transaction, orgId: string, domain: string, editorId: string): Promise<void> {
    const strangers = await tx.query(FIND_STRANGERS, { domain, orgId });
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

  /** The host of the issuer, unless it is an address. */
  private host(): string {
    const { hostname } = new URL(this.issuer.publicUrl);
    return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
  }
}
