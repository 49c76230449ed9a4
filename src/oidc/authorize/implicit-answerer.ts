import { Injectable } from '@nestjs/common';
import type { Client } from '../../project/client/client.js';
import { asksForAccessToken, type NewAuthRequest } from '../../session/auth-request/auth-request.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { SessionService } from '../../session/session.service.js';
import { ScopeRules } from '../../token/claims/scope.js';
import type { Subject } from '../../token/claims/subject.js';
import { Urn } from '../../token/claims/urn.js';
import { SubjectReader } from '../../token/subject-reader.js';
import { type Entitlement, type IssuedIdToken, TokenIssuer } from '../../token/token-issuer.js';
import { askedBy } from '../../token/token-status.js';
import { refusal } from '../oidc.errors.js';
import { RequestedResources } from '../requested-resources.js';
import type { ResponseParameters } from './authorize-response.js';

/** The parts of a request that its response depends on. */
type AnsweredRequest = Omit<NewAuthRequest, 'loginHint'>;

/** The implicit flow's answer (OIDC Core §3.2.2.5): tokens issued by the authorization endpoint itself. */
@Injectable()
export class ImplicitAnswerer {
  constructor(
    private readonly issuer: TokenIssuer,
    private readonly sessions: SessionService,
    private readonly subjects: SubjectReader,
    private readonly scopeRules: ScopeRules,
    private readonly resources: RequestedResources,
    private readonly urn: Urn,
  ) {}

  async answer(
    request: AnsweredRequest,
    client: Client,
    session: BrowserSession,
    amr: readonly string[],
  ): Promise<ResponseParameters> {
    // The application may have been changed since the request was checked.
    if (request.responseType !== 'none' && !client.mayAskFor(request.responseType))
      throw refusal.responseTypeNotAllowed();
    const entitlement = await this.toEntitlement(request, client, session, amr);
    await this.sessions.remember(session.id, client);
    if (!asksForAccessToken(request)) return toParameters(await this.issuer.issueIdTokenAlone(entitlement));
    const tokens = await this.issuer.issue(entitlement, undefined);
    return { access_token: tokens.accessToken, ...toParameters(tokens) };
  }

  private async toEntitlement(
    request: AnsweredRequest,
    client: Client,
    session: BrowserSession,
    amr: readonly string[],
  ): Promise<Entitlement> {
    const subject = await this.readSubject(request, client, session);
    return {
      userId: session.userId,
      userEpoch: session.userEpoch,
      client,
      clientId: client.id,
      accessTokenType: client.settings.accessTokenType,
      accessTokenHeaderType: client.settings.accessTokenHeaderType,
      scopes: request.scopes,
      resources: await this.resources.stillKnown(request.resources ?? []),
      familyId: undefined,
      sessionId: session.id,
      userinfoClaims: request.claims?.userinfo ?? [],
      subject,
      signIn: {
        authTime: session.authTime ?? session.createdAt,
        amr,
        acrRequested: request.acrValues.length > 0 || request.claims?.idToken.includes('acr') === true,
        nonce: request.nonce,
        claimNames: request.claims?.idToken ?? [],
      },
      refreshToken: undefined,
    };
  }

  private async readSubject(request: AnsweredRequest, client: Client, session: BrowserSession): Promise<Subject> {
    const roles = await this.scopeRules.roleQuestion(request.scopes, client);
    const asked = askedBy(request.scopes, this.urn);
    const subject = await this.subjects.find(session.userId, { projectIds: roles?.projectIds, ...asked });
    if (!subject) throw refusal.loginRequired(); // deactivated since the session was read
    return subject;
  }
}

/** Alike for both response types: without an access token, `expires_in` is the lifetime of the ID token. */
function toParameters({ idToken, expiresInSeconds, scopes }: IssuedIdToken): ResponseParameters {
  return { token_type: 'Bearer', expires_in: String(expiresInSeconds), scope: scopes.join(' '), id_token: idToken };
}
