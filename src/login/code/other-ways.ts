import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import type { Queryable } from '../../foundation/database/statement.js';
import { IdpLinks } from '../../idp/idp-links.js';
import type { OtherWay } from '../../page/part/other-ways.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';

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
}

/** Other ways as the line of a mail, in the order of the list: names, with the day since when a passkey exists. */
export function toLine(ways: readonly OtherWay[]): string {
  return ways
    .map(({ name, detail, createdAt }) => [name, createdAt?.toISOString().slice(0, 'yyyy-mm-dd'.length) ?? detail])
    .map(([name, more]) => (more === '' ? name : `${name} (${more})`))
    .join(', ');
}
