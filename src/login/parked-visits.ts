import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import type { Queryable } from '../foundation/database/statement.js';
import { AuthRequestService } from '../session/auth-request/auth-request.service.js';
import type { MailDetails } from '../user/outbox/outbox-mail.entity.js';
import type { Visit } from './visit.js';

/**
 * Sign-ins to which the link of a mail leads back: they are stored, since the sealed request is too long for a link.
 */
@Injectable()
export class ParkedVisits {
  constructor(
    private readonly requests: AuthRequestService,
    private readonly database: Database,
  ) {}

  /** The details of a mail by which its reader can continue this sign-in. */
  async of(visit: Visit | undefined): Promise<MailDetails> {
    return visit === undefined ? {} : this.within(this.database, visit);
  }

  /** Like `of`, within a transaction. */
  async within(on: Queryable, { request }: Visit): Promise<MailDetails> {
    await this.requests.park(on, request);
    return { authRequestId: request.id };
  }
}
