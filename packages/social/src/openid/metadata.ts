import type { JsonObject } from 'gatehouse';
import { textOf } from '../answer/json-answer.js';
import type { OpenidVendor } from './openid-vendor.js';

/** What is read of a discovery document (OpenID Connect Discovery 1.0 §3). */
export interface Metadata {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly keysUrl: string;
  readonly userInfoEndpoint: string | undefined;
  /** RFC 9207 §3 */
  readonly namesItself: boolean;
}

/** @throws Error for a document of another issuer, or without what a sign-in needs */
export function readMetadata(document: JsonObject, { discoveryUrl, issuer }: OpenidVendor): Metadata {
  const demand = (name: string): string => {
    const value = textOf(document, name);
    if (value === undefined) throw new Error(`The document at ${discoveryUrl} has no ${name}.`);
    return value;
  };
  // OpenID Connect Discovery 1.0 §4.3: or another provider could impersonate this one.
  if (demand('issuer') !== issuer) throw new Error(`The issuer in ${discoveryUrl} is not ${issuer}.`);
  return {
    authorizationEndpoint: demand('authorization_endpoint'),
    tokenEndpoint: demand('token_endpoint'),
    keysUrl: demand('jwks_uri'),
    userInfoEndpoint: textOf(document, 'userinfo_endpoint'),
    namesItself: document['authorization_response_iss_parameter_supported'] === true,
  };
}
