/** OIDC Core §2, `acr`: how the user was authenticated. */
export type Acr = '0' | '1' | '2';
/** The password, or an identity provider. */
export const ONE_FACTOR = '1';
/** The level of a sign-in on our pages: one factor or two. */
export const REACHABLE_ACR_VALUES: readonly Acr[] = [ONE_FACTOR, '2'];

/** `1` one factor, `2` two; `0` would be none. */
export function acrOf(amr: readonly string[]): Acr {
  // Signing in through a provider, which no `amr` expresses, counts no less than a password.
  return amr.includes('mfa') ? '2' : ONE_FACTOR;
}
