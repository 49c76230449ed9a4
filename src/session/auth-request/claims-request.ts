/** OIDC Core §5.5, as far as it affects our answers: the names of the claims requested individually. */
export interface ClaimsRequest {
  readonly userinfo: readonly string[];
  readonly idToken: readonly string[];
}
