import type { OutgoingMessage } from '../bindings/message.js';
import { headerAttributes, issuerTag } from '../protocol/message-header.js';
import { newMessageId } from '../protocol/message-id.js';
import { type NameId, nameIdTag } from '../protocol/name-id.js';
import { BINDING } from '../protocol/uris.js';
import { type Tag, tag, writeXml } from '../xml/write-xml.js';

/** What we ask of an identity provider. */
export interface NewAuthnRequest {
  /** Made up if there is none: a letter or `_`, and what is random. */
  readonly id?: string;
  /** Our entity. */
  readonly issuer: string;
  /** Where it goes: an endpoint of the identity provider. */
  readonly destination: string;
  readonly assertionConsumerUrl: string;
  readonly now: Date;
  readonly forceAuthn?: boolean;
  readonly isPassive?: boolean;
  /** The kind of name that we want to know them under. */
  readonly nameIdFormat?: string;
  /** Classes, one of which must be reached, best first. */
  readonly authnContexts?: readonly string[];
  /** Whom we expect, by their name there. */
  readonly subject?: NameId;
}

/** SAML Profiles §4.1.4.1. Its id is what the response must be to. */
export function writeAuthnRequest(request: NewAuthnRequest): OutgoingMessage {
  const { id = newMessageId(), issuer, destination, assertionConsumerUrl, now, forceAuthn, isPassive } = request;
  const attributes = {
    ...headerAttributes({ id, destination, now }),
    ForceAuthn: forceAuthn === true ? true : undefined,
    IsPassive: isPassive === true ? true : undefined,
    ProtocolBinding: BINDING.post,
    AssertionConsumerServiceURL: assertionConsumerUrl,
  };
  const content = [issuerTag(issuer), ...demands(request)];
  return { parameter: 'SAMLRequest', id, destination, xml: writeXml(tag('samlp:AuthnRequest', attributes, content)) };
}

/** In the order of the schema. */
function demands({ subject, nameIdFormat, authnContexts = [] }: NewAuthnRequest): Tag[] {
  const references = authnContexts.map((uri) => tag('saml:AuthnContextClassRef', {}, uri));
  return [
    subject && tag('saml:Subject', {}, nameIdTag(subject)),
    // Without this, some identity providers know nobody whom they have not named to us before (SAML Core §3.4.1.1).
    tag('samlp:NameIDPolicy', { Format: nameIdFormat, AllowCreate: true }),
    references.length === 0 ? undefined : tag('samlp:RequestedAuthnContext', { Comparison: 'exact' }, references),
  ].filter((one) => one !== undefined);
}
