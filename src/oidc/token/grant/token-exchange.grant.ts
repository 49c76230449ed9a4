import { Injectable } from '@nestjs/common';
import type { ClientCertificate } from '../../../foundation/http/client-certificate.js';
import type { Form } from '../../../foundation/http/form.js';
import { Tallies } from '../../../foundation/metrics/tallies.js';
import { Urn } from '../../../token/claims/urn.js';
import type { GivenTokenKind } from '../../../token/exchange/given-tokens.js';
import { Impersonations } from '../../../token/exchange/impersonations.js';
import {
  type ExchangeQuestion,
  type PossibleExchange,
  TokenExchanges,
} from '../../../token/exchange/token-exchanges.js';
import { ProofRefused } from '../../../token/proof/proof-refused.js';
import type { ProofOfKey } from '../../../token/proof/proofs-of-keys.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import type { AuthenticatedClient } from '../../client-auth/client-authenticator.js';
import { OAuthError, refusal } from '../../oidc.errors.js';
import { readScopes, required } from '../../parameters.js';
import { RequestedResources } from '../../requested-resources.js';
import type { ClientGrant, RequestFacts } from './grant.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** RFC 8693 §2.1: may be repeated, like `resource`. */
export const AUDIENCE = 'audience';

/** RFC 8693 §3. A refresh token is not among them: who has one uses it. */
export const TOKEN_TYPE = {
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  idToken: 'urn:ietf:params:oauth:token-type:id_token',
} as const;

/** A JWT is the same access token in that form. */
const GIVEN_KINDS: ReadonlyMap<string, GivenTokenKind> = new Map([
  [TOKEN_TYPE.accessToken, 'access_token'],
  [TOKEN_TYPE.jwt, 'access_token'],
  [TOKEN_TYPE.idToken, 'id_token'],
]);

/**
 * RFC 8693: a token is exchanged for one that gives access to less, for less time, and ends with it. With the token of
 * another user, who is allowed to, that one acts for the user; the result names both.
 */
@Injectable()
export class TokenExchangeGrant implements ClientGrant {
  readonly type = TOKEN_EXCHANGE;
  readonly actsFor = 'client';
  readonly registeredAs = 'token_exchange';

  constructor(
    private readonly exchanges: TokenExchanges,
    private readonly impersonations: Impersonations,
    private readonly resources: RequestedResources,
    private readonly urn: Urn,
    private readonly tallies: Tallies,
  ) {}

  async exchange(form: Form, client: AuthenticatedClient, facts: RequestFacts): Promise<Entitlement> {
    try {
      return await this.entitle(form, client, facts);
    } catch (error) {
      if (error instanceof OAuthError) this.tallies.add('exchanges', 'refused');
      throw error;
    }
  }

  private async entitle(
    form: Form,
    client: AuthenticatedClient,
    { proof, certificate }: RequestFacts,
  ): Promise<Entitlement> {
    // Anybody can name a public client, and could exchange a token that they found.
    if (!client.isConfidential) throw refusal.clientNotConfidential();
    // Users of such an application confirm what it may do, on a page, which an exchange does not have.
    if (client.settings.consentPage) throw refusal.exchangeWithoutConsent();
    const question = this.questionOf(form, client);
    const issuedTokenType = readRequestedType(form);
    const isIdToken = issuedTokenType === TOKEN_TYPE.idToken;
    const requested = readScopes(form);
    const wanted = [...(await this.resources.read(form)), ...readAudience(form)];
    if (isIdToken && wanted.length > 0) throw refusal.idTokenForOthers();
    const found = await this.find(question);
    const keepsCertificate = staysWithCertificate(found, proof, certificate);
    const scopes = scopesOf(requested, found);
    if (isIdToken && !scopes.includes('openid')) throw refusal.idTokenWithoutOpenid();
    const audience = isIdToken ? [client.id] : audienceOf(wanted, found);
    const { subject, actor } = found;
    const { userId, orgId } = subject;
    if (actor)
      await this.impersonations.record({
        userId,
        orgId,
        actorId: actor.userId,
        clientId: client.id,
        scopes,
        audience,
      });
    this.tallies.add('exchanges', found.exchange.actors.length > 0 ? 'by_actor' : 'by_user');
    return {
      userId,
      userEpoch: subject.userEpoch,
      client,
      clientId: client.id,
      accessTokenType: issuedTokenType === TOKEN_TYPE.jwt ? 'jwt' : client.settings.accessTokenType,
      accessTokenHeaderType: client.settings.accessTokenHeaderType,
      scopes,
      resources: [],
      familyId: found.familyId,
      sessionId: found.sessionId,
      userinfoClaims: [],
      subject,
      signIn: undefined,
      refreshToken: undefined,
      exchanged: {
        audience,
        notAfter: found.notAfter,
        facts: found.exchange,
        signIn: found.signIn,
        keepsCertificate,
        issuedTokenType,
        isIdToken,
      },
    };
  }

  private async find(question: ExchangeQuestion): Promise<PossibleExchange> {
    const found = await this.exchanges.find(question);
    if (!('refusal' in found)) return found;
    if (found.refusal === 'switched_off') throw refusal.impersonationOff();
    const actor = found.actorId === undefined ? {} : { userId: found.actorId };
    throw refusal.subjectTokenRefused(found.refusal, { clientId: question.client.id, ...actor });
  }

  private questionOf(form: Form, client: AuthenticatedClient): ExchangeQuestion {
    const subjectToken = required(form, 'subject_token');
    const type = required(form, 'subject_token_type');
    const subjectKind = type === this.urn.userIdTokenType ? 'user_id' : GIVEN_KINDS.get(type);
    if (!subjectKind) throw refusal.subjectTokenTypeUnsupported();
    const actor = readActor(form);
    if (subjectKind === 'user_id' && !actor) throw refusal.actorMissing();
    return { client, subjectToken, subjectKind, actor };
  }
}

/** RFC 8693 §2.1: `actor_token` and `actor_token_type` come together or not at all. */
function readActor(form: Form): ExchangeQuestion['actor'] {
  if (!form.isGiven('actor_token') && !form.isGiven('actor_token_type')) return undefined;
  const token = form.find('actor_token');
  const kind = GIVEN_KINDS.get(form.find('actor_token_type') ?? '');
  if (token === undefined || !kind) throw refusal.actorTokenTypeUnsupported();
  return { token, kind };
}

function readRequestedType(form: Form): string {
  const type = form.find('requested_token_type') ?? TOKEN_TYPE.accessToken;
  if (!GIVEN_KINDS.has(type)) throw refusal.requestedTokenTypeUnsupported();
  return type;
}

function readAudience(form: Form): readonly string[] {
  const audience = form.all(AUDIENCE);
  if (audience === undefined) throw refusal.parameterMalformed(AUDIENCE);
  return audience;
}

/**
 * Checks that bound tokens stay bound: to a key that the request proves, and to the certificate that it shows. Returns
 * whether the result is bound to a certificate.
 * @throws ProofRefused `missing` for a token that is bound to a key
 * @throws OAuthError invalid_request for a token that is bound to a certificate which the request does not show
 */
function staysWithCertificate(
  { confirmations }: PossibleExchange,
  proof: ProofOfKey | undefined,
  certificate: ClientCertificate | undefined,
): boolean {
  if (!proof && confirmations.some(({ jkt }) => jkt !== undefined)) throw new ProofRefused('missing');
  const boundTo = confirmations.flatMap((confirmation) => confirmation['x5t#S256'] ?? []);
  // A key in its place would do for somebody who has found the token and may exchange tokens (RFC 8705 §3).
  if (boundTo.some((thumbprint) => thumbprint !== certificate?.thumbprint)) throw refusal.certificateOfTokenMissing();
  return boundTo.length > 0;
}

/** All scopes that are possible, unless the request asks for fewer. */
function scopesOf(requested: readonly string[] | undefined, { scopes }: PossibleExchange): readonly string[] {
  if (requested?.every((scope) => scopes.includes(scope)) === false) throw refusal.scopeExceedsGrant();
  return [...new Set(requested ?? scopes)];
}

/** Whom the token is meant for: everybody possible, unless less is asked for. */
function audienceOf(wanted: readonly string[], { audience }: PossibleExchange): readonly string[] {
  if (!wanted.every((id) => audience.includes(id))) throw refusal.audienceExceedsToken();
  const chosen = wanted.length > 0 ? [...new Set(wanted)] : audience;
  if (chosen.length === 0) throw refusal.audienceExceedsToken(); // nothing but the administrative API
  return chosen;
}
