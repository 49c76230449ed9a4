import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CachedReads } from '../../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../../foundation/database/change-channel.js';
import { MailServer } from './mail-server.entity.js';

/** The mail server that sends, if there is one. Cached: each mail asks. */
@Injectable()
export class ActiveMailServer {
  private readonly known: CachedReads<{ readonly server: MailServer | undefined }>;

  constructor(
    @InjectRepository(MailServer) private readonly rows: Repository<MailServer>,
    changes: ChangeChannel,
  ) {
    this.known = new CachedReads(changes, 'mail-server', async () => ({ server: await this.findNow() }));
  }

  async find(): Promise<MailServer | undefined> {
    return (await this.known.find(EVERYTHING))?.server;
  }

  /** The active mail server, read from the database. */
  async findNow(): Promise<MailServer | undefined> {
    return (await this.rows.findOneBy({ state: 'active' })) ?? undefined;
  }
}
