import { Injectable } from '@nestjs/common';
import { Pages } from 'gatehouse';
import type { OutgoingMessage } from '../bindings/message.js';
import { toPostForm } from '../bindings/post.js';
import { toRedirectUrl } from '../bindings/redirect.js';
import type { RelayState } from '../bindings/relay-state.js';
import { Certificates } from '../certificate/certificates.js';
import type { Endpoint } from '../metadata/endpoint.js';
import type { ServiceProvider } from '../metadata/service-provider.js';
import type { Exchange } from '../sign-in/refusal-pages.js';

/** Sends messages about logout by the browser, signed: under the redirect binding in the query. */
@Injectable()
export class FrontChannel {
  constructor(
    private readonly certificates: Certificates,
    private readonly pages: Pages,
  ) {}

  async send(
    { request, response }: Exchange,
    { binding }: Endpoint,
    outgoing: OutgoingMessage,
    relayState: RelayState | undefined,
  ): Promise<void> {
    const options = { key: await this.certificates.signingKey(), ...(relayState ? { relayState } : {}) };
    if (binding === 'redirect') this.pages.redirect(request, response, toRedirectUrl(outgoing, options));
    else await this.pages.post(request, response, toPostForm(outgoing, options));
  }
}

/** Where an application is told; a redirect needs no script. */
export function logoutEndpoint({ logoutEndpoints }: ServiceProvider): Endpoint | undefined {
  return logoutEndpoints.find(({ binding }) => binding === 'redirect') ?? logoutEndpoints[0];
}
