import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Secret } from '../../foundation/config/secret.js';
import { type SealedPlace, Vault } from '../../foundation/crypto/vault.js';
import type { Transaction } from '../../foundation/database/database.js';
import { Logger } from '../../foundation/log/logger.js';
import { MailServer } from './mail-server.entity.js';

/** The passwords at mail servers, which must be readable to be sent there. */
@Injectable()
export class MailServerPasswords {
  constructor(
    @InjectRepository(MailServer) private readonly rows: Repository<MailServer>,
    private readonly vault: Vault,
    private readonly log: Logger,
  ) {}

  /** An empty password is none. */
  seal(id: string, password: string): string {
    return password === '' ? '' : this.vault.seal(password, placeOf(id));
  }

  /** Undefined if it cannot be read, because the master key was lost or replaced without the former one. */
  find({ id, password }: Pick<MailServer, 'id' | 'password'>): Secret | undefined {
    const text = password === '' ? '' : this.vault.find(password, placeOf(id));
    return text === undefined ? undefined : new Secret(text);
  }

  /** Reseals every password under today's master key. One that cannot be read stays as it is. */
  async reseal(tx: Transaction): Promise<void> {
    for (const server of await tx.of(this.rows).find()) {
      const { id, password } = server;
      if (password === '' || this.vault.isCurrent(password)) continue;
      const found = this.find(server);
      if (found) await tx.of(this.rows).update({ id }, { password: this.seal(id, found.reveal()) });
      else
        this.log.error(
          { mailServerId: id },
          'the password of an SMTP configuration cannot be read with MASTER_KEY and MASTER_KEY_PREVIOUS; set it again',
        );
    }
  }
}

function placeOf(id: string): SealedPlace {
  return { table: 'mail_server', column: 'password', row: id, owner: '' };
}
