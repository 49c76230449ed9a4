import type { ReceivedMessage } from '../bindings/message.js';
import {
  checkDestination,
  checkIssueInstant,
  checkIssuer,
  checkKind,
  issuerOf,
  readHeader,
} from '../protocol/message-header.js';
import { type NameId, nameIdIn } from '../protocol/name-id.js';
import type { Partner } from '../protocol/partner.js';
import { readStatus, type Status } from '../protocol/status.js';
import { SamlRefusal } from '../refusal.js';
import type { SignedElement } from '../signature/read-signed.js';
import { NS } from '../xml/namespaces.js';
import type { XmlElement } from '../xml/xml-element.js';
import { type ReceivedAttribute, readAttributes } from './attributes.js';
import { type Authentication, readAuthentication } from './authentication.js';
import { checkConditions } from './conditions.js';
import { checkConfirmation } from './confirmation.js';
import { signedParts } from './signed-parts.js';

/** What we wait for: the answer to one request of ours, by the provider that it went to. */
export interface ExpectedResponse {
  readonly provider: Partner;
  readonly requestId: string;
  /** The address of ours that the response came to, which the request has named. */
  readonly recipient: string;
  /** Our entity. */
  readonly audience: string;
  /** The person must have proved who they are since then: for `prompt=login` and `max_age`. */
  readonly authenticatedAfter?: Date;
  readonly now: Date;
}

/** Who has signed in there, as signed by the provider. */
export interface SignedInPerson extends Authentication {
  readonly assertionId: string;
  /** Undefined if the assertion has none; attributes may say who it is then. */
  readonly nameId: NameId | undefined;
  readonly attributes: readonly ReceivedAttribute[];
}

/** The provider has signed in nobody. */
export class SignInFailed extends SamlRefusal {
  constructor(readonly status: Status) {
    super('status_failed', [status.level, status.code].filter((word) => word !== undefined).join(' '));
  }
}

/**
 * The request that a response says to answer: only to find the turn by. Nothing is verified.
 * @throws SamlRefusal `binding_unsupported`, `element_unexpected`, `response_unsolicited`
 */
export function claimedRequestId({ parameter, binding, root }: ReceivedMessage): string {
  // SAML Profiles §4.1.2: a response never comes in a query.
  if (binding !== 'post') throw new SamlRefusal('binding_unsupported');
  if (parameter !== 'SAMLResponse') throw new SamlRefusal('parameter_misplaced');
  checkKind(root, 'Response');
  const requestId = root.attribute('InResponseTo');
  if (!requestId) throw new SamlRefusal('response_unsolicited');
  return requestId;
}

/**
 * The person whom the provider has signed in (SAML Profiles §4.1.4.3). Each thing that does not hold has its own
 * reason. That a request is answered once, and in the browser that left with it, is for the caller to see to.
 * @throws SignInFailed if the provider says that it has signed in nobody
 * @throws SamlRefusal
 */
export function readResponse(message: ReceivedMessage, expected: ExpectedResponse): SignedInPerson {
  if (claimedRequestId(message) !== expected.requestId) throw new SamlRefusal('response_of_other_request');
  checkStatus(message.root);
  const { response, assertion } = signedParts(message, expected.provider);
  checkResponse(response ?? message.root, response !== undefined, expected);
  return readAssertion(assertion, expected);
}

/** Before signatures, since a response without an assertion often has none. Nobody gains by telling us of a failure. */
function checkStatus(response: XmlElement): void {
  const status = readStatus(response);
  if (status.level !== 'Success') throw new SignInFailed(status);
}

function checkResponse(response: XmlElement, isSigned: boolean, expected: ExpectedResponse): void {
  checkIssueInstant(readHeader(response), expected.now);
  // SAML Profiles §4.1.4.2: the issuer may be left out if the assertion alone is signed.
  if (isSigned || issuerOf(response) !== undefined) checkIssuer(response, expected.provider.entityId);
  checkDestination(response, expected.recipient, isSigned);
  // What was compared before anything was verified.
  if (response.attribute('InResponseTo') !== expected.requestId) throw new SamlRefusal('response_of_other_request');
  checkStatus(response);
}

function readAssertion(assertion: SignedElement, expected: ExpectedResponse): SignedInPerson {
  const { provider, audience, now, authenticatedAfter } = expected;
  const header = readHeader(assertion);
  checkIssueInstant(header, now);
  checkIssuer(assertion, provider.entityId);
  const subject = assertion.required(NS.assertion, 'Subject');
  checkConfirmation(subject, expected);
  checkConditions(assertion, audience, now);
  return {
    ...readAuthentication(assertion, now, authenticatedAfter),
    assertionId: header.id,
    nameId: nameIdIn(subject),
    attributes: readAttributes(assertion),
  };
}
