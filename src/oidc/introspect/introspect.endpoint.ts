import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../config/config.js';
import { roleClaims } from '../../token/claims/role-claims.js';
import { reservedClaims, userClaims } from '../../token/claims/user-claims.js';
import { ScopeRules } from '../../token/scope.js';
import { TokenReader } from '../../token/token-reader.js';
import { Urn } from '../../token/urn.js';
import { loginNameOf } from '../../user/user-name.js';
import type { AuthenticatedClient } from '../client-auth/client-authenticator.js';

/** RFC 7662 §2.2. Inactive is exactly `{"active":false}`: why is nobody's business. */
export type IntrospectionResponse = { readonly active: boolean } & Readonly<Record<string, unknown>>;

@Injectable()
export class IntrospectEndpoint {
  constructor(
    private readonly tokens: TokenReader,
    private readonly scopeRules: ScopeRules,
    private readonly urn: Urn,
    private readonly issuer: IssuerConfig,
  ) {}

  async introspect(token: string, client: AuthenticatedClient): Promise<IntrospectionResponse> {
    const projectId = client.project.id;
    const living = await this.tokens.findAlive(token, async ({ personal, audience, scopes }) => {
      // Only who the token is meant for learns anything about it. A personal access token names no audience: it is
      // meant for whomever its owner gives it to.
      if (!personal && !audience.includes(client.id) && !audience.includes(projectId)) return undefined;
      return { projectIds: [projectId], metadata: scopes.includes(this.urn.metadata) };
    });
    if (!living) return { active: false };
    const { subject, scopes } = living;
    return {
      ...userClaims(subject, scopes, []),
      ...reservedClaims(subject, scopes, this.urn),
      ...roleClaims(subject.grants, this.scopeRules.roleQuestionOf(projectId, scopes), this.urn, client.settings.flatRolesClaim),
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
