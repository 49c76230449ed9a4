import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Log, type PageRefusal, Pages } from 'gatehouse';
import { SamlRefusal } from '../refusal.js';

/** A browser that waits for an answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Pages for messages that are not accepted, and a line in the log that says why. */
@Injectable()
export class RefusalPages {
  constructor(
    private readonly pages: Pages,
    private readonly log: Log,
  ) {}

  /** Runs it; what it refuses becomes a page, and nobody is answered anywhere else. */
  async around(exchange: Exchange, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error;
      this.tell(error);
      await this.show(exchange, error.reason.startsWith('consumer_') ? 'return-address-unknown' : 'invalid-request');
    }
  }

  /** @param received what came, for those who look for the mistake */
  async show({ request, response }: Exchange, why: PageRefusal, received?: string): Promise<void> {
    await this.pages.refuse(request, response, why, received);
  }

  tell({ reason, detail }: SamlRefusal): void {
    this.log.info({ reason: `saml.${reason}`, ...(detail === undefined ? {} : { detail }) }, 'A message was refused.');
  }
}
