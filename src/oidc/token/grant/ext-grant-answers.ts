import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { PartCalls } from '../../../foundation/extension/part-calls.js';
import type { Filled } from '../../../foundation/extension/seam.js';
import type { Form } from '../../../foundation/http/form.js';
import { Clock } from '../../../foundation/time/clock.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import {
  type ExtGrant,
  type ExtGrantName,
  GRANT,
  type GrantQuestion,
  MAX_PARAMETER_CHARACTERS,
  USUAL_GRANT_LIMIT_MS,
} from '../../../project/client/ext-grant.js';
import { ExtGrants } from '../../../project/client/ext-grants.js';
import { ScopeRules } from '../../../token/claims/scope.js';
import { Urn } from '../../../token/claims/urn.js';
import { type GrantedAccess, GrantedUsers } from '../../../token/granted-users.js';
import { RefreshTokens } from '../../../token/refresh-tokens.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import { RequiredOrgs } from '../../authorize/required-orgs.js';
import type { AuthenticatedClient } from '../../client-auth/client-authenticator.js';
import { DroppedScopes } from '../../dropped-scopes.js';
import { refusal } from '../../oidc.errors.js';
import { readScopes, required } from '../../parameters.js';
import { RequestedResources } from '../../requested-resources.js';
import type { ClientGrant, RequestFacts } from './grant.js';
import { type GrantAttempt, GrantAttempts } from './grant-attempts.js';
import { type ReadDecision, readDecision } from './grant-decision.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * Grants of extensions as grants of ours. An extension decides which user the parameters stand for; it sees no
 * credentials, and makes no token.
 */
@Injectable()
export class ExtGrantAnswers {
  readonly grants: readonly ClientGrant[];

  constructor(
    own: ExtGrants,
    private readonly calls: PartCalls,
    private readonly attempts: GrantAttempts,
    private readonly users: GrantedUsers,
    private readonly refreshTokens: RefreshTokens,
    private readonly scopeRules: ScopeRules,
    private readonly dropped: DroppedScopes,
    private readonly resources: RequestedResources,
    private readonly requiredOrgs: RequiredOrgs,
    private readonly instances: InstanceService,
    private readonly urn: Urn,
    private readonly clock: Clock,
  ) {
    this.grants = own.filled.map((of) => ({
      type: of.part.name,
      actsFor: 'client',
      registeredAs: of.part.name as ExtGrantName, // the start has checked it
      exchange: (form, client, facts) => this.exchange(of, form, client, facts),
    }));
  }

  private async exchange(
    of: Filled<ExtGrant>,
    form: Form,
    client: AuthenticatedClient,
    { proof, address }: RequestFacts,
  ): Promise<Entitlement> {
    const grant = of.part;
    if (!client.isConfidential && grant.publicClients !== true) throw refusal.grantNeedsAuthentication();
    // Users agree to such an application each time, on a page.
    if (client.settings.consentPage || client.describesItself) throw refusal.grantWithoutConsent();
    const { systemProjectId } = await this.instances.get();
    // Tokens for the applications of the system project open the administrative API, whatever the scopes.
    if (client.project.id === systemProjectId) throw refusal.grantForAdministration();
    const parameters = readParameters(grant, form);
    const scopes = await this.scopesOf(grant, form, client, systemProjectId);
    const orgId = await this.requiredOrgs.find(scopes);
    const resources = Object.freeze(await this.resources.read(form));
    const now = this.clock.now();
    const question: GrantQuestion = {
      parameters: Object.freeze(parameters),
      client: Object.freeze({ id: client.id, projectId: client.project.id, orgId: client.project.orgId }),
      scopes,
      resources,
      now,
    };
    const attempt = {
      grantType: grant.name,
      clientId: client.id,
      address,
      guessedFor: grant.guessedFor === undefined ? undefined : parameters[grant.guessedFor],
    };
    const decision = await this.decide(of, Object.freeze(question), attempt);
    const { userId, amr, authTime } = decision;
    const access = await this.users.grant({
      userId,
      client,
      grantType: grant.name,
      scopes,
      resources,
      orgId,
      amr,
      authTime,
      thumbprint: proof?.thumbprint,
    });
    if ('refusal' in access) throw refusal.grantedUserRefused(access.refusal, { clientId: client.id, userId });
    await this.attempts.succeed(attempt);
    return this.toEntitlement(client, access, { grant: grant.name as ExtGrantName, scopes, resources, amr, authTime });
  }

  /** @throws OAuthError as the extension refuses; DomainError Unavailable if it fails, and ResourceExhausted */
  private async decide(
    of: Filled<ExtGrant>,
    question: GrantQuestion,
    attempt: GrantAttempt,
  ): Promise<Extract<ReadDecision, { userId: string }>> {
    // Counted before the extension is asked, so that simultaneous requests cannot exceed the limit (LOG-031).
    await this.attempts.count(attempt);
    const call = { seam: GRANT, of, limitMs: of.part.timeoutMs ?? USUAL_GRANT_LIMIT_MS };
    let decision: ReadDecision;
    try {
      decision = await this.calls.call(call, async (grant, signal) =>
        readDecision(await grant.decide(question, signal), this.clock.now()),
      );
    } catch {
      // Logged already. A defect must not lock anybody out.
      await this.attempts.forgive(attempt);
      throw unavailable();
    }
    if ('error' in decision)
      throw refusal.grantRefused(decision.error, decision.description, { clientId: attempt.clientId });
    return decision;
  }

  /** The requested scopes without that of the administrative API: no extension can turn a user into a manager. */
  private async scopesOf(
    grant: ExtGrant,
    form: Form,
    client: AuthenticatedClient,
    systemProjectId: string,
  ): Promise<readonly string[]> {
    const requested = readScopes(form) ?? [];
    const known = await this.scopeRules.grantToClient(requested, client, grant.refreshTokens === true);
    this.dropped.note(client.id, requested, known);
    const scopes = known.filter((scope) => {
      const audience = this.urn.audienceOf(scope);
      return audience !== this.urn.systemWord && audience !== systemProjectId;
    });
    // RFC 6749 §3.3: the response omits scopes that are not granted; if none is left, that is an error (RFC 6749 §5.2).
    if (requested.length > 0 && scopes.length === 0) throw refusal.scopeUnknown();
    return Object.freeze(scopes);
  }

  private toEntitlement(
    client: AuthenticatedClient,
    { subject, familyId }: GrantedAccess,
    given: Pick<Entitlement, 'scopes' | 'resources'> & {
      readonly grant: ExtGrantName;
      readonly amr: readonly string[];
      readonly authTime: Date;
    },
  ): Entitlement {
    const { grant, scopes, resources, amr, authTime } = given;
    return {
      userId: subject.userId,
      userEpoch: subject.userEpoch,
      client,
      clientId: client.id,
      accessTokenType: client.settings.accessTokenType,
      accessTokenHeaderType: client.settings.accessTokenHeaderType,
      scopes,
      resources,
      familyId,
      sessionId: undefined,
      userinfoClaims: [],
      subject,
      signIn: { authTime, amr, acrRequested: false, nonce: undefined, claimNames: [] },
      refreshToken: familyId === undefined ? undefined : this.refreshTokens.first(familyId, grant),
    };
  }
}

/** The declared ones. Repeated ones are refused before (RFC 6749 §3.2). @throws OAuthError invalid_request */
function readParameters({ parameters }: ExtGrant, form: Form): Record<string, string> {
  const entries = parameters.flatMap(({ name, optional = false, maxLength = MAX_PARAMETER_CHARACTERS }) => {
    const value = optional ? form.find(name) : required(form, name);
    if (value === undefined) return [];
    if (value.length > maxLength) throw refusal.parameterMalformed(name);
    return [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function unavailable(): DomainError {
  return new DomainError(
    'Unavailable',
    'extension.grant_unavailable',
    'This grant_type cannot be answered at the moment. Try again later.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
