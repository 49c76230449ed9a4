import type { DomainError } from '../../../foundation/error/domain-error.js';
import type { AccessTokenScheme } from '../../../foundation/http/access-token-header.js';
import { STEP_UP_SECONDS } from '../../../management/user/my-account.errors.js';
import { challengeOf } from '../../../token/proof/challenge.js';

const MAX_AGE = `max_age="${STEP_UP_SECONDS}"`;

/** The classes of sign-in with which the same request would succeed, by the reason of the refusal. */
const STEP_UPS: Readonly<Record<string, readonly string[]>> = {
  'token.sign_in_too_old': [MAX_AGE],
  'token.second_factor_missing': [MAX_AGE, 'acr_values="2"'],
};

/** The header `WWW-Authenticate` of a refusal that a new sign-in would avoid (RFC 9470 §3); undefined for others. */
export function stepUpChallenge({ reason, message }: DomainError, scheme: AccessTokenScheme): string | undefined {
  const demands = STEP_UPS[reason];
  if (demands === undefined) return undefined;
  return challengeOf(scheme, 'insufficient_user_authentication', [`error_description="${message}"`, ...demands]);
}
