import type { JsonObject } from 'gatehouse';

/** What each vendor does in its own way. */
export interface OpenidVendor {
  /** OpenID Connect Discovery 1.0 §4 */
  readonly discoveryUrl: string;
  /** The issuer that the document must name, letter by letter (OpenID Connect Discovery 1.0 §4.3). */
  readonly issuer: string;
  /**
   * The issuer of a token, where that of the document is a template. The claims are not verified yet.
   * @throws IdpAnswerRefused for one that cannot be
   */
  readonly issuerOf?: (claims: JsonObject) => string;
  readonly scopes: readonly string[];
  /** Further parameters of the authorization request. */
  readonly query?: Readonly<Record<string, string>>;
  /** How its page is asked to ask again; undefined where it cannot be. */
  readonly prompts: Readonly<Record<'login' | 'select_account', string | undefined>>;
  readonly usesPkce: boolean;
}
