import { Injectable } from '@nestjs/common';
import { decodeJwt, type JWTPayload } from 'jose';
import { Clock } from '../foundation/time/clock.js';
import type { Client } from '../project/client/client.js';
import { userNotFound } from '../user/user.errors.js';
import type { SignInOfToken } from './access-token.js';
import { signInIn } from './access-tokens.js';
import { type RoleQuestion, ScopeRules } from './claims/scope.js';
import type { Subject } from './claims/subject.js';
import { Urn } from './claims/urn.js';
import type { Claims } from './claims/user-claims.js';
import { SubjectReader } from './subject-reader.js';
import { TokenAnswers } from './token-answers.js';
import { type Entitlement, TokenIssuer } from './token-issuer.js';
import { previewOfProgram, previewWithoutOpenid } from './token-preview.errors.js';
import { askedBy } from './token-status.js';

/** What an application would learn about a user. */
export interface TokenPreview {
  /** The scopes that would be granted. */
  readonly scopes: readonly string[];
  /** The requested scopes that would not be granted; the application is not told of them. */
  readonly droppedScopes: readonly string[];
  readonly idToken: Claims;
  /** This member and the next two are undefined for an application that only gets ID tokens. */
  readonly accessToken?: Claims;
  readonly userinfo?: Claims;
  /** The answer that the application itself would get. */
  readonly introspection?: Claims;
  /** The names of the claims that the access token lacks, or the ID token if it is alone: it would be too long. */
  readonly leftOutClaims: readonly string[];
}

/** Values of a single token or sign-in, which a preview omits. */
export const OF_ONE_TOKEN: readonly string[] = ['jti', 'sid', 'nonce', 'at_hash'];

/**
 * Shows tokens without issuing any: they are created by the same code as real ones, read, and discarded. Creating a
 * token leaves no trace, so nothing has been issued.
 */
@Injectable()
export class TokenPreviews {
  constructor(
    private readonly scopeRules: ScopeRules,
    private readonly subjects: SubjectReader,
    private readonly issuer: TokenIssuer,
    private readonly answers: TokenAnswers,
    private readonly urn: Urn,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError InvalidArgument without `openid`; NotFound for a user who could not sign in; FailedPrecondition
   * for a service user
   */
  async make(client: Client, userId: string, requested: readonly string[]): Promise<TokenPreview> {
    const scopes = await this.scopeRules.grantToClient(requested, client, client.mayAskFor('code'));
    if (!scopes.includes('openid')) throw previewWithoutOpenid();
    const droppedScopes = [...new Set(requested)].filter((scope) => !scopes.includes(scope));
    const roles = await this.scopeRules.roleQuestion(scopes, client);
    const subject = await this.read(client, userId, scopes, roles);
    const entitlement = this.toEntitlement(client, subject, scopes);
    if (!client.mayAskFor('code') && !client.mayAskFor('id_token token')) {
      const { idToken, leftOutClaims } = await this.issuer.previewIdTokenAlone(entitlement);
      return { scopes, droppedScopes, idToken: withoutTraces(decodeJwt(idToken)), leftOutClaims };
    }
    const { accessToken, idToken, leftOutClaims } = await this.issuer.preview(entitlement);
    const claims = decodeJwt(accessToken);
    const living = { ...toFacts(claims, client), scopes, subject };
    return {
      scopes,
      droppedScopes,
      idToken: withoutTraces(decodeJwt(idToken)),
      accessToken: withoutTraces(claims),
      userinfo: await this.answers.userinfo(living, roles, client),
      introspection: withoutTraces(await this.answers.introspection(living, client)),
      leftOutClaims,
    };
  }

  private async read(
    client: Client,
    userId: string,
    scopes: readonly string[],
    roles: RoleQuestion | undefined,
  ): Promise<Subject> {
    // Introspection returns the roles of the client's own project.
    const projectIds = [...new Set([client.project.id, ...(roles?.projectIds ?? [])])];
    const subject = await this.subjects.find(userId, { projectIds, ...askedBy(scopes, this.urn) });
    if (!subject) throw userNotFound();
    if (subject.kind === 'service') throw previewOfProgram();
    return subject;
  }

  /** A sign-in at this moment, with a password. */
  private toEntitlement(client: Client, subject: Subject, scopes: readonly string[]): Entitlement {
    return {
      userId: subject.userId,
      userEpoch: subject.userEpoch,
      client,
      clientId: client.id,
      accessTokenType: 'jwt', // An opaque one cannot be read, and contains the same.
      accessTokenHeaderType: client.settings.accessTokenHeaderType,
      scopes,
      resources: [],
      familyId: undefined,
      sessionId: undefined,
      userinfoClaims: [],
      subject,
      signIn: {
        authTime: this.clock.now(),
        amr: ['pwd'],
        acrRequested: false,
        nonce: undefined,
        claimNames: [],
        isDirect: true,
      },
      refreshToken: undefined,
    };
  }
}

/** The contents of the token as introspection knows them: the client's clock skew does not extend an opaque one. */
function toFacts(
  claims: JWTPayload,
  client: Client,
): {
  id: string;
  personal: boolean;
  clientId: string;
  audience: string[];
  userinfoClaims: string[];
  signIn: SignInOfToken | undefined;
  issuedAt: number;
  expiresAt: number;
} {
  const { accessTokenType, clockSkewSeconds } = client.settings;
  const skew = accessTokenType === 'jwt' ? 0 : clockSkewSeconds;
  return {
    id: '',
    personal: false,
    clientId: client.id,
    audience: [claims.aud ?? []].flat(),
    userinfoClaims: [],
    signIn: signInIn(claims),
    issuedAt: (claims.iat ?? 0) + skew,
    expiresAt: (claims.exp ?? 0) - skew,
  };
}

function withoutTraces(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !OF_ONE_TOKEN.includes(name)));
}
