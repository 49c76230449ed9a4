import { Injectable } from '@nestjs/common';
import { ContributedClaims } from '../../token/claims/contributed-claims.js';
import { ScopeRules } from '../../token/claims/scope.js';
import { Urn } from '../../token/claims/urn.js';
import { SubjectReader } from '../../token/subject-reader.js';
import type { Entitlement, SignInFacts } from '../../token/token-issuer.js';
import { askedBy } from '../../token/token-status.js';
import type { ServiceUserAccount } from '../../user/account.js';
import { DroppedScopes } from '../dropped-scopes.js';
import { refusal } from '../oidc.errors.js';

/** What a service user asks for. */
export interface RequestedAccess {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}

/** What an authenticated service user is entitled to. */
@Injectable()
export class ServiceEntitlements {
  constructor(
    private readonly scopeRules: ScopeRules,
    private readonly dropped: DroppedScopes,
    private readonly subjects: SubjectReader,
    private readonly urn: Urn,
    private readonly contributed: ContributedClaims,
  ) {}

  /** @throws OAuthError invalid_scope if scopes were requested and none is granted */
  async make(
    account: ServiceUserAccount,
    clientId: string,
    { scopes: requested, resources }: RequestedAccess,
    signIn: SignInFacts | undefined,
  ): Promise<Entitlement> {
    const scopes = await this.scopeRules.grantToService(requested, account);
    this.dropped.note(clientId, requested, scopes);
    // RFC 6749 §3.3: the response omits scopes that are not granted; if none is left, that is an error (RFC 6749 §5.2).
    if (requested.length > 0 && scopes.length === 0) throw refusal.scopeUnknown();
    return {
      userId: account.id,
      userEpoch: account.tokenEpoch,
      client: undefined,
      clientId,
      accessTokenType: account.accessTokenType,
      accessTokenHeaderType: account.accessTokenHeaderType,
      scopes,
      resources,
      familyId: undefined,
      sessionId: undefined,
      userinfoClaims: [],
      subject: await this.readSubject(account, scopes, signIn !== undefined),
      signIn,
      refreshToken: undefined,
    };
  }

  /** Read only if the token will contain facts about the user; otherwise there is no query. */
  private async readSubject(
    account: ServiceUserAccount,
    scopes: readonly string[],
    idToken: boolean,
  ): Promise<Entitlement['subject']> {
    if (account.accessTokenType !== 'jwt' && !idToken) return undefined;
    const roles = await this.scopeRules.roleQuestion(scopes, undefined);
    const asked = askedBy(scopes, this.urn);
    const owner = scopes.some((scope) => scope === this.urn.resourceOwner || this.urn.orgIdOf(scope) !== undefined);
    const contributed = this.contributed.isAsked(idToken ? 'id_token' : 'access_token', scopes, []);
    if (!roles && !asked.metadata && !asked.groups && !owner && !contributed) return undefined;
    return this.subjects.find(account.id, { projectIds: roles?.projectIds, ...asked });
  }
}
