import { Injectable } from '@nestjs/common';
import { CachedReads } from '../../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../../foundation/database/change-channel.js';
import { Database } from '../../foundation/database/database.js';
import { MailServer } from './mail-server.entity.js';

/** The mail server that sends, if there is one. Cached: each mail asks. */
@Injectable()
export class ActiveMailServer {
  private readonly known: CachedReads<{ readonly server: MailServer | undefined }>;

  constructor(
    private readonly database: Database,
    changes: ChangeChannel,
  ) {
    this.known = new CachedReads(changes, 'mail-server', async () => ({ server: await this.findNow() }));
  }

  async find(): Promise<MailServer | undefined> {
    return (await this.known.find(EVERYTHING))?.server;
  }

  /** From the database. */
  async findNow(): Promise<MailServer | undefined> {
    return (await this.database.entities.findOneBy(MailServer, { state: 'active' })) ?? undefined;
  }
}
