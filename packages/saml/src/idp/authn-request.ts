import { type ReceivedMessage, signedMessage } from '../bindings/message.js';
import type { ServiceProvider } from '../metadata/service-provider.js';
import { checkDestination, checkIssuer, checkKind, claimedIssuer, readHeader } from '../protocol/message-header.js';
import { type NameId, nameIdIn } from '../protocol/name-id.js';
import { keysOf } from '../protocol/partner.js';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { booleanOf } from '../xml/schema-values.js';
import type { XmlElement } from '../xml/xml-element.js';
import type { AnswerAddress, Failure } from './answer.js';
import { chooseAssertionConsumer } from './assertion-consumer.js';
import { type AuthnContextDemand, readAuthnContextDemand } from './authn-context.js';
import { type NameIdDemand, readNameIdDemand } from './name-id-policy.js';

/** What a service provider asks for. */
export interface AuthnRequest {
  readonly answer: AnswerAddress;
  /** As `prompt=login`. */
  readonly forceAuthn: boolean;
  /** As `prompt=none`. */
  readonly isPassive: boolean;
  readonly nameId: NameIdDemand;
  readonly authnContext: AuthnContextDemand | undefined;
  /** Whom it expects (SAML Core §3.4.1). Nobody else may be asserted. */
  readonly subject: NameId | undefined;
}

/** A request, or what its sender is told instead. */
export type AuthnRequestResult =
  | { readonly kind: 'accepted'; readonly request: AuthnRequest }
  | { readonly kind: 'failed'; readonly answer: AnswerAddress; readonly failure: Failure };

/**
 * The service provider that a request says to come from: only to find its registration by.
 * @throws SamlRefusal `element_unexpected`, `issuer_missing`
 */
export function claimedServiceProvider(message: ReceivedMessage): string {
  return claimedIssuer(message, 'AuthnRequest');
}

export interface ExpectedRequest {
  readonly serviceProvider: ServiceProvider;
  /** Our address that the request came to. */
  readonly destination: string;
}

/**
 * A request of a registered service provider. Whatever is thrown is for a page: there is no address yet that an answer
 * may go to. If it is signed, all values are those that were signed. `Scoping`, `Conditions` and extensions are passed
 * over. When it was issued says nothing: who has an old one could have had a new one.
 * @throws SamlRefusal
 */
export function readAuthnRequest(message: ReceivedMessage, expected: ExpectedRequest): AuthnRequestResult {
  const { serviceProvider, destination } = expected;
  if (message.parameter !== 'SAMLRequest') throw new SamlRefusal('parameter_misplaced');
  const signed = signedMessage(message, keysOf(serviceProvider));
  if (!signed && serviceProvider.authnRequestsSigned) throw new SamlRefusal('signature_missing');
  const request = signed ?? message.root;
  checkKind(request, 'AuthnRequest');
  const { id } = readHeader(request);
  checkIssuer(request, serviceProvider.entityId);
  checkDestination(request, destination, signed !== undefined);
  const url = chooseAssertionConsumer(request, serviceProvider);
  return readDemands(request, { url, serviceProvider: serviceProvider.entityId, requestId: id });
}

function readDemands(request: XmlElement, answer: AnswerAddress): AuthnRequestResult {
  const subject = request.optional(NS.assertion, 'Subject');
  const nameId = readNameIdDemand(request, answer.serviceProvider);
  if (nameId === 'unsatisfiable') return { kind: 'failed', answer, failure: 'invalidNameIdPolicy' };
  const authnContext = readAuthnContextDemand(request);
  if (authnContext === 'unsatisfiable') return { kind: 'failed', answer, failure: 'noAuthnContext' };
  return {
    kind: 'accepted',
    request: {
      answer,
      forceAuthn: booleanOf(request, 'ForceAuthn') ?? false,
      isPassive: booleanOf(request, 'IsPassive') ?? false,
      nameId,
      authnContext,
      subject: subject && nameIdIn(subject),
    },
  };
}
