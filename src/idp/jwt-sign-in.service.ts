import { Injectable } from '@nestjs/common';
import { IssuerConfig, OutboundConfig } from '../config/config.js';
import { seconds } from '../time/duration.js';
import { type ExternalIdentity, toExternalIdentity } from './external-identity.js';
import type { Idp } from './idp.entity.js';
import { answerRefused } from './idp.errors.js';
import { checkAuthTime, TokenVerifier } from './token-verifier.js';

/** A proxy makes the token when somebody passes; an older one was kept by somebody. */
const MAX_AGE_SECONDS = seconds.perHour;
/** One token, with the scheme or without; two of them, blanks and commas do not fit. */
const HEADER = /^(?:bearer )?([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** The parameters with which the browser is sent away and comes back. */
export interface JwtErrand {
  readonly authRequestId: string;
  /** The browser, sealed. */
  readonly userAgentId: string;
}

/** Signs somebody in who comes back through a proxy that puts a JWT into a header. */
@Injectable()
export class JwtSignIn {
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly issuer: IssuerConfig,
    private readonly outbound: OutboundConfig,
  ) {}

  /** Where the browser goes: nothing but our two values is added to what was configured. */
  endpointUrl({ jwtEndpoint }: Idp, { authRequestId, userAgentId }: JwtErrand): string {
    const url = new URL(jwtEndpoint);
    url.searchParams.set('authRequestID', authRequestId);
    url.searchParams.set('userAgentID', userAgentId);
    return url.href;
  }

  /**
   * Who the header says that it is. The token must be meant for us: by our own address, or by one of JWT_IDP_AUDIENCES.
   * @throws DomainError FailedPrecondition `idp.answer_refused`; Unavailable `idp.provider_failed`
   */
  async prove(idp: Idp, headers: NodeJS.Dict<string[]>, provedAfter: Date | null): Promise<ExternalIdentity> {
    const claims = await this.verifier.verify(readHeader(idp, headers), {
      issuer: idp.issuer,
      audiences: [this.issuer.publicUrl, ...this.outbound.jwtIdpAudiences],
      keysUrl: idp.keysEndpoint,
      maxAgeSeconds: MAX_AGE_SECONDS,
    });
    checkAuthTime(claims, provedAfter);
    return toExternalIdentity(claims.sub, claims);
  }
}

/** Each header as it came: joined or dropped, as Node does with some, the second of two would go unseen (IDP-016). */
function readHeader({ headerName }: Idp, headers: NodeJS.Dict<string[]>): string {
  const values = headers[headerName.toLowerCase()] ?? [];
  if (values.length === 0) throw answerRefused('header_missing');
  if (values.length > 1) throw answerRefused('header_repeated');
  const token = HEADER.exec(values[0]!)?.[1];
  if (token === undefined) throw answerRefused('header_malformed');
  return token;
}
