import { Injectable } from '@nestjs/common';
import { IssuerConfig, OutboundConfig } from '../foundation/config/config.js';
import { seconds } from '../foundation/time/duration.js';
import { type ExternalIdentity, toExternalIdentity } from './external-identity.js';
import type { Idp } from './idp.entity.js';
import { answerRefused } from './idp.errors.js';
import { checkAuthTime, TokenVerifier } from './token-verifier.js';

/** A proxy issues the token when a user passes; an older one was stored somewhere. */
const MAX_AGE_SECONDS = seconds.perHour;
/** A single token, with or without the scheme; no blanks or commas. */
const HEADER = /^(?:bearer )?([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** The parameters with which the browser leaves and returns. */
export interface JwtErrand {
  readonly authRequestId: string;
  /** The browser, sealed. */
  readonly userAgentId: string;
}

/** Signs in users who return through a proxy that adds a JWT in a header. */
@Injectable()
export class JwtSignIn {
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly issuer: IssuerConfig,
    private readonly outbound: OutboundConfig,
  ) {}

  /** Where the browser goes: the configured address with our two values. */
  endpointUrl({ jwtEndpoint }: Idp, { authRequestId, userAgentId }: JwtErrand): string {
    const url = new URL(jwtEndpoint);
    url.searchParams.set('authRequestID', authRequestId);
    url.searchParams.set('userAgentID', userAgentId);
    return url.href;
  }

  /**
   * The identity in the header. The token must be meant for us: by our own address, or by one of JWT_IDP_AUDIENCES.
   * @throws DomainError FailedPrecondition `idp.answer_refused`; Unavailable `idp.provider_failed`
   */
  async prove(idp: Idp, headers: NodeJS.Dict<string[]>, provedAfter: Date | null): Promise<ExternalIdentity> {
    const claims = await this.verifier.verify(readHeader(idp, headers), {
      issuer: idp.issuer,
      audiences: [this.issuer.publicUrl, ...this.outbound.jwtIdpAudiences],
      keysUrl: idp.keysEndpoint,
      ownerId: idp.ownerId,
      maxAgeSeconds: MAX_AGE_SECONDS,
    });
    checkAuthTime(claims, provedAfter);
    return toExternalIdentity(claims.sub, claims);
  }
}

/** The raw headers: Node joins or drops repeated ones, so the second of two would go unnoticed (IDP-016). */
function readHeader({ headerName }: Idp, headers: NodeJS.Dict<string[]>): string {
  const values = headers[headerName.toLowerCase()] ?? [];
  if (values.length === 0) throw answerRefused('header_missing');
  if (values.length > 1) throw answerRefused('header_repeated');
  const token = HEADER.exec(values[0]!)?.[1];
  if (token === undefined) throw answerRefused('header_malformed');
  return token;
}
