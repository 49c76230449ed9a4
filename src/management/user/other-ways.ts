import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { Queryable } from '../../foundation/database/statement.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import { UserService } from '../../user/user.service.js';
import { UserMails } from '../../user/user-mails.js';

/** A passkey, or an account at a provider, that signs a user in as well. */
export interface OtherWay {
  readonly name: string;
  /** The name of the account at a provider; empty if there is none. */
  readonly detail: string;
  /** The day on which a passkey was made. */
  readonly createdAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/**
 * Finds what else signs a user in besides the password or passkey that they have just got by a mail. It stays: an owner
 * who has forgotten a password still has the keys. But somebody who had the account before may have left a key, and a
 * lost device holds another, so the owner is told what there is (PKY-028).
 */
@Injectable()
export class OtherWays {
  constructor(
    private readonly passkeys: PasskeyService,
    private readonly links: IdpLinks,
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly database: Database,
  ) {}

  /** Passkeys that work at this domain, then accounts at providers. */
  async of(
    userId: string,
    { exceptKey, on = this.database }: { readonly exceptKey?: string; readonly on?: Queryable } = {},
  ): Promise<readonly OtherWay[]> {
    const keys = await this.passkeys.list(userId, on);
    const links = await this.links.of(userId, on);
    return [
      ...keys
        .filter((key) => key.kind === 'passkey' && key.id !== exceptKey && this.passkeys.worksHere(key))
        .map(({ name, createdAt, lastUsedAt }) => ({ name, detail: '', createdAt, lastUsedAt })),
      ...links.map(({ idpName, displayName }) => ({
        name: idpName,
        detail: displayName,
        createdAt: null,
        lastUsedAt: null,
      })),
    ];
  }

  /** After a reset of the password: a mail names them, since there may be no page on which they stand. */
  async tell(tx: Transaction, userId: string): Promise<readonly OtherWay[]> {
    const ways = await this.of(userId, { on: tx });
    if (ways.length > 0)
      await this.mails.tellAccountChanged(tx, await this.users.get(tx, userId), 'passwordReset', toLine(ways));
    return ways;
  }
}

/** Other ways as the line of a mail, in the order of the list: names, with the day since when a passkey exists. */
function toLine(ways: readonly OtherWay[]): string {
  return ways
    .map(({ name, detail, createdAt }) => [name, createdAt?.toISOString().slice(0, 'yyyy-mm-dd'.length) ?? detail])
    .map(([name, more]) => (more === '' ? name : `${name} (${more})`))
    .join(', ');
}
