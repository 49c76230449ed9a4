import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import type { ServicePath } from '../../org/instance/paths.js';
import type { ResponseType } from '../../project/client/client.entity.js';
import type { AskableFactor } from '../session-factor.js';
import type { ClaimsRequest } from './claims-request.js';
import type { ExtStepName } from './ext-login-step.js';

export type ResponseMode = 'query' | 'fragment' | 'form_post';
export type Prompt = 'none' | 'login' | 'consent' | 'select_account' | 'create';

/** A request that has passed every check of the authorization endpoint (OIDC Core §3.1.2.2). */
export interface NewAuthRequest {
  readonly clientId: string;
  /** Empty for the request of a device. */
  readonly redirectUri: string;
  /**
   * `none`: pages of our own and protocols of extensions, which need no more than that the user has signed in.
   */
  readonly responseType: ResponseType | 'none';
  readonly responseMode: ResponseMode;
  /** The granted scopes; unknown and disallowed ones are removed. */
  readonly scopes: readonly string[];
  /** The protected resources that the tokens are for (RFC 8707); absent in requests from before they existed. */
  readonly resources?: readonly string[] | undefined;
  /** The access token would be for the administrative API; absent in requests from before this was asked. */
  readonly administers?: boolean | undefined;
  /** The token would be for projects of an organization that has granted the application's own organization nothing. */
  readonly leavesOrg?: boolean | undefined;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  /** RFC 7636, method S256. */
  readonly codeChallenge: string | undefined;
  /** The thumbprint of the key to which the code is bound (RFC 9449 §10). */
  readonly dpopJkt?: string | undefined;
  /** The longest lifetime of the code, if the application's profile limits it. */
  readonly codeSeconds?: number | undefined;
  readonly prompts: readonly Prompt[];
  /** `max_age`; 0 equals `prompt=login`. */
  readonly maxAgeSeconds: number | undefined;
  readonly loginHint: string | undefined;
  readonly uiLocales: readonly string[];
  readonly acrValues: readonly string[];
  /** Requires two factors. */
  readonly secondFactorRequired: boolean;
  readonly claims: ClaimsRequest | undefined;
  /**
   * The scopes that carry the claims that are asked for by name, beyond the granted ones: who has to agree is asked for
   * them alike. Absent in requests from before this was kept.
   */
  readonly claimScopes?: readonly string[] | undefined;
  readonly requiredOrgId: string | undefined;
  readonly requiredUserId: string | undefined;
  /** The second factor whose set-up the user has begun on a page of our own, and continues within this request. */
  readonly factorWanted?: AskableFactor | undefined;
  /** The user adds a key from a page of our own, of the kind in `wantedKey`; any number of them. */
  readonly addsKey?: boolean | undefined;
  /** The provider to which the user goes to link an account there, from a page of our own and after a proof. */
  readonly idpWanted?: string | undefined;
  /**
   * Set if its client has pushed the request (RFC 9126): one answer is given for it, in whatever browsers it is opened.
   */
  readonly pushedId?: string | undefined;
  /** Whether it was a signed object (RFC 9101); absent in requests from before that was kept. */
  readonly isSigned?: boolean | undefined;
  /** Set if the application speaks a protocol of an extension, with what that keeps until it answers. */
  readonly protocol?: { readonly by: string; readonly state: JsonObject } | undefined;
  /** Set if a device asks (RFC 8628): its user decides on our pages, and nothing is sent anywhere. */
  readonly device?: DeviceRequest | undefined;
}

/** A device whose code a user has typed. */
export interface DeviceRequest {
  readonly id: string;
  /** The code as the device shows it. */
  readonly userCode: string;
  /** The address that the device asked from; of an IPv6 address, its network. */
  readonly network: string;
  /** Unix seconds. */
  readonly requestedAt: number;
}

/**
 * A pending authorization with what the login pages have learned: wishes and choices, never a proof. It is not stored
 * but travels sealed with the pages (`RequestSeal`), so a browser may come back with an older one of its own.
 */
export interface AuthRequest extends Omit<NewAuthRequest, 'loginHint'> {
  /** The id of the request, and of the token family that its code starts. */
  readonly id: string;
  /** The browser that started it; no other may finish it. */
  readonly browserId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The name as typed, or hinted by the client; whether it exists is not decided before the password. */
  readonly loginName: string | undefined;
  /** The user who was chosen for this request, or has signed in for it. */
  readonly userId: string | undefined;
  /** The user has chosen the account for this very request (`select_account`, several sessions). */
  readonly accountChosen: boolean;
  readonly consentGiven: boolean;
  /** A user who returned from a provider and is not linked yet: the id of the `idp_login`. */
  readonly externalLoginId: string | undefined;
  /** When the user proved at the provider who they are; undefined if no proof counts (`momentOfProof`). */
  readonly externalProvedAt: Date | undefined;
  /** The organization whose policies applied when the user left for the provider. */
  readonly externalOrgId: string | undefined;
  /** A user who has registered and must type the mailed code: the id of the `registration`. */
  readonly registrationId: string | undefined;
  /** When the password that was just used expires; undefined once the user was warned. */
  readonly passwordExpiresAt: Date | undefined;
  /** The user wants to change the password before continuing. */
  readonly passwordChangeWanted: boolean;
  /** The user wants to type the password instead of using a passkey. */
  readonly passwordInstead: boolean;
  /** The kind of key that the user wants to set up. */
  readonly wantedKey: 'passkey' | 'u2f' | undefined;
  /** The user has just chosen a password, which is the moment to offer a passkey. */
  readonly offersPasskey: boolean;
  /**
   * The user has just signed in with the passkey of another device, which is the moment to offer one for this device.
   */
  readonly offersPasskeyHere: boolean;
  /** The form whose page this is, in the address of that page alone; absent everywhere else. */
  readonly sent?: SentForm | undefined;
  /** What the user has just changed, for the page that says so. Absent at first. */
  readonly changed?: 'password' | 'key' | 'link' | undefined;
  /** The steps of extensions that this user has taken, in order: to notice one that never ends. Absent at first. */
  readonly extStepsTaken?: readonly ExtStepName[] | undefined;
}

/** What is wrong with a form; pages have words for each reason. */
export interface FormMistake {
  readonly reason: string;
  /** Absent when it concerns the form as a whole. */
  readonly field?: string | undefined;
  /** The limit that a text names, such as a number of characters. */
  readonly count?: number | undefined;
  /** How long to wait, in the language of the page. */
  readonly duration?: string | undefined;
}

/** A form that was sent, as its page shows it again. Nothing in it is secret: no password, no code. */
export interface SentForm {
  readonly path: ServicePath;
  /** The values of the form's fields, by name. */
  readonly typed: Readonly<Record<string, string>>;
  /** The mistakes in the form; absent where the form only asked for the page. */
  readonly errors?: readonly FormMistake[] | undefined;
  /** Unix milliseconds: from when on it may be sent again, if it was sent too often. */
  readonly waitsUntilMs?: number | undefined;
}

/** The part of a request that the login pages change. */
type Learned = Omit<AuthRequest, keyof NewAuthRequest | 'sent' | 'id' | 'browserId' | 'createdAt' | 'expiresAt'>;

const NOTHING_LEARNED: Learned = {
  loginName: undefined,
  userId: undefined,
  accountChosen: false,
  consentGiven: false,
  externalLoginId: undefined,
  externalProvedAt: undefined,
  externalOrgId: undefined,
  registrationId: undefined,
  passwordExpiresAt: undefined,
  passwordChangeWanted: false,
  passwordInstead: false,
  wantedKey: undefined,
  offersPasskey: false,
  offersPasskeyHere: false,
  extStepsTaken: undefined,
};

export function beginRequest(
  { loginHint, ...wanted }: NewAuthRequest,
  begun: Pick<AuthRequest, 'id' | 'browserId' | 'createdAt' | 'expiresAt'>,
): AuthRequest {
  return { ...wanted, ...begun, ...NOTHING_LEARNED, loginName: loginHint };
}

/** Begins anew with a login name: it may be another user's, who has not consented to anything yet. */
export function withLoginName(request: AuthRequest, loginName: string): AuthRequest {
  return {
    ...request,
    loginName,
    userId: undefined,
    accountChosen: true,
    consentGiven: false,
    registrationId: undefined,
    passwordExpiresAt: undefined,
    passwordChangeWanted: false,
    passwordInstead: false,
    wantedKey: undefined,
    offersPasskey: false,
    offersPasskeyHere: false,
    changed: undefined,
    extStepsTaken: undefined,
  };
}

/** The user who continues: chosen from the browser's accounts, registered, or just signed in. */
export function withUser(request: AuthRequest, userId: string, loginName: string): AuthRequest {
  return {
    ...withLoginName(request, loginName),
    userId,
    consentGiven: request.consentGiven && request.userId === userId,
    // Users who must prove who they are before they make a key still want the key.
    wantedKey: request.wantedKey,
  };
}

/** Applies to this user only, and also confirms the user of the request. */
export function withConsent(request: AuthRequest, userId: string): AuthRequest {
  return { ...request, consentGiven: true, userId };
}

/**
 * A user who went to a provider to link an account there returns. The session was proved before, and is asked for by
 * the request: unlike after a sign-in at the provider, it is known whose it is.
 */
export function withAccountToLink(request: AuthRequest, externalLoginId: string): AuthRequest {
  return { ...request, idpWanted: undefined, externalLoginId };
}

/** The account is linked with this user already. */
export function withoutProvider(request: AuthRequest): AuthRequest {
  return { ...request, idpWanted: undefined, changed: 'link' };
}

/** A user who returned from a provider unknown continues without any account, whatever was typed or chosen before. */
export function withExternalLogin(
  request: AuthRequest,
  login: Required<Pick<AuthRequest, 'externalLoginId' | 'externalProvedAt' | 'externalOrgId'>>,
): AuthRequest {
  return {
    ...request,
    ...login,
    userId: undefined,
    loginName: undefined,
    accountChosen: false,
    consentGiven: false,
    registrationId: undefined,
  };
}

/** The user claims to have an account here, and is asked for its name. */
export function withAccountHere(request: AuthRequest): AuthRequest {
  return { ...request, userId: undefined, loginName: undefined, accountChosen: true };
}

/** The external account was linked. */
export function withAccountLinked(request: AuthRequest): AuthRequest {
  return { ...withoutExternalLogin(request), changed: 'link' };
}

/** The user does not want to link the account, or it signs in already. */
export function withoutExternalLogin(request: AuthRequest): AuthRequest {
  return { ...request, externalLoginId: undefined, externalProvedAt: undefined, externalOrgId: undefined };
}

/** A user who registers continues without any account; the registration says who it is, if anybody. */
export function withRegistration(request: AuthRequest, registrationId: string): AuthRequest {
  return { ...request, registrationId, userId: undefined, consentGiven: false };
}

/** The user who has just signed in is to be warned that the password expires. */
export function withExpiryWarning(request: AuthRequest, passwordExpiresAt: Date): AuthRequest {
  return { ...request, passwordExpiresAt };
}

/** Records the user's choice after the warning that the password expires. */
export function withExpiryAcknowledged(request: AuthRequest, passwordChangeWanted: boolean): AuthRequest {
  return { ...request, passwordExpiresAt: undefined, passwordChangeWanted };
}

/** The user would rather type the password. */
export function withPasswordInstead(request: AuthRequest): AuthRequest {
  return { ...request, passwordInstead: true };
}

/** The user sets up a key of this kind; undefined: rather not. */
export function withWantedKey(request: AuthRequest, wantedKey: AuthRequest['wantedKey']): AuthRequest {
  return { ...request, wantedKey };
}

/** The key that the user wanted is made: nothing more is offered. */
export function withKeyMade(request: AuthRequest): AuthRequest {
  return { ...request, wantedKey: undefined, offersPasskeyHere: false, changed: 'key' };
}

/** The user has changed the password. */
export function withPasswordChanged(request: AuthRequest): AuthRequest {
  return { ...request, changed: 'password' };
}

/** The user has just signed in with the passkey of another device. */
export function withPasskeyHereOffer(request: AuthRequest): AuthRequest {
  return { ...request, offersPasskeyHere: true };
}

/** The user does not want a passkey on this device, at least not now. */
export function withoutPasskeyHere(request: AuthRequest): AuthRequest {
  return { ...request, offersPasskeyHere: false };
}

/** Offers a passkey, since the user has just chosen a password. */
export function withPasskeyOffer(request: AuthRequest): AuthRequest {
  return { ...request, offersPasskey: true };
}

/** The user has taken a step of an extension, which says itself whether it is due again. */
export function withExtStepTaken(request: AuthRequest, step: ExtStepName): AuthRequest {
  return { ...request, extStepsTaken: [...(request.extStepsTaken ?? []), step] };
}

/** The reader's own choice, which overrides the application's. */
export function withLanguage(request: AuthRequest, language: string): AuthRequest {
  return { ...request, uiLocales: [language] };
}

/** The request of a device, from the moment when its code was typed. */
export function deviceRequest(
  asked: Pick<NewAuthRequest, 'clientId' | 'scopes' | 'resources' | 'administers' | 'requiredOrgId'> & {
    readonly device: DeviceRequest;
  },
): NewAuthRequest {
  return {
    ...asked,
    redirectUri: '',
    responseType: 'code',
    responseMode: 'query',
    state: undefined,
    nonce: undefined,
    codeChallenge: undefined,
    prompts: [],
    maxAgeSeconds: undefined,
    loginHint: undefined,
    uiLocales: [],
    acrValues: [],
    secondFactorRequired: false,
    claims: undefined,
    requiredUserId: undefined,
  };
}

export function isCodeFlow(request: Pick<NewAuthRequest, 'responseType'>): boolean {
  return request.responseType === 'code';
}

/** Whether an access token is issued at the authorization endpoint (OIDC Core §3.2). */
export function asksForAccessToken(request: Pick<NewAuthRequest, 'responseType'>): boolean {
  return request.responseType === 'id_token token';
}
