import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import type { Client } from '../project/client/client.js';
import { loginNameOf } from '../user/user-name.js';
import type { ExchangeFacts } from './access-token.js';
import { acrOf } from './acr.js';
import { askedClaims } from './claims/asked-claims.js';
import { ContributedClaims } from './claims/contributed-claims.js';
import { roleClaims } from './claims/role-claims.js';
import { type RoleQuestion, ScopeRules } from './claims/scope.js';
import { Urn } from './claims/urn.js';
import { type Claims, reservedClaims, userClaims } from './claims/user-claims.js';
import { actOf } from './exchange-claims.js';
import type { LivingToken } from './token-reader.js';

/** The answers of userinfo and introspection for a valid token. */
@Injectable()
export class TokenAnswers {
  constructor(
    private readonly scopeRules: ScopeRules,
    private readonly urn: Urn,
    private readonly issuer: IssuerConfig,
    private readonly contributed: ContributedClaims,
  ) {}

  /**
   * OIDC Core §5.3.2. `roles`: which may be included; the subject was read with those. `client`: that of the token.
   * @throws DomainError Unavailable if an extension says that its claims must not be left out
   */
  async userinfo(
    { subject, scopes, userinfoClaims, exchange }: LivingToken,
    roles: RoleQuestion | undefined,
    client: Client | undefined,
  ): Promise<Claims> {
    const flat = client?.settings.flatRolesClaim ?? false;
    return {
      ...(await this.contributed.of(askedClaims('userinfo', subject, client, scopes, userinfoClaims))),
      ...userClaims(subject, scopes, userinfoClaims),
      ...reservedClaims(subject, scopes, this.urn),
      ...roleClaims(subject.grants, roles, this.urn, flat),
      sub: subject.userId,
      ...this.act(exchange),
    };
  }

  /**
   * RFC 7662 §2.2, for this client, with the roles of its own project.
   * @throws DomainError Unavailable as above
   */
  async introspection(living: LivingToken, client: Client): Promise<Claims & { active: true }> {
    const { subject, scopes } = living;
    const projectId = client.project.id;
    return {
      ...(await this.contributed.of(askedClaims('introspection', subject, client, scopes, []))),
      ...userClaims(subject, scopes, []),
      ...reservedClaims(subject, scopes, this.urn),
      ...roleClaims(
        subject.grants,
        this.scopeRules.roleQuestionOf(projectId, scopes),
        this.urn,
        client.settings.flatRolesClaim,
      ),
      active: true,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }), // RFC 6749 §3.3: never empty
      client_id: living.clientId,
      token_type: living.confirmation?.jkt === undefined ? 'Bearer' : 'DPoP', // RFC 9449 §6.2
      username: loginNameOf(subject),
      iss: this.issuer.publicUrl,
      sub: subject.userId,
      aud: living.personal ? [client.id, projectId] : living.audience,
      exp: living.expiresAt,
      iat: living.issuedAt,
      nbf: living.issuedAt,
      jti: living.id,
      ...(living.confirmation ? { cnf: living.confirmation } : {}),
      ...this.act(living.exchange),
      // RFC 9470 §6.2: what an API needs to ask for a stronger or a newer sign-in.
      ...(living.signIn ? { auth_time: living.signIn.authTime, acr: acrOf(living.signIn.amr) } : {}),
    };
  }

  /** RFC 8693 §4.1: who acts for the user. */
  private act(exchange: ExchangeFacts | undefined): Claims {
    const act = actOf(exchange, this.issuer.publicUrl);
    return act ? { act } : {};
  }
}
