import { type OutgoingMessage, type ReceivedMessage, signedMessage } from '../bindings/message.js';
import {
  checkDestination,
  checkIssueInstant,
  checkIssuer,
  checkKind,
  claimedIssuer,
  headerAttributes,
  issuerTag,
  readHeader,
} from '../protocol/message-header.js';
import { newMessageId } from '../protocol/message-id.js';
import { keysOf } from '../protocol/partner.js';
import { readStatus, type StatusCode, type StatusLevel, statusTag } from '../protocol/status.js';
import { SamlRefusal } from '../refusal.js';
import { tag, writeXml } from '../xml/write-xml.js';
import type { ExpectedLogout } from './logout-request.js';

/** How a logout has ended. `partial`: some others still think that the person is signed in. */
export type LogoutOutcome = 'done' | 'partial' | 'failed';

/** SAML Core §3.7.3.2 */
const STATUSES: Readonly<Record<LogoutOutcome, readonly [StatusLevel, StatusCode?]>> = {
  done: ['Success'],
  partial: ['Responder', 'PartialLogout'],
  failed: ['Responder', 'RequestDenied'],
};

/** The entity that a response says to come from: only to find its registration by. */
export function claimedLogoutResponder(message: ReceivedMessage): string {
  return claimedIssuer(message, 'LogoutResponse');
}

export interface ExpectedLogoutResponse extends ExpectedLogout {
  /** The request of ours that it must answer. */
  readonly requestId: string;
}

/**
 * What a partner has done upon our request. Without its signature it is nobody's (SAML Profiles §4.4.4.2).
 * @throws SamlRefusal
 */
export function readLogoutResponse(message: ReceivedMessage, expected: ExpectedLogoutResponse): LogoutOutcome {
  const { partner, destination, requestId, now } = expected;
  if (message.parameter !== 'SAMLResponse') throw new SamlRefusal('parameter_misplaced');
  const response = signedMessage(message, keysOf(partner));
  if (!response) throw new SamlRefusal('signature_missing');
  checkKind(response, 'LogoutResponse');
  checkIssueInstant(readHeader(response), now);
  checkIssuer(response, partner.entityId);
  checkDestination(response, destination, true);
  if (response.attribute('InResponseTo') !== requestId) throw new SamlRefusal('response_of_other_request');
  const { level, code } = readStatus(response);
  if (code === 'PartialLogout') return 'partial';
  return level === 'Success' ? 'done' : 'failed';
}

export interface NewLogoutResponse {
  /** Our entity. */
  readonly issuer: string;
  /** Where it goes: an endpoint of the partner. */
  readonly destination: string;
  /** The request that it answers. */
  readonly requestId: string;
  readonly outcome: LogoutOutcome;
  readonly now: Date;
}

/** To be signed by the binding that carries it. */
export function writeLogoutResponse({
  issuer,
  destination,
  requestId,
  outcome,
  now,
}: NewLogoutResponse): OutgoingMessage {
  const id = newMessageId();
  const attributes = { ...headerAttributes({ id, destination, now }), InResponseTo: requestId };
  const root = tag('samlp:LogoutResponse', attributes, issuerTag(issuer), statusTag(...STATUSES[outcome]));
  return { parameter: 'SAMLResponse', id, destination, xml: writeXml(root) };
}
