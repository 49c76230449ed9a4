import type { StatusCode, StatusLevel } from '../protocol/status.js';

/** Where an answer may go: made behind the check that the registered metadata lists it. */
export interface AnswerAddress {
  readonly url: string;
  /** The entity that the answer is for. */
  readonly serviceProvider: string;
  /** The request that it answers; undefined if there was none. */
  readonly requestId: string | undefined;
}

/** What a service provider is told if nobody is signed in: whose fault it is, and why (SAML Core §3.2.2.2). */
export const FAILURES = {
  noPassive: ['Responder', 'NoPassive'],
  noAuthnContext: ['Responder', 'NoAuthnContext'],
  authnFailed: ['Responder', 'AuthnFailed'],
  requestDenied: ['Responder', 'RequestDenied'],
  unknownPrincipal: ['Responder', 'UnknownPrincipal'],
  invalidNameIdPolicy: ['Requester', 'InvalidNameIDPolicy'],
  requestUnsupported: ['Requester', 'RequestUnsupported'],
  requester: ['Requester'],
} as const satisfies Record<string, readonly [StatusLevel, StatusCode?]>;

export type Failure = keyof typeof FAILURES;
