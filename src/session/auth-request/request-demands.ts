import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import type { Client } from '../../project/client/client.js';
import { isCodeFlow, type NewAuthRequest } from './auth-request.js';

/** How a client's requests must arrive. */
export interface Demands {
  /** RFC 9126 §5 and §6. */
  readonly mustPush: boolean;
  /** RFC 9101 §10.5. */
  readonly mustSign: boolean;
  /** RFC 9700 §2.1.1, of requests for a code. */
  readonly mustUsePkce: boolean;
}

/** Something that a request lacks although its client must send it today. */
export type Lacking = 'push' | 'signature' | 'challenge' | 'response-type';

/**
 * What is demanded of the requests of a client. Asked when a request arrives, and again when its code is issued and
 * redeemed: a sign-in may take an hour, and settings that have become stricter meanwhile count (AUT-137).
 */
@Injectable()
export class RequestDemands {
  constructor(private readonly issuer: IssuerConfig) {}

  of(client: Client): Demands {
    return {
      mustPush: client.mustPush || this.issuer.requiresPushedRequests,
      mustSign: client.settings.requireSignedRequests,
      mustUsePkce: client.mustUsePkce,
    };
  }

  /** Undefined if the request could be made today. */
  lacking(
    client: Client,
    request: Pick<NewAuthRequest, 'responseType' | 'pushedId' | 'isSigned' | 'codeChallenge'>,
  ): Lacking | undefined {
    const { mustPush, mustSign, mustUsePkce } = this.of(client);
    if (mustPush && request.pushedId === undefined) return 'push';
    if (mustSign && request.isSigned === false) return 'signature';
    if (request.responseType !== 'none' && !client.mayAskFor(request.responseType)) return 'response-type';
    return mustUsePkce && isCodeFlow(request) && request.codeChallenge === undefined ? 'challenge' : undefined;
  }
}
