import type { ResponseType } from '../client/client.entity.js';
import type { ClaimsRequest } from './claims-request.js';

export type ResponseMode = 'query' | 'fragment' | 'form_post';
export type Prompt = 'none' | 'login' | 'consent' | 'select_account' | 'create';

/** A request that has passed every check of the authorization endpoint (OIDC Core §3.1.2.2). */
export interface NewAuthRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType: ResponseType;
  readonly responseMode: ResponseMode;
  /** The granted scopes; unknown and disallowed ones are removed. */
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  /** RFC 7636, method S256. */
  readonly codeChallenge: string | undefined;
  readonly prompts: readonly Prompt[];
  /** `max_age`; 0 equals `prompt=login`. */
  readonly maxAgeSeconds: number | undefined;
  readonly loginHint: string | undefined;
  readonly uiLocales: readonly string[];
  readonly acrValues: readonly string[];
  /** Requires two factors. */
  readonly secondFactorRequired: boolean;
  readonly claims: ClaimsRequest | undefined;
  readonly requiredOrgId: string | undefined;
  readonly requiredUserId: string | undefined;
}

/** A pending authorization as stored, with the facts that the login pages have established. */
export interface AuthRequest extends Omit<NewAuthRequest, 'loginHint'> {
  readonly id: string;
  readonly browserId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** As typed, or hinted by the client. */
  readonly loginName: string | undefined;
  /** The user who was chosen for this request, or has signed in for it. */
  readonly userId: string | undefined;
  readonly accountChosen: boolean;
  readonly consentGiven: boolean;
  /** A user who returned from a provider and is not linked yet. */
  readonly externalLoginId: string | undefined;
  readonly externalProvedAt: Date | undefined;
  /** The organization whose policies applied when the user left for the provider. */
  readonly externalOrgId: string | undefined;
  /** A user who has registered and must type the mailed code. */
  readonly registrationId: string | undefined;
  /** When the password that was just used expires, until the user was warned. */
  readonly passwordExpiresAt: Date | undefined;
  readonly passwordChangeWanted: boolean;
  readonly answeredAt: Date | undefined;
}

export function isCodeFlow(request: Pick<NewAuthRequest, 'responseType'>): boolean {
  return request.responseType === 'code';
}

/** Whether an access token is issued at the authorization endpoint (OIDC Core §3.2). */
export function asksForAccessToken(request: Pick<NewAuthRequest, 'responseType'>): boolean {
  return request.responseType === 'id_token token';
}
