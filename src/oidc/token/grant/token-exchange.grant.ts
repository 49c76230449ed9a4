import { Injectable } from '@nestjs/common';
import type { Form } from '../../../foundation/http/form.js';
import { type SubjectToken, SubjectTokens } from '../../../token/exchange/subject-tokens.js';
import { ProofRefused } from '../../../token/proof/proof-refused.js';
import type { ProofOfKey } from '../../../token/proof/proofs-of-keys.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import type { AuthenticatedClient } from '../../client-auth/client-authenticator.js';
import { refusal } from '../../oidc.errors.js';
import { readScopes, required } from '../../parameters.js';
import { RequestedResources } from '../../requested-resources.js';
import type { ClientGrant } from './grant.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** RFC 8693 §2.1: may be repeated, like `resource`. */
export const AUDIENCE = 'audience';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
/** RFC 8693 §3: of the tokens that are exchanged, and of those that are issued. */
const TOKEN_TYPES: readonly string[] = [ACCESS_TOKEN, JWT];

/**
 * RFC 8693, for the same user: an access token is exchanged for one that gives access to less, for less time, and ends
 * with it. Nobody acts for anybody else.
 */
@Injectable()
export class TokenExchangeGrant implements ClientGrant {
  readonly type = TOKEN_EXCHANGE;
  readonly actsFor = 'client';
  readonly registeredAs = 'token_exchange';

  constructor(
    private readonly subjects: SubjectTokens,
    private readonly resources: RequestedResources,
  ) {}

  async exchange(form: Form, client: AuthenticatedClient, proof: ProofOfKey | undefined): Promise<Entitlement> {
    // Anybody can name a public client, and could exchange a token that they found.
    if (!client.isConfidential) throw refusal.clientNotConfidential();
    // Users of such an application confirm what it may do, on a page, which an exchange does not have.
    if (client.settings.consentPage) throw refusal.exchangeWithoutConsent();
    const token = required(form, 'subject_token');
    if (!TOKEN_TYPES.includes(required(form, 'subject_token_type'))) throw refusal.subjectTokenTypeUnsupported();
    if (form.has('actor_token') || form.has('actor_token_type')) throw refusal.actorUnsupported();
    const issuedTokenType = form.find('requested_token_type') ?? ACCESS_TOKEN;
    if (!TOKEN_TYPES.includes(issuedTokenType)) throw refusal.requestedTokenTypeUnsupported();
    const requested = readScopes(form);
    const wanted = [...(await this.resources.read(form)), ...readAudience(form)];
    const found = await this.subjects.find(token, client);
    if ('refusal' in found) throw refusal.subjectTokenRefused(found.refusal, { clientId: client.id });
    // What is bound to a key stays bound to one.
    if (found.facts.confirmation && !proof) throw new ProofRefused('missing');
    const { facts, subject } = found;
    return {
      userId: subject.userId,
      userEpoch: subject.userEpoch,
      client,
      clientId: client.id,
      accessTokenType: issuedTokenType === JWT ? 'jwt' : client.settings.accessTokenType,
      accessTokenHeaderType: client.settings.accessTokenHeaderType,
      scopes: scopesOf(requested, found),
      resources: [],
      familyId: found.familyId,
      sessionId: facts.sessionId,
      userinfoClaims: [],
      subject,
      signIn: undefined,
      refreshToken: undefined,
      exchanged: {
        audience: audienceOf(wanted, found),
        notAfter: facts.expiresAt,
        origins: found.origins,
        issuedTokenType,
      },
    };
  }
}

function readAudience(form: Form): readonly string[] {
  const audience = form.all(AUDIENCE);
  if (audience === undefined) throw refusal.parameterMalformed(AUDIENCE);
  return audience;
}

/** All that is possible, unless less is asked for. */
function scopesOf(requested: readonly string[] | undefined, { scopes }: SubjectToken): readonly string[] {
  if (requested?.every((scope) => scopes.includes(scope)) === false) throw refusal.scopeExceedsGrant();
  return [...new Set(requested ?? scopes)];
}

/** The same for whom the token is meant. */
function audienceOf(wanted: readonly string[], { audience }: SubjectToken): readonly string[] {
  if (!wanted.every((id) => audience.includes(id))) throw refusal.audienceExceedsToken();
  const chosen = wanted.length > 0 ? [...new Set(wanted)] : audience;
  if (chosen.length === 0) throw refusal.audienceExceedsToken(); // nothing but the administrative API
  return chosen;
}
