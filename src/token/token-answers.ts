import { Injectable } from '@nestjs/common';
import type { Client } from '../client/client.js';
import { IssuerConfig } from '../foundation/config/config.js';
import { loginNameOf } from '../user/user-name.js';
import { roleClaims } from './claims/role-claims.js';
import { type Claims, reservedClaims, userClaims } from './claims/user-claims.js';
import { type RoleQuestion, ScopeRules } from './scope.js';
import type { LivingToken } from './token-reader.js';
import { Urn } from './urn.js';

/** The answers of userinfo and introspection for a valid token. */
@Injectable()
export class TokenAnswers {
  constructor(
    private readonly scopeRules: ScopeRules,
    private readonly urn: Urn,
    private readonly issuer: IssuerConfig,
  ) {}

  /** OIDC Core §5.3.2. `roles`: which may be included; the subject was read with those. */
  userinfo({ subject, scopes, userinfoClaims }: LivingToken, roles: RoleQuestion | undefined, flat: boolean): Claims {
    return {
      ...userClaims(subject, scopes, userinfoClaims),
      ...reservedClaims(subject, scopes, this.urn),
      ...roleClaims(subject.grants, roles, this.urn, flat),
      sub: subject.userId,
    };
  }

  /** RFC 7662 §2.2, for this client, with the roles of its own project. */
  introspection(living: LivingToken, client: Client): Claims & { active: true } {
    const { subject, scopes } = living;
    const projectId = client.project.id;
    return {
      ...userClaims(subject, scopes, []),
      ...reservedClaims(subject, scopes, this.urn),
      ...roleClaims(
        subject.grants,
        this.scopeRules.roleQuestionOf(projectId, scopes),
        this.urn,
        client.settings.flatRolesClaim,
      ),
      active: true,
      scope: scopes.join(' '),
      client_id: living.clientId,
      token_type: 'Bearer',
      username: loginNameOf(subject),
      iss: this.issuer.publicUrl,
      sub: subject.userId,
      aud: living.personal ? [client.id, projectId] : living.audience,
      exp: living.expiresAt,
      iat: living.issuedAt,
      nbf: living.issuedAt,
      jti: living.id,
    };
  }
}
