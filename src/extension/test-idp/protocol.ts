import type { IdpApplication, IdpServiceUser, IdpUser } from './cast.js';
import type { ArmedFault, FaultKind, FaultOptions } from './fault.js';
import type { Fixture } from './fixture.js';
import type { IdpMail } from './mails.js';

/** What there is, as the control surface tells it. @public */
export interface IdpState {
  readonly issuer: string;
  readonly discoveryUrl: string;
  readonly users: Readonly<Record<string, IdpUser>>;
  readonly applications: Readonly<Record<string, IdpApplication>>;
  readonly serviceUsers: Readonly<Record<string, IdpServiceUser>>;
  /** The administrative API, and the token of an owner of the instance. */
  readonly admin: { readonly url: string; readonly token: string };
}

/** The tokens of a sign-in. @public */
export interface IdpTokens {
  readonly accessToken: string;
  /** Absent without the scope `openid`. */
  readonly idToken: string | undefined;
  /** Absent without the scope `offline_access`. */
  readonly refreshToken: string | undefined;
  readonly expiresIn: number;
  readonly scope: string;
  /** Where the application got its code, which is spent. */
  readonly callbackUrl: string | undefined;
}

/** Where a browser ends that was sent to the service. @public */
export interface IdpLanding {
  readonly url: string;
  /** `POST`: the page sends a form there (`response_mode=form_post`). */
  readonly method: 'GET' | 'POST';
  readonly fields: Readonly<Record<string, string>>;
  /** What is to be read, if it is a page of the service. */
  readonly page: string | undefined;
}

/** @public */
export interface IdpTime {
  /** ISO 8601. */
  readonly now: string;
  /** How far it is ahead of the time of the machine. */
  readonly offsetSeconds: number;
}

/** The operations of the control surface: what is asked, and what is answered. */
export interface Operations {
  state: [undefined, IdpState];
  reset: [undefined, IdpState];
  add: [Fixture, IdpState];
  signIn: [SignInRequest, IdpTokens];
  clientCredentials: [{ user: string; scopes?: readonly string[] }, IdpTokens];
  browse: [BrowseRequest, IdpLanding];
  clock: [undefined, IdpTime];
  setClock: [{ jump?: string; set?: string; reset?: boolean }, IdpTime];
  faults: [undefined, { readonly faults: readonly ArmedFault[] }];
  arm: [FaultOptions & { kind: FaultKind }, ArmedFault];
  disarm: [undefined, { readonly faults: readonly ArmedFault[] }];
  rotateKey: [undefined, { readonly keyId: string; readonly published: readonly string[] }];
  lock: [{ user: string }, IdpUser];
  unlock: [{ user: string }, IdpUser];
  endSessions: [{ user: string }, IdpUser];
  mails: [{ to?: string; waitMs?: number }, { readonly mails: readonly IdpMail[] }];
}

export interface SignInRequest {
  readonly user: string;
  readonly application?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly redirectUri?: string | undefined;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly browser?: string | undefined;
}

export interface BrowseRequest {
  readonly url: string;
  readonly user: string;
  readonly browser?: string | undefined;
  readonly consent?: boolean | undefined;
}

/** Below it is nothing of the service. */
export const CONTROL = '/_test';

export const ROUTES: {
  readonly [Name in keyof Operations]: readonly [method: 'GET' | 'POST' | 'DELETE', path: string];
} = {
  state: ['GET', ''],
  reset: ['POST', '/reset'],
  add: ['POST', '/fixture'],
  signIn: ['POST', '/sign-in'],
  clientCredentials: ['POST', '/client-credentials'],
  browse: ['POST', '/browse'],
  clock: ['GET', '/clock'],
  setClock: ['POST', '/clock'],
  faults: ['GET', '/faults'],
  arm: ['POST', '/faults'],
  disarm: ['DELETE', '/faults'],
  rotateKey: ['POST', '/keys/rotate'],
  lock: ['POST', '/users/lock'],
  unlock: ['POST', '/users/unlock'],
  endSessions: ['POST', '/users/end-sessions'],
  mails: ['GET', '/mails'],
};
