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
  /** Granted: unknown and not allowed ones are gone. */
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
  /** Only two factors will do. */
  readonly secondFactorRequired: boolean;
  readonly claims: ClaimsRequest | undefined;
  readonly requiredOrgId: string | undefined;
  readonly requiredUserId: string | undefined;
}

/** A pending authorization as stored, with what the login pages have found out so far. */
export interface AuthRequest extends Omit<NewAuthRequest, 'loginHint'> {
  readonly id: string;
  readonly browserId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** As typed, or hinted by the client. */
  readonly loginName: string | undefined;
  /** Who chose to go on with this request, or has signed in for it. */
  readonly userId: string | undefined;
  readonly accountChosen: boolean;
  readonly consentGiven: boolean;
  /** Who has come back from a provider and is linked with no account here yet. */
  readonly externalLoginId: string | undefined;
  readonly externalProvedAt: Date | undefined;
  /** The organization on whose terms they left for the provider. */
  readonly externalOrgId: string | undefined;
  /** Somebody has registered, and is to type the code that was mailed to them. */
  readonly registrationId: string | undefined;
  /** When the password that was just used expires, until the person has been told. */
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
