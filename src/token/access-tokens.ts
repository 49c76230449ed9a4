import { Injectable } from '@nestjs/common';
import { jwtVerify } from 'jose';
import { type AccessTokenHeaderType, IssuerConfig } from '../foundation/config/config.js';
import { readCompactJws } from '../foundation/crypto/compact-jws.js';
import { TokenSeal } from '../foundation/crypto/token-seal.js';
import { Logger } from '../foundation/log/logger.js';
import { Clock } from '../foundation/time/clock.js';
import { KeyService } from '../key/key.service.js';
import { type AccessTokenFacts, decodeFacts, encodeFacts } from './access-token.js';
import type { Claims } from './claims/user-claims.js';
import { isAccessTokenPayload, withoutIdTokenClaims } from './token-kind.js';

/** Accepts both, whatever the application chooses now: tokens from before the change stay valid. */
const HEADER_TYPES: readonly unknown[] = ['at+jwt', 'JWT'] satisfies AccessTokenHeaderType[];
const MAX_JWT_CHARACTERS = 16_384;
/** What fits into a 16 kB header besides everything else; a longer token would be unusable. */
const MAX_ISSUED_CHARACTERS = 12_288;

/** Claims about the user. */
export interface Asserted {
  readonly own: Claims;
  /** Those of extensions; they never replace the others. */
  readonly contributed: Claims;
}

export interface JwtForm {
  readonly headerType: AccessTokenHeaderType;
  /** By how much the times are widened. */
  readonly skewSeconds: number;
}

/** Issues access tokens and reads them. Neither uses the database. */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly tokenSeal: TokenSeal,
    private readonly keys: KeyService,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  issueOpaque(facts: AccessTokenFacts): string {
    return this.tokenSeal.seal('access', encodeFacts(facts));
  }

  /**
   * RFC 9068 §2.2. `asserted` never replace the token's own claims. If they make the token too long for a header, those
   * of extensions are omitted first, and then all: userinfo and introspection return them as well.
   */
  async issueJwt(facts: AccessTokenFacts, asserted: Asserted, { headerType, skewSeconds }: JwtForm): Promise<string> {
    const signer = await this.keys.signer();
    const claims = {
      iss: this.issuer.publicUrl,
      sub: facts.userId,
      aud: facts.audience,
      exp: facts.expiresAt + skewSeconds,
      iat: facts.issuedAt - skewSeconds,
      nbf: facts.issuedAt - skewSeconds,
      jti: facts.id,
      client_id: facts.clientId,
      scope: facts.scopes.join(' '),
      ...(facts.sessionId === undefined ? {} : { sid: facts.sessionId }),
      ...(facts.userinfoClaims.length === 0 ? {} : { userinfo_claims: facts.userinfoClaims }),
    };
    const { own, contributed } = asserted;
    const sign = (more: Claims) => signer.sign(headerType, { ...withoutIdTokenClaims(more), ...claims });
    const whole = await sign({ ...contributed, ...own });
    if (whole.length <= MAX_ISSUED_CHARACTERS) return whole;
    const withoutContributed = Object.keys(contributed).length > 0 ? await sign(own) : whole;
    const fits = withoutContributed.length <= MAX_ISSUED_CHARACTERS;
    const { clientId, userId } = facts;
    this.log.warn(
      {
        reason: 'token.claims_left_out',
        omitted: fits ? 'contributed' : 'all',
        characters: whole.length,
        clientId,
        userId,
      },
      'an access token was too long for a header: claims about its user were left out',
    );
    return fits ? withoutContributed : sign({});
  }

  /**
   * The contents of one of our tokens, whether or not it is still valid; undefined for anything that we did not issue.
   */
  async read(token: string): Promise<AccessTokenFacts | undefined> {
    const sealed = this.tokenSeal.open('access', token);
    if (sealed) return decodeFacts(sealed);
    return this.readJwt(token);
  }

  private async readJwt(token: string): Promise<AccessTokenFacts | undefined> {
    try {
      const { header, payload: said } = readCompactJws(token, MAX_JWT_CHARACTERS);
      const { kid, typ } = header;
      if (!HEADER_TYPES.includes(typ) || !isAccessTokenPayload(said)) return undefined;
      // The key alone determines the algorithm; the header is not trusted (RFC 8725 §3.1, §3.10).
      const key = typeof kid === 'string' ? (await this.keys.current()).find(kid) : undefined;
      if (!key) return undefined;
      const { payload } = await jwtVerify(token, key.key, {
        algorithms: [key.algorithm],
        issuer: this.issuer.publicUrl,
        requiredClaims: ['sub', 'aud', 'exp', 'iat'],
        currentDate: this.clock.now(),
      });
      return {
        id: String(payload.jti),
        sessionId: payload['sid'] as string | undefined,
        clientId: String(payload['client_id']),
        userId: String(payload.sub),
        audience: [payload.aud ?? []].flat(),
        scopes: (payload['scope'] as string).split(' ').filter((scope) => scope !== ''),
        userinfoClaims: (payload['userinfo_claims'] as string[] | undefined) ?? [],
        issuedAt: payload.iat ?? 0,
        expiresAt: payload.exp ?? 0,
      };
    } catch {
      return undefined; // Malformed, expired, altered or of another kind: not a valid access token of ours.
    }
  }
}
