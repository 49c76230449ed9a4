import { Injectable } from '@nestjs/common';
import { IssuerConfig, OutboundConfig } from '../foundation/config/config.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds } from '../foundation/time/duration.js';
import { paths, type ServicePath } from '../org/instance/paths.js';
import { toExternalIdentity } from './external-identity.js';
import { momentOfProof } from './external-proof.js';
import type { Idp } from './idp.entity.js';
import { answerRefused } from './idp.errors.js';
import type { ProvedIdentity, TakenIdpLogin } from './idp-logins.js';
import type { IdpProof, Leaving, ProviderAnswer, ProviderKind } from './provider-kind.js';
import { authTimeOf, TokenVerifier } from './token-verifier.js';

/** A proxy issues the token when a user passes; an older one was stored somewhere. */
const MAX_AGE_SECONDS = seconds.perHour;
/** A single token, with or without the scheme; no blanks or commas. */
const HEADER = /^(?:bearer )?([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Signs in users who return through a proxy that adds a JWT in a header. */
@Injectable()
export class JwtSignIn implements ProviderKind {
  readonly returnsWithCode = false;

  constructor(
    private readonly verifier: TokenVerifier,
    private readonly issuer: IssuerConfig,
    private readonly outbound: OutboundConfig,
    private readonly clock: Clock,
  ) {}

  returnsTo(): ServicePath {
    return paths.jwtCallback;
  }

  /** The configured address with our two values. */
  async authorizationUrl({ jwtEndpoint }: Idp, { authRequestId, userAgentId }: Leaving): Promise<string> {
    const url = new URL(jwtEndpoint);
    url.searchParams.set('authRequestID', authRequestId);
    url.searchParams.set('userAgentID', userAgentId);
    return url.href;
  }

  /** The token was checked on the way, in `prove`. */
  async redeem(_idp: Idp, _answer: ProviderAnswer, { identity, provedAt }: TakenIdpLogin): Promise<IdpProof> {
    if (identity === null) throw answerRefused('token_missing');
    return { subject: identity.subject, provedAt, describe: async () => identity };
  }

  /**
   * The identity in the header. The token must be meant for us: by our own address, or by one of JWT_IDP_AUDIENCES.
   * @throws DomainError FailedPrecondition `idp.answer_refused`; Unavailable `idp.provider_failed`
   */
  async prove(idp: Idp, headers: NodeJS.Dict<string[]>, provedAfter: Date | null): Promise<ProvedIdentity> {
    const claims = await this.verifier.verify(readHeader(idp, headers), {
      issuer: idp.issuer,
      audiences: [this.issuer.publicUrl, ...this.outbound.jwtIdpAudiences],
      keysUrl: idp.keysEndpoint,
      ownerId: idp.ownerId,
      maxAgeSeconds: MAX_AGE_SECONDS,
    });
    const authTime = authTimeOf(claims, provedAfter, this.clock.nowSeconds());
    return {
      identity: toExternalIdentity(claims.sub, claims),
      provedAt: momentOfProof(authTime, provedAfter, this.clock.now()),
    };
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
