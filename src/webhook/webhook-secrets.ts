import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Secret } from '../foundation/config/secret.js';
import { type SealedPlace, Vault } from '../foundation/crypto/vault.js';
import type { Transaction } from '../foundation/database/database.js';
import { Logger } from '../foundation/log/logger.js';
import { Webhook } from './webhook.entity.js';

type Sealed = Pick<Webhook, 'id' | 'ownerId' | 'secret' | 'formerSecret' | 'formerUntil'>;

/** The secrets of webhooks, which sign, and must therefore be readable again. */
@Injectable()
export class WebhookSecrets {
  constructor(
    @InjectRepository(Webhook) private readonly rows: Repository<Webhook>,
    private readonly vault: Vault,
    private readonly log: Logger,
  ) {}

  seal(id: string, ownerId: string, secret: Secret): string {
    return this.vault.seal(secret.reveal(), placeOf(id, ownerId));
  }

  /**
   * The secrets that sign at this moment, the newest first. Undefined if that one cannot be read, because the master
   * key was lost or replaced without the former one; a former secret that cannot be read signs no more.
   */
  open({ id, ownerId, secret, formerSecret, formerUntil }: Sealed, now: Date): readonly Secret[] | undefined {
    const isFormerValid = formerSecret !== null && formerUntil !== null && now < formerUntil;
    const [current, former] = [secret, ...(isFormerValid ? [formerSecret] : [])].map((sealed) =>
      this.vault.find(sealed, placeOf(id, ownerId)),
    );
    if (current === undefined) return undefined;
    return [current, ...(former === undefined ? [] : [former])].map((text) => new Secret(text));
  }

  /** Reseals every secret under today's master key. One that cannot be read stays as it is. */
  async reseal(tx: Transaction): Promise<void> {
    for (const { id, ownerId, secret, formerSecret } of await tx.of(this.rows).find()) {
      const again = (sealed: string): string => this.resealed(sealed, id, ownerId);
      await tx
        .of(this.rows)
        .update({ id }, { secret: again(secret), formerSecret: formerSecret === null ? null : again(formerSecret) });
    }
  }

  private resealed(sealed: string, id: string, ownerId: string): string {
    if (this.vault.isCurrent(sealed)) return sealed;
    const secret = this.vault.find(sealed, placeOf(id, ownerId));
    if (secret !== undefined) return this.vault.seal(secret, placeOf(id, ownerId));
    this.log.error(
      { webhookId: id, ownerId },
      'a secret of a webhook cannot be read with MASTER_KEY and MASTER_KEY_PREVIOUS; rotate it',
    );
    return sealed;
  }
}

/** The place of a secret, and of the one that follows it, which takes its column. */
function placeOf(id: string, ownerId: string): SealedPlace {
  return { table: 'webhook', column: 'secret', row: id, owner: ownerId };
}
