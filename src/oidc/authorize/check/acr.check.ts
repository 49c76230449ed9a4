import { REACHABLE_ACR_VALUES } from '../../../token/token-issuer.js';
import { refusal } from '../../oidc.errors.js';

/**
 * OIDC Core §5.5.1.1: an essential `acr` that cannot be had is a failed authentication. No page could change that, so it is
 * refused before any is shown. Asked for voluntarily, by the claim or by `acr_values`, it never causes an error.
 * @throws OAuthError unmet_authentication_requirements
 */
export function checkEssentialAcr(claim: unknown): void {
  if (typeof claim !== 'object' || claim === null) return;
  const { essential, value, values } = claim as { essential?: unknown; value?: unknown; values?: unknown };
  const wanted = [value ?? [], values ?? []].flat(); // §5.5.1 has both, and they mean the same here
  if (essential !== true || wanted.length === 0) return;
  if (!REACHABLE_ACR_VALUES.some((acr) => wanted.includes(acr))) throw refusal.acrUnmet();
}
