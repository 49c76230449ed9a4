import type { JsonObject } from 'gatehouse';
import type { AnswerAddress } from '../idp/answer.js';
import type { AuthnContextDemand } from '../idp/authn-context.js';
import type { AuthnRequest } from '../idp/authn-request.js';
import type { NameIdDemand } from '../idp/name-id-policy.js';

/** What the answer to a request needs, while the user signs in. */
export interface TurnState {
  readonly answer: AnswerAddress;
  /** Of the application, which gets it back as it came. */
  readonly relayState: string | undefined;
  readonly isPassive: boolean;
  readonly nameId: NameIdDemand;
  readonly authnContext: AuthnContextDemand | undefined;
  readonly subject: AuthnRequest['subject'];
}

/** As JSON, in which members that are undefined are missing. */
export function writeTurnState(turn: TurnState): JsonObject {
  return JSON.parse(JSON.stringify(turn)) as JsonObject;
}

/** It has travelled sealed, so it is what `writeTurnState` has written. */
export function readTurnState(state: JsonObject): TurnState {
  return state as unknown as TurnState;
}
