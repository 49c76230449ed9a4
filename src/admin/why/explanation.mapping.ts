import type { AskedSignIn } from '../../management/why/case.js';
import type { Link, Rule, SignInExplanation } from '../../management/why/link.js';
import type { TokenExplanation } from '../../management/why/token-link.js';
import type { Prompt } from '../../session/auth-request/auth-request.js';
import type {
  ExplainedRule,
  ExplainSignInRequest,
  ExplainSignInResponse,
  SignInLink,
} from './sign-in-explanation.dto.js';
import type { ExplainTokenResponse } from './token-explanation.dto.js';

export function toAsked(request: ExplainSignInRequest): AskedSignIn {
  const { application, scopes, network, method, provider, loginName, prompts, maxAge, acrValues } = request;
  return {
    application,
    scopes,
    network,
    // Naming a provider says how.
    method: method === 'unspecified' ? (provider === '' ? undefined : 'provider') : method,
    provider,
    loginName: loginName.trim(),
    prompts: prompts as Prompt[],
    maxAgeSeconds: maxAge,
    acrValues,
    isSecondFactorDemanded: request.requiresSecondFactor,
  };
}

export function toExplanation(explained: SignInExplanation): ExplainSignInResponse {
  const { chain, limits, failures, ...same } = explained;
  return {
    ...same,
    chain: chain.map(toLink),
    limits: limits.map(({ mostFailures: maxFailures, until: untilDate, ...limit }) => ({
      ...limit,
      maxFailures,
      untilDate,
    })),
    failures: failures.map(({ at: date, ...failure }) => ({ ...failure, date })),
  };
}

function toLink({ rule, until: untilDate, ...link }: Link): SignInLink {
  return { ...link, untilDate, rule: rule && toRule(rule) };
}

export function toTokenExplanation({ summary, links }: TokenExplanation): ExplainTokenResponse {
  return { summary, links: links.map(({ rule, ...link }) => ({ ...link, rule: rule && toRule(rule) })) };
}

function toRule(rule: Rule): ExplainedRule {
  const { ownerId: ruleOwnerId, since: changedDate, changedById: changedByUserId, ...same } = rule;
  return { ...same, ruleOwnerId, changedDate, changedByUserId };
}
