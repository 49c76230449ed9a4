import { Injectable } from '@nestjs/common';
import { Secret } from '../foundation/crypto/secret.js';
import { type SealedPlace, Vault } from '../foundation/crypto/vault.js';
import type { Transaction } from '../foundation/database/database.js';
import { Webhook } from './webhook.entity.js';

type Sealed = Pick<Webhook, 'id' | 'ownerId' | 'secret' | 'formerSecret' | 'formerUntil'>;

/** The secrets of webhooks, which sign, and must therefore be readable again. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly vault: Vault) {}

  seal(id: string, ownerId: string, secret: Secret): string {
    return this.vault.seal(secret.reveal(), placeOf(id, ownerId));
  }

  /** Those that sign at this moment, the newest first. */
  open({ id, ownerId, secret, formerSecret, formerUntil }: Sealed, now: Date): Secret[] {
    const isFormerValid = formerSecret !== null && formerUntil !== null && now < formerUntil;
    return [secret, ...(isFormerValid ? [formerSecret] : [])].map(
      (sealed) => new Secret(this.vault.open(sealed, placeOf(id, ownerId))),
    );
  }

  /** Reseals every secret under today's master key. */
  async reseal(tx: Transaction): Promise<void> {
    for (const { id, ownerId, secret, formerSecret } of await tx.entities.find(Webhook)) {
      const again = (sealed: string): string =>
        this.vault.isCurrent(sealed)
          ? sealed
          : this.vault.seal(this.vault.open(sealed, placeOf(id, ownerId)), placeOf(id, ownerId));
      await tx.entities.update(
        Webhook,
        { id },
        { secret: again(secret), formerSecret: formerSecret === null ? null : again(formerSecret) },
      );
    }
  }
}

/** The same for a secret and the one that follows it, which takes its column. */
function placeOf(id: string, ownerId: string): SealedPlace {
  return { table: 'webhook', column: 'secret', row: id, owner: ownerId };
}
