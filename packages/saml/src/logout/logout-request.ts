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
  SKEW_MS,
} from '../protocol/message-header.js';
import { newMessageId } from '../protocol/message-id.js';
import { type NameId, nameIdIn, nameIdTag } from '../protocol/name-id.js';
import { keysOf, type Partner } from '../protocol/partner.js';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { instantOf } from '../xml/schema-values.js';
import { tag, writeXml } from '../xml/write-xml.js';

/** A browser brings the request at once. An old one was kept by somebody. */
const LIFETIME_MS = 5 * 60_000;

/** Whose sessions a partner wants to end. */
export interface LogoutRequest {
  readonly id: string;
  readonly nameId: NameId;
  /** Which of them; all if there are none (SAML Core §3.7.1). */
  readonly sessionIndexes: readonly string[];
}

/** The entity that a request says to come from: only to find its registration by. */
export function claimedLogoutIssuer(message: ReceivedMessage): string {
  return claimedIssuer(message, 'LogoutRequest');
}

export interface ExpectedLogout {
  readonly partner: Partner;
  /** Our address that the message came to. */
  readonly destination: string;
  readonly now: Date;
}

/**
 * A request for logout by a registered partner. Without its signature it is nobody's (SAML Profiles §4.4.3.1), and all
 * values are those that were signed. Whether the partner knows that person under that name is for the caller to find
 * out.
 * @throws SamlRefusal
 */
export function readLogoutRequest(
  message: ReceivedMessage,
  { partner, destination, now }: ExpectedLogout,
): LogoutRequest {
  if (message.parameter !== 'SAMLRequest') throw new SamlRefusal('parameter_misplaced');
  const request = signedMessage(message, keysOf(partner));
  if (!request) throw new SamlRefusal('signature_missing');
  checkKind(request, 'LogoutRequest');
  const header = readHeader(request);
  checkIssueInstant(header, now);
  checkIssuer(request, partner.entityId);
  checkDestination(request, destination, true);
  if (header.issueInstant.getTime() < now.getTime() - LIFETIME_MS) throw new SamlRefusal('issued_long_ago');
  const end = instantOf(request, 'NotOnOrAfter');
  if (end && end.getTime() <= now.getTime() - SKEW_MS) throw new SamlRefusal('message_expired');
  const nameId = nameIdIn(request);
  if (!nameId) throw new SamlRefusal('element_missing', 'NameID in LogoutRequest');
  return { id: header.id, nameId, sessionIndexes: request.all(NS.protocol, 'SessionIndex').map((index) => index.text) };
}

export interface NewLogoutRequest {
  /** Our entity. */
  readonly issuer: string;
  /** Where it goes: an endpoint of the partner. */
  readonly destination: string;
  /** As in the assertion. */
  readonly nameId: NameId;
  readonly sessionIndexes: readonly string[];
  readonly now: Date;
}

/** To be signed by the binding that carries it. */
export function writeLogoutRequest(request: NewLogoutRequest): OutgoingMessage {
  const { issuer, destination, nameId, sessionIndexes, now } = request;
  const id = newMessageId();
  const attributes = {
    ...headerAttributes({ id, destination, now }),
    NotOnOrAfter: new Date(now.getTime() + LIFETIME_MS),
  };
  const indexes = sessionIndexes.map((index) => tag('samlp:SessionIndex', {}, index));
  const root = tag('samlp:LogoutRequest', attributes, issuerTag(issuer), nameIdTag(nameId), indexes);
  return { parameter: 'SAMLRequest', id, destination, xml: writeXml(root) };
}
