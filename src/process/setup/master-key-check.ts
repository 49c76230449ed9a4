import { Injectable } from '@nestjs/common';
import { Vault } from '../../foundation/crypto/vault.js';
import type { Transaction } from '../../foundation/database/database.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { IdpService } from '../../idp/idp.service.js';
import { MailServerPasswords } from '../../mail/server/mail-server-passwords.js';
import type { Instance } from '../../org/instance/instance.entity.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { KeyService } from '../../token/key/key.service.js';
import { TotpService } from '../../user/factor/totp.service.js';
import { WebhookSecrets } from '../../webhook/webhook-secrets.js';

const CHECKED_TEXT = 'the master key is the right one';

/** A sealed text of the instance tells at every start whether the master key is that of the database. */
@Injectable()
export class MasterKeyCheck {
  constructor(
    private readonly vault: Vault,
    private readonly instances: InstanceService,
    private readonly keys: KeyService,
    private readonly idps: IdpService,
    private readonly totp: TotpService,
    private readonly webhooks: WebhookSecrets,
    private readonly mailServers: MailServerPasswords,
  ) {}

  /** The text that a new instance keeps for later starts. */
  seal(instanceId: string): string {
    return this.vault.seal(CHECKED_TEXT, placeOf(instanceId));
  }

  /** @throws DomainError FailedPrecondition `master_key.wrong` */
  check(instance: Pick<Instance, 'id' | 'masterKeyCheck'>): void {
    try {
      this.vault.open(instance.masterKeyCheck, placeOf(instance.id));
    } catch (error) {
      throw new DomainError(
        'FailedPrecondition',
        'master_key.wrong',
        'MASTER_KEY cannot decrypt this database. Give the key that it was created with (in development: DATA_DIR/master.key), ' +
          'or list that key in MASTER_KEY_PREVIOUS.',
        { cause: error },
      );
    }
  }

  /** A replaced master key is not needed any more as soon as one process has started with its successor. */
  async resealUnderCurrentKey(tx: Transaction, instance: Instance): Promise<void> {
    if (this.vault.isCurrent(instance.masterKeyCheck)) return;
    await this.keys.reseal(tx);
    await this.idps.reseal(tx);
    await this.totp.reseal(tx);
    await this.webhooks.reseal(tx);
    await this.mailServers.reseal(tx);
    await this.instances.reseal(tx, this.seal(instance.id));
  }
}

function placeOf(instanceId: string): { table: string; column: string; row: string; owner: string } {
  return { table: 'instance', column: 'master_key_check', row: instanceId, owner: instanceId };
}
