/** OIDC Core §5.5, as far as it changes our answers: the names of the claims asked for individually. */
export interface ClaimsRequest {
  readonly userinfo: readonly string[];
  readonly idToken: readonly string[];
}
