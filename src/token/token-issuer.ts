import { Injectable } from '@nestjs/common';
import type { AccessTokenHeaderType } from '../foundation/config/config.js';
import { Clock } from '../foundation/time/clock.js';
import { toUnixSeconds } from '../foundation/time/duration.js';
import { InstanceService } from '../org/instance/instance.service.js';
import type { Client } from '../project/client/client.js';
import { type AccessTokenFacts, type ExchangeFacts, newTokenId, type SignInOfToken } from './access-token.js';
import { AccessTokens, type JwtForm } from './access-tokens.js';
import { acrOf } from './acr.js';
import { askedClaims } from './claims/asked-claims.js';
import { ContributedClaims } from './claims/contributed-claims.js';
import type { Asserted, FittingToken } from './claims/fitting-claims.js';
import { repeatedRoleClaims, roleClaims } from './claims/role-claims.js';
import { ScopeRules } from './claims/scope.js';
import type { Subject } from './claims/subject.js';
import { Urn } from './claims/urn.js';
import { type Claims, reservedClaims, userClaims } from './claims/user-claims.js';
import { type IdTokenFacts, IdTokens } from './id-token.js';
import type { Confirmation } from './proof/presented-token.js';
import { signingPurposeOf } from './signing-purpose.js';

/** How the user signed in, for the id_token; absent without a sign-in or without `openid`. */
export interface SignInFacts {
  readonly authTime: Date;
  readonly amr: readonly string[];
  readonly acrRequested: boolean;
  readonly nonce: string | undefined;
  /** Claims requested by name (OIDC Core §5.5). */
  readonly claimNames: readonly string[];
  /**
   * The tokens are the direct answer to the sign-in, in the browser where it happened: the access token may be used
   * where one from a new sign-in is demanded (RFC 9470). One that was refreshed, or that a user has approved for a
   * device elsewhere (RFC 8628 §5.4), must not be.
   */
  readonly isDirect?: boolean;
}

/** The result of a grant: who gets tokens, through which application, and what for. */
export interface Entitlement {
  readonly userId: string;
  readonly userEpoch: number;
  /** Undefined for service users, who act for themselves. */
  readonly client: Client | undefined;
  readonly clientId: string;
  readonly accessTokenType: 'opaque' | 'jwt';
  /** The `typ` header of a JWT. */
  readonly accessTokenHeaderType: AccessTokenHeaderType;
  readonly scopes: readonly string[];
  /** The protected resources that the access token is for, and nothing else (RFC 8707); none: as the scopes say. */
  readonly resources: readonly string[];
  readonly familyId: string | undefined;
  readonly sessionId: string | undefined;
  readonly userinfoClaims: readonly string[];
  /** Required if any token issued here contains claims about the user. */
  readonly subject: Subject | undefined;
  readonly signIn: SignInFacts | undefined;
  readonly refreshToken: string | undefined;
  /** Set for a token that is exchanged for another one (RFC 8693). */
  readonly exchanged?: Exchanged | undefined;
}

/** What limits a token that is exchanged for another one. */
export interface Exchanged {
  /** The audience, instead of what scopes and resources say. */
  readonly audience: readonly string[];
  /** Unix seconds. */
  readonly notAfter: number;
  /** The facts that say with what the token ends. */
  readonly facts: ExchangeFacts;
  /** The sign-in of the token before, if the same user uses this one. */
  readonly signIn: SignInOfToken | undefined;
  /** Whether it stays bound to the certificate of the earlier token, which the request has shown (RFC 8705 §3). */
  readonly keepsCertificate: boolean;
  /** RFC 8693 §2.2.1. */
  readonly issuedTokenType: string;
  /** Whether an ID token is issued in place of an access token (RFC 8693 §2.2.1). */
  readonly isIdToken: boolean;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  readonly scopes: readonly string[];
  /** RFC 6749 §7.1, RFC 9449 §5: how the access token must be used; `N_A` if it is none (RFC 8693 §2.2.1). */
  readonly tokenType: 'Bearer' | 'DPoP' | 'N_A';
  /** RFC 8693 §2.2.1; undefined for any other grant. */
  readonly issuedTokenType: string | undefined;
}

const NOTHING: Asserted = { own: {}, repeated: [], contributed: {} };
const NO_TOKEN: FittingToken = { token: '', characters: 0, omitted: undefined, leftOut: [] };
const WITHOUT_OTHERS = { idToken: undefined, refreshToken: undefined };

/** An ID token without an access token. */
export type IssuedIdToken = Pick<IssuedTokens, 'idToken' | 'expiresInSeconds' | 'scopes'>;

/** Tokens that are looked at, and go to nobody. */
export interface PreviewedTokens {
  readonly accessToken: string;
  readonly idToken: string;
  /** The names of the claims that the access token lacks, or the ID token if it is alone: it would be too long. */
  readonly leftOutClaims: readonly string[];
}

/** Creates the tokens of an entitlement. Writes nothing. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly idTokens: IdTokens,
    private readonly scopeRules: ScopeRules,
    private readonly instances: InstanceService,
    private readonly urn: Urn,
    private readonly clock: Clock,
    private readonly contributed: ContributedClaims,
  ) {}

  /** `confirmation`: the key to which the access token is bound, which the caller has proved. */
  async issue(given: Entitlement, confirmation: Confirmation | undefined): Promise<IssuedTokens> {
    const entitlement = { ...given, scopes: await this.scopeRules.withoutStrangeAudiences(given.scopes) };
    if (entitlement.exchanged?.isIdToken) return this.issueInPlace(entitlement, entitlement.exchanged);
    const facts = { ...(await this.toFacts(entitlement)), confirmation };
    const accessToken =
      entitlement.accessTokenType === 'jwt'
        ? await this.accessTokens.issueJwt(facts, await this.asserted(entitlement), jwtForm(entitlement))
        : this.accessTokens.issueOpaque(facts);
    return {
      accessToken,
      expiresInSeconds: facts.expiresAt - facts.issuedAt,
      idToken: await this.issueIdToken(entitlement, accessToken),
      refreshToken: entitlement.refreshToken,
      scopes: entitlement.scopes,
      tokenType: confirmation?.jkt === undefined ? 'Bearer' : 'DPoP',
      issuedTokenType: entitlement.exchanged?.issuedTokenType,
    };
  }

  /** What `issue` would issue, with the access token as a JWT, for a preview. */
  async preview(given: Entitlement): Promise<PreviewedTokens> {
    const entitlement = { ...given, scopes: await this.scopeRules.withoutStrangeAudiences(given.scopes) };
    const { token, leftOut } = await this.accessTokens.previewJwt(
      await this.toFacts(entitlement),
      await this.asserted(entitlement),
      jwtForm(entitlement),
    );
    return {
      accessToken: token,
      idToken: (await this.previewIdToken(entitlement, token)).token,
      leftOutClaims: leftOut,
    };
  }

  /** Like `preview`, where only an ID token is issued. */
  async previewIdTokenAlone(given: Entitlement): Promise<Pick<PreviewedTokens, 'idToken' | 'leftOutClaims'>> {
    const entitlement = { ...given, scopes: await this.scopeRules.withoutStrangeAudiences(given.scopes) };
    const { token, leftOut } = await this.previewIdToken(entitlement, undefined);
    return { idToken: token, leftOutClaims: leftOut };
  }

  /** For `response_type=id_token`: nothing else is issued, so it contains the claims of the scopes (OIDC Core §5.4). */
  async issueIdTokenAlone(given: Entitlement): Promise<IssuedIdToken> {
    const entitlement = { ...given, scopes: await this.scopeRules.withoutStrangeAudiences(given.scopes) };
    const { idTokenSeconds } = await this.instances.get();
    return {
      idToken: await this.issueIdToken(entitlement, undefined),
      expiresInSeconds: given.client?.settings.idTokenSeconds ?? idTokenSeconds,
      scopes: entitlement.scopes,
    };
  }

  /**
   * RFC 8693 §2.2.1: an ID token in place of an access token. It ends with its time alone, and is never exchanged
   * again.
   */
  private async issueInPlace(
    entitlement: Entitlement,
    { facts, signIn, notAfter, issuedTokenType }: Exchanged,
  ): Promise<IssuedTokens> {
    const { client, userId, clientId, scopes } = entitlement;
    const { idTokenSeconds } = await this.instances.get();
    const now = this.clock.nowSeconds();
    const expiresAt = Math.min(now + (client?.settings.idTokenSeconds ?? idTokenSeconds), notAfter);
    const accessToken = await this.idTokens.issue(
      {
        userId,
        clientId,
        purpose: signingPurposeOf(client),
        issuedAt: now - skewOf(client),
        expiresAt: Math.min(expiresAt + skewOf(client), notAfter),
        authTime: signIn?.authTime,
        amr: signIn?.amr ?? [],
        // With the session's id, the client could sign out the user, although it was no part of that sign-in.
        sessionId: undefined,
        nonce: undefined,
        accessToken: undefined,
        acr: undefined,
        exchange: facts,
      },
      profileClaims(entitlement, [], true),
      await this.assertedInIdToken(entitlement, []),
    );
    const expiresInSeconds = expiresAt - now;
    return { accessToken, expiresInSeconds, scopes, tokenType: 'N_A', issuedTokenType, ...WITHOUT_OTHERS };
  }

  private async issueIdToken(entitlement: Entitlement, accessToken: string | undefined): Promise<string | undefined> {
    const facts = await this.idTokenFacts(entitlement, accessToken);
    if (!facts) return undefined;
    const byName = entitlement.signIn?.claimNames ?? [];
    const profile = profileClaims(entitlement, byName, accessToken === undefined);
    return this.idTokens.issue(facts, profile, await this.assertedInIdToken(entitlement, byName));
  }

  private async previewIdToken(entitlement: Entitlement, accessToken: string | undefined): Promise<FittingToken> {
    const facts = await this.idTokenFacts(entitlement, accessToken);
    if (!facts) return NO_TOKEN;
    const profile = profileClaims(entitlement, [], accessToken === undefined);
    return this.idTokens.preview(facts, profile, await this.assertedInIdToken(entitlement, []));
  }

  private async idTokenFacts(
    entitlement: Entitlement,
    accessToken: string | undefined,
  ): Promise<IdTokenFacts | undefined> {
    const { signIn, client } = entitlement;
    if (!signIn || !entitlement.scopes.includes('openid')) return undefined;
    const instance = await this.instances.get();
    const now = this.clock.nowSeconds();
    const skewSeconds = skewOf(client);
    return {
      userId: entitlement.userId,
      clientId: entitlement.clientId,
      purpose: signingPurposeOf(client),
      issuedAt: now - skewSeconds,
      expiresAt: now + (client?.settings.idTokenSeconds ?? instance.idTokenSeconds) + skewSeconds,
      authTime: toUnixSeconds(signIn.authTime),
      amr: signIn.amr,
      sessionId: entitlement.sessionId,
      nonce: signIn.nonce,
      accessToken,
      acr: signIn.acrRequested ? acrOf(signIn.amr) : undefined,
    };
  }

  private async toFacts(entitlement: Entitlement): Promise<AccessTokenFacts> {
    const { client, clientId, scopes, signIn, exchanged } = entitlement;
    const instance = await this.instances.get();
    const issuedAt = this.clock.nowSeconds();
    return {
      id: newTokenId(entitlement.familyId, entitlement.userEpoch, client?.clientEpoch),
      sessionId: entitlement.sessionId,
      clientId,
      userId: entitlement.userId,
      audience: exchanged?.audience ?? (await this.audienceOf(entitlement)),
      scopes,
      userinfoClaims: entitlement.userinfoClaims,
      signIn: signInOf(entitlement),
      issuedAt,
      expiresAt: Math.min(
        issuedAt + (client?.settings.accessTokenSeconds ?? instance.accessTokenSeconds),
        exchanged?.notAfter ?? Number.POSITIVE_INFINITY,
      ),
      exchange: exchanged?.facts,
      ...(client && !exchanged && signIn?.isDirect === true ? { isDirect: true } : {}),
    };
  }

  private async audienceOf({ resources, scopes, clientId, client }: Entitlement): Promise<readonly string[]> {
    return resources.length > 0 ? resources : this.scopeRules.audience(scopes, clientId, audienceProject(client));
  }

  private async asserted(entitlement: Entitlement): Promise<Asserted> {
    const { subject, client, scopes } = entitlement;
    if (!subject) return NOTHING;
    const assertsRoles = client === undefined || client.settings.accessTokenRoleAssertion;
    return {
      ...(await this.extClaims(subject, entitlement, assertsRoles)),
      contributed: await this.contributed.of(askedClaims('access_token', subject, client, scopes, [])),
    };
  }

  private async assertedInIdToken(entitlement: Entitlement, byName: readonly string[]): Promise<Asserted> {
    const { subject, client, scopes } = entitlement;
    if (!subject) return NOTHING;
    const assertsRoles = client === undefined || client.settings.idTokenRoleAssertion;
    return {
      ...(await this.extClaims(subject, entitlement, assertsRoles)),
      contributed: await this.contributed.of(askedClaims('id_token', subject, client, scopes, byName)),
    };
  }

  private async extClaims(
    subject: Subject,
    { scopes, client }: Entitlement,
    assertsRoles: boolean,
  ): Promise<Omit<Asserted, 'contributed'>> {
    const reserved = reservedClaims(subject, scopes, this.urn);
    if (!assertsRoles) return { own: reserved, repeated: [] };
    const question = await this.scopeRules.roleQuestion(scopes, client);
    const flat = client?.settings.flatRolesClaim ?? false;
    return {
      own: { ...reserved, ...roleClaims(subject.grants, question, this.urn, flat) },
      repeated: repeatedRoleClaims(question, this.urn, flat),
    };
  }
}

/** `alone`: no access token is issued with which they could be read (OIDC Core §5.4). */
function profileClaims({ subject, client, scopes }: Entitlement, byName: readonly string[], alone: boolean): Claims {
  if (!subject) return {};
  const withProfile = alone || client?.settings.idTokenUserinfoAssertion === true;
  return userClaims(subject, withProfile ? scopes : [], byName);
}

/** Clients that describe themselves have none: the other applications of their project would accept their tokens. */
function audienceProject(client: Client | undefined): string | undefined {
  return client?.describesItself === true ? undefined : client?.project.id;
}

function jwtForm({ accessTokenHeaderType, client, exchanged }: Entitlement): JwtForm {
  return {
    headerType: accessTokenHeaderType,
    skewSeconds: skewOf(client),
    notAfter: exchanged?.notAfter ?? Number.POSITIVE_INFINITY,
    purpose: signingPurposeOf(client),
  };
}

function skewOf(client: Client | undefined): number {
  return client?.settings.clockSkewSeconds ?? 0;
}

/**
 * RFC 9068 §2.2.1: of the user's sign-in, which a refresh does not renew. A service user has not signed in anywhere.
 */
function signInOf({ client, signIn, exchanged }: Entitlement): AccessTokenFacts['signIn'] {
  if (exchanged) return exchanged.signIn;
  return client && signIn && { authTime: toUnixSeconds(signIn.authTime), amr: signIn.amr };
}
