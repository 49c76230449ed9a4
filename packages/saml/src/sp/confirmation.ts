import { SKEW_MS } from '../protocol/message-header.js';
import { CONFIRMATION_BEARER } from '../protocol/uris.js';
import { type ResponseReason, SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { instantOf } from '../xml/schema-values.js';
import type { XmlElement } from '../xml/xml-element.js';

export interface ExpectedConfirmation {
  readonly requestId: string;
  readonly recipient: string;
  readonly now: Date;
}

/**
 * SAML Profiles §4.1.4.3: whoever brings the assertion is the person if one of its confirmations is for a bearer who
 * brings it to us, in time, as the answer to our request. `Address` is not looked at: people change networks.
 * @throws SamlRefusal `confirmation_…`, `recipient_other`, `response_…`; why the first does not hold, if none does
 */
export function checkConfirmation(subject: XmlElement, expected: ExpectedConfirmation): void {
  const reasons = subject
    .all(NS.assertion, 'SubjectConfirmation')
    .filter((confirmation) => confirmation.attribute('Method') === CONFIRMATION_BEARER)
    .map((confirmation) => {
      const data = confirmation.optional(NS.assertion, 'SubjectConfirmationData');
      return data ? whyNot(data, expected) : 'confirmation_missing';
    });
  if (reasons.includes(undefined)) return;
  throw new SamlRefusal(reasons[0] ?? 'confirmation_missing', 'SubjectConfirmation');
}

function whyNot(data: XmlElement, { requestId, recipient, now }: ExpectedConfirmation): ResponseReason | undefined {
  if (data.attribute('Recipient') !== recipient) return 'recipient_other';
  const inResponseTo = data.attribute('InResponseTo');
  if (inResponseTo === undefined) return 'response_unsolicited';
  if (inResponseTo !== requestId) return 'response_of_other_request';
  const end = instantOf(data, 'NotOnOrAfter');
  if (!end || end.getTime() <= now.getTime() - SKEW_MS) return 'confirmation_expired';
  const begin = instantOf(data, 'NotBefore');
  return begin && begin.getTime() > now.getTime() + SKEW_MS ? 'confirmation_early' : undefined;
}
