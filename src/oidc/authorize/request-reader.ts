import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import type { Client } from '../../project/client/client.js';
import type { NewAuthRequest } from '../../session/auth-request/auth-request.js';
import type { ClaimsRequest } from '../../session/auth-request/claims-request.js';
import { RequestDemands } from '../../session/auth-request/request-demands.js';
import { ContributedClaims } from '../../token/claims/contributed-claims.js';
import { ScopeRules } from '../../token/claims/scope.js';
import { scopeOfClaim } from '../../token/claims/user-claims.js';
import { IdTokenHints } from '../../token/id-token-hint.js';
import { DroppedScopes } from '../dropped-scopes.js';
import { refusal } from '../oidc.errors.js';
import { checkParameters, readScopes } from '../parameters.js';
import { RESOURCE, RequestedResources } from '../requested-resources.js';
import type { AskedRequest } from './asked-request.js';
import { parseClaims } from './check/claims.check.js';
import { parseKeyThumbprint } from './check/key-thumbprint.check.js';
import { parseMaxAge } from './check/max-age.check.js';
import { parseNonce } from './check/nonce.check.js';
import { parseCodeChallenge } from './check/pkce.check.js';
import { parsePrompt } from './check/prompt.check.js';
import { checkNoReference } from './check/request-object.check.js';
import { parseResponseMode } from './check/response-mode.check.js';
import { parseResponseType } from './check/response-type.check.js';
import { RequiredOrgs } from './required-orgs.js';
import type { ReturnAddress } from './return-address.js';

/** Longer hints are ignored; a hint never causes an error. */
const MAX_HINT_CHARACTERS = 200;
const MAX_LOCALES = 20;
const MAX_ACR_VALUES = 20;
/** The length that RFC 5646 §4.4.1 recommends to support for language tags; our `acr` values are shorter. */
const MAX_WORD_CHARACTERS = 35;

/** A request whose parameters can be read, and how it has arrived. */
export type ReadableRequest = Pick<AskedRequest, 'form' | 'isSigned' | 'refused'> & { readonly isPushed: boolean };

/** Turns the parameters of the authorization endpoint into a checked request: OIDC Core §3.1.2.2, in this order. */
@Injectable()
export class RequestReader {
  constructor(
    private readonly scopeRules: ScopeRules,
    private readonly dropped: DroppedScopes,
    private readonly requiredOrgs: RequiredOrgs,
    private readonly resources: RequestedResources,
    private readonly hints: IdTokenHints,
    private readonly contributed: ContributedClaims,
    private readonly demands: RequestDemands,
  ) {}

  /** @throws OAuthError for every mistake of the client */
  async read(asked: ReadableRequest, { client, redirectUri }: ReturnAddress): Promise<NewAuthRequest> {
    const { form } = asked;
    checkParameters(form, [RESOURCE]);
    this.checkWay(asked, client);
    const responseType = parseResponseType(form, client);
    const responseMode = parseResponseMode(form, responseType, redirectUri);
    if (asked.refused) throw asked.refused;
    checkNoReference(form);
    const scopes = readScopes(form) ?? [];
    if (!scopes.includes('openid')) throw refusal.openidMissing(); // OIDC Core §3.1.2.1
    const nonce = parseNonce(form, responseType);
    const prompts = parsePrompt(form);
    const maxAgeSeconds = parseMaxAge(form);
    const codeChallenge = parseCodeChallenge(form, responseType, client);
    const dpopJkt = parseKeyThumbprint(form);
    const claims = parseClaims(form, (name) => this.contributed.knowsName(name));
    const granted = await this.scopeRules.grantToClient(scopes, client, responseType === 'code');
    this.dropped.note(client.id, scopes, granted);
    const resources = await this.resources.read(form);
    // A request for nothing but an ID token gives no access to any resource.
    const isAsking = responseType !== 'id_token';
    return {
      clientId: client.id,
      redirectUri,
      responseType,
      responseMode,
      scopes: granted,
      resources,
      administers: isAsking && (await this.scopeRules.asksToAdminister(granted, client)),
      leavesOrg:
        isAsking && (await this.scopeRules.leavesOrg(granted, await this.resources.projectsOf(resources), client)),
      state: form.find('state'),
      nonce,
      codeChallenge,
      dpopJkt,
      codeSeconds: client.codeSeconds,
      isSigned: asked.isSigned,
      prompts,
      maxAgeSeconds,
      loginHint: this.readLoginHint(form),
      uiLocales: shortWords(form, 'ui_locales', MAX_LOCALES),
      acrValues: shortWords(form, 'acr_values', MAX_ACR_VALUES),
      claims: claims?.request,
      claimScopes: this.scopesBehind(claims?.request, granted),
      secondFactorRequired: claims?.requiresSecondFactor ?? false,
      requiredOrgId: await this.requiredOrgs.find(scopes),
      requiredUserId: claims?.requiredUserId ?? (await this.readHintedUser(form)),
    };
  }

  /** RFC 9126 §5 and §6, RFC 9101 §10.5: which ways the instance and the client allow. */
  private checkWay({ isPushed, isSigned, refused }: ReadableRequest, client: Client): void {
    const { mustPush, mustSign } = this.demands.of(client);
    if (!isPushed && mustPush) throw refusal.requestNotPushed();
    if (!isSigned && !refused && mustSign) throw refusal.requestUnsigned();
  }

  /**
   * Claims give away the same, by name or by scope (OIDC Core §5.4, §5.5): people are asked in the words of scopes.
   */
  private scopesBehind(claims: ClaimsRequest | undefined, granted: readonly string[]): readonly string[] | undefined {
    if (!claims) return undefined;
    const scopes = [...claims.userinfo, ...claims.idToken].flatMap((name) => {
      const scope = scopeOfClaim(name);
      return scope === undefined ? this.contributed.scopesOf(name) : [scope];
    });
    return [...new Set(scopes)].filter((scope) => !granted.includes(scope));
  }

  private readLoginHint(form: Form): string | undefined {
    const hint = form.find('login_hint')?.trim();
    return hint !== undefined && hint !== '' && hint.length <= MAX_HINT_CHARACTERS ? hint : undefined;
  }

  /** Unverifiable hints count as absent. */
  private async readHintedUser(form: Form): Promise<string | undefined> {
    const hint = form.find('id_token_hint');
    return hint === undefined ? undefined : (await this.hints.read(hint))?.userId;
  }
}

function shortWords(form: Form, name: string, most: number): string[] {
  return form
    .words(name)
    .slice(0, most)
    .filter((word) => word.length <= MAX_WORD_CHARACTERS);
}
