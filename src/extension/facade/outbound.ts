import { Loan } from '../../foundation/extension/loan.js';
import { runningExtension } from '../../foundation/log/running-extension.js';
import type { OutboundClient } from '../../foundation/outbound/outbound-client.js';
import type { IdpHttpAnswer, IdpHttpRequest } from '../../idp/idp-kind.js';
import { providerHttp } from '../../idp/provider-http.js';

/**
 * Calls other services by the rules that hold for all calls of Gatehouse: https (http for this machine in development),
 * public addresses and those of OUTBOUND_ALLOW, no redirects, 10 s and 1 MB. Connections of extensions are counted for
 * each of them, so that none waits for those of another. Inject it by this class.
 * @public
 */
export abstract class Outbound {
  /**
   * The answer, whatever its status except a redirect.
   * @throws DomainError `outbound.…`
   */
  abstract send(request: IdpHttpRequest, signal?: AbortSignal): Promise<IdpHttpAnswer>;
}

/** The façade over the product's own client. */
export class SharedOutbound extends Outbound {
  constructor(private readonly client: OutboundClient) {
    super();
  }

  override async send(
    request: IdpHttpRequest,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<IdpHttpAnswer> {
    const ownerId = `ext.${runningExtension() ?? ''}`;
    const loan = new Loan('connection', () => undefined); // never ends: it is the extension's own
    return providerHttp(this.client, { ownerId, signal, loan }).send(request);
  }
}
