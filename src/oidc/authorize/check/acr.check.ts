import { ONE_FACTOR, REACHABLE_ACR_VALUES } from '../../../token/acr.js';
import { refusal } from '../../oidc.errors.js';

/**
 * OIDC Core §5.5.1.1: an essential `acr` that cannot be satisfied is a failed authentication. No page could change
 * that, so it is refused before any is shown. A voluntary one, by the claim or by `acr_values`, never causes an error.
 * @returns whether a second factor is required
 * @throws OAuthError unmet_authentication_requirements
 */
export function parseEssentialAcr(claim: unknown): boolean {
  if (typeof claim !== 'object' || claim === null) return false;
  const { essential, value, values } = claim as { essential?: unknown; value?: unknown; values?: unknown };
  const wanted = [value ?? [], values ?? []].flat(); // OIDC Core §5.5.1 has both, and they mean the same here
  if (essential !== true || wanted.length === 0) return false;
  if (!REACHABLE_ACR_VALUES.some((acr) => wanted.includes(acr))) throw refusal.acrUnmet();
  return !wanted.includes(ONE_FACTOR);
}
