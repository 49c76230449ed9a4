import { Injectable } from '@nestjs/common';
import { type AccessTokenHeaderType, IssuerConfig } from '../foundation/config/config.js';
import { type CompactJws, MalformedJws, readCompactJws } from '../foundation/crypto/compact-jws.js';
import { TokenSeal } from '../foundation/crypto/token-seal.js';
import { Logger } from '../foundation/log/logger.js';
import { Clock } from '../foundation/time/clock.js';
import { type AccessTokenFacts, decodeFacts, encodeFacts, type SignInOfToken } from './access-token.js';
import { acrOf } from './acr.js';
import { type Asserted, type FittingToken, fit, type TokenLimits } from './claims/fitting-claims.js';
import type { Claims } from './claims/user-claims.js';
import { exchangeClaims, exchangeIn } from './exchange-claims.js';
import { KeyService } from './key/key.service.js';
import type { SigningKeyPurpose } from './key/signing-key.entity.js';
import type { Confirmation } from './proof/presented-token.js';
import { RecentTokens } from './recent-tokens.js';
import { isAccessTokenPayload, withoutIdTokenClaims } from './token-kind.js';

/** Accepts both, whatever the application chooses now: tokens from before the change stay valid. */
const HEADER_TYPES: readonly unknown[] = ['at+jwt', 'JWT'] satisfies AccessTokenHeaderType[];
const MAX_JWT_CHARACTERS = 16_384;
/** What fits into a 16 kB header besides everything else; a longer token would be unusable. */
const LIMITS: TokenLimits = { usual: 12_288, most: 12_288 };

export interface JwtForm {
  readonly headerType: AccessTokenHeaderType;
  /** By how much the validity is widened at both ends, for clients whose clocks differ. */
  readonly skewSeconds: number;
  /** The latest possible expiry whatever the lifetime, in Unix seconds. */
  readonly notAfter: number;
  readonly purpose: SigningKeyPurpose;
}

/** Issues access tokens and reads them. Neither uses the database. */
@Injectable()
export class AccessTokens {
  private readonly recent = new RecentTokens<ReadToken>();

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
   * RFC 9068 §2.2. `asserted` never replace the token's own claims. If they make the token too long for a header, some
   * are left out.
   */
  async issueJwt(facts: AccessTokenFacts, asserted: Asserted, form: JwtForm): Promise<string> {
    const { token, characters, omitted } = await this.fittingJwt(facts, asserted, form);
    const { clientId, userId } = facts;
    if (omitted !== undefined)
      this.log.warn(
        { reason: 'token.claims_left_out', omitted, characters, clientId, userId },
        'an access token was too long for a header: claims about its user were left out',
      );
    return token;
  }

  /** A JWT as `issueJwt` would sign it, for a preview, and the names of the claims that were left out. */
  async previewJwt(
    facts: AccessTokenFacts,
    asserted: Asserted,
    form: JwtForm,
  ): Promise<{ readonly token: string; readonly leftOut: readonly string[] }> {
    const { token, leftOut } = await this.fittingJwt(facts, asserted, form);
    return { token, leftOut };
  }

  private async fittingJwt(facts: AccessTokenFacts, asserted: Asserted, form: JwtForm): Promise<FittingToken> {
    const signer = await this.keys.signer(form.purpose);
    const claims = this.claimsOf(facts, form);
    const mayBeAdded = (more: Claims): Claims =>
      Object.fromEntries(Object.entries(withoutIdTokenClaims(more)).filter(([name]) => !(name in claims)));
    const { own, repeated, contributed } = asserted;
    return fit({ own: mayBeAdded(own), repeated, contributed: mayBeAdded(contributed) }, LIMITS, async (more) =>
      signer.sign(form.headerType, { ...more, ...claims }),
    );
  }

  private claimsOf(facts: AccessTokenFacts, { skewSeconds, notAfter }: JwtForm): Claims {
    return {
      iss: this.issuer.publicUrl,
      sub: facts.userId,
      aud: facts.audience,
      exp: Math.min(facts.expiresAt + skewSeconds, notAfter),
      iat: facts.issuedAt - skewSeconds,
      nbf: facts.issuedAt - skewSeconds,
      jti: facts.id,
      client_id: facts.clientId,
      scope: facts.scopes.join(' '),
      ...(facts.sessionId === undefined ? {} : { sid: facts.sessionId }),
      ...(facts.userinfoClaims.length === 0 ? {} : { userinfo_claims: facts.userinfoClaims }),
      ...(facts.confirmation === undefined ? {} : { cnf: facts.confirmation }),
      ...(facts.signIn ? signInClaims(facts.signIn) : {}),
      ...(facts.exchange ? exchangeClaims(facts.exchange, this.issuer.publicUrl) : {}),
      ...(facts.isDirect === true ? { direct: true } : {}),
    };
  }

  /**
   * The contents of one of our tokens, whether or not it is still valid; undefined for anything that we did not issue.
   * An application sends the same token many times: what a token says never changes, so it is opened, or its signature
   * checked, once. What can change is asked each time.
   */
  async read(token: string): Promise<AccessTokenFacts | undefined> {
    const known = this.recent.find(token);
    if (known) return this.stillRead(known);
    const read = this.readOpaque(token) ?? (await this.readJwt(token));
    if (read) this.recent.keep(token, read);
    return read && this.stillRead(read);
  }

  private async stillRead({ facts, signed }: ReadToken): Promise<AccessTokenFacts | undefined> {
    if (!signed) return facts;
    return this.isValidNow(signed) && (await this.keys.current()).find(signed.kid) ? facts : undefined;
  }

  private readOpaque(token: string): ReadToken | undefined {
    const sealed = this.tokenSeal.open('access', token);
    return sealed && { facts: decodeFacts(sealed) };
  }

  private async readJwt(token: string): Promise<ReadToken | undefined> {
    const jws = this.readJws(token);
    if (!jws) return undefined;
    const { header, payload } = jws;
    const { kid, typ } = header;
    if (!HEADER_TYPES.includes(typ) || !isAccessTokenPayload(payload) || typeof kid !== 'string') return undefined;
    const key = (await this.keys.current()).find(kid);
    if (!key?.verifier.hasSigned(token, header)) return undefined;
    const { iss, exp, nbf } = payload;
    return { facts: toFacts(payload), signed: { kid, iss, exp, nbf } };
  }

  private readJws(token: string): CompactJws | undefined {
    try {
      return readCompactJws(token, MAX_JWT_CHARACTERS);
    } catch (error) {
      if (error instanceof MalformedJws) return undefined;
      throw error;
    }
  }

  /** We have signed it, perhaps for another issuer before `PUBLIC_URL` was changed. */
  private isValidNow({ iss, exp, nbf }: Omit<Signed, 'kid'>): boolean {
    const now = this.clock.nowSeconds();
    return (
      iss === this.issuer.publicUrl && typeof exp === 'number' && exp > now && !(typeof nbf === 'number' && nbf > now)
    );
  }
}

type SignedClaims = CompactJws['payload'];

/** What a token says. */
interface ReadToken {
  readonly facts: AccessTokenFacts;
  /** Set for a JWT. */
  readonly signed?: Signed;
}

/** What the validity of a JWT depends on: it is refused once its key is withdrawn, and outside its times. */
interface Signed {
  readonly kid: string;
  readonly iss: unknown;
  readonly exp: unknown;
  readonly nbf: unknown;
}

/** RFC 9068 §2.2.1. */
function signInClaims({ authTime, amr }: SignInOfToken): Claims {
  return { auth_time: authTime, acr: acrOf(amr), ...(amr.length > 0 ? { amr: [...amr] } : {}) };
}

/** Reads claims that `signInClaims` has written. */
export function signInIn({ auth_time: authTime, amr }: SignedClaims): SignInOfToken | undefined {
  return typeof authTime === 'number' ? { authTime, amr: (amr as string[] | undefined) ?? [] } : undefined;
}

/** Reads claims that `issueJwt` has written. */
function toFacts(claims: SignedClaims): AccessTokenFacts {
  return {
    id: claims['jti'] as string,
    sessionId: claims['sid'] as string | undefined,
    clientId: claims['client_id'] as string,
    userId: claims['sub'] as string,
    audience: [claims['aud'] as string | string[]].flat(),
    scopes: (claims['scope'] as string).split(' ').filter((scope) => scope !== ''),
    userinfoClaims: (claims['userinfo_claims'] as string[] | undefined) ?? [],
    signIn: signInIn(claims),
    issuedAt: claims['iat'] as number,
    expiresAt: claims['exp'] as number,
    confirmation: claims['cnf'] as Confirmation | undefined,
    exchange: exchangeIn(claims),
    ...(claims['direct'] === true ? { isDirect: true } : {}),
  };
}
