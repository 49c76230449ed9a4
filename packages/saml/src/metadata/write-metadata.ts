import { newMessageId } from '../protocol/message-id.js';
import { BINDING, PROTOCOL_SAML2 } from '../protocol/uris.js';
import type { Certificate } from '../signature/certificate.js';
import { signXml } from '../signature/sign-xml.js';
import type { SigningKey } from '../signature/signing-key.js';
import { type Tag, tag, writeXml } from '../xml/write-xml.js';
import type { EndpointBinding } from './endpoint.js';

/** An address of ours. */
export interface OurEndpoint {
  readonly binding: EndpointBinding;
  readonly url: string;
}

/** What both of our roles say. */
interface OurEntity {
  readonly entityId: string;
  /** The one that signs now and the one that will: partners take signatures of either. */
  readonly certificates: readonly Certificate[];
  readonly logoutEndpoints: readonly OurEndpoint[];
  readonly nameIdFormats: readonly string[];
  readonly validUntil?: Date;
  /** The document is signed if there is a key. */
  readonly key?: SigningKey;
}

export interface OurIdentityProvider extends OurEntity {
  readonly signOnEndpoints: readonly OurEndpoint[];
  readonly wantAuthnRequestsSigned: boolean;
}

export interface OurServiceProvider extends OurEntity {
  readonly assertionConsumerUrl: string;
  readonly authnRequestsSigned: boolean;
}

/** SAML Metadata §2.4.3 */
export function writeIdentityProvider(entity: OurIdentityProvider): string {
  return writeEntity(
    entity,
    tag(
      'md:IDPSSODescriptor',
      { WantAuthnRequestsSigned: entity.wantAuthnRequestsSigned, protocolSupportEnumeration: PROTOCOL_SAML2 },
      ...commonParts(entity),
      endpointTags('md:SingleSignOnService', entity.signOnEndpoints),
    ),
  );
}

/** SAML Metadata §2.4.4. Assertions without a signature are never taken, unless the response around them has one. */
export function writeServiceProvider(entity: OurServiceProvider): string {
  const consumer = { Binding: BINDING.post, Location: entity.assertionConsumerUrl, index: 0, isDefault: true };
  return writeEntity(
    entity,
    tag(
      'md:SPSSODescriptor',
      {
        AuthnRequestsSigned: entity.authnRequestsSigned,
        WantAssertionsSigned: true,
        protocolSupportEnumeration: PROTOCOL_SAML2,
      },
      ...commonParts(entity),
      tag('md:AssertionConsumerService', consumer),
    ),
  );
}

function writeEntity({ entityId, validUntil, key }: OurEntity, role: Tag): string {
  const id = newMessageId();
  const xml = writeXml(tag('md:EntityDescriptor', { ID: id, entityID: entityId, validUntil }, role));
  return key ? signXml(xml, { id, hasIssuer: false }, key) : xml;
}

/** In the order of the schema. */
function commonParts({ certificates, logoutEndpoints, nameIdFormats }: OurEntity): Tag[][] {
  return [
    certificates.map(keyTag),
    endpointTags('md:SingleLogoutService', logoutEndpoints),
    nameIdFormats.map((format) => tag('md:NameIDFormat', {}, format)),
  ];
}

function keyTag({ base64 }: Certificate): Tag {
  const data = tag('ds:X509Data', {}, tag('ds:X509Certificate', {}, base64));
  return tag('md:KeyDescriptor', { use: 'signing' }, tag('ds:KeyInfo', {}, data));
}

function endpointTags(
  name: 'md:SingleSignOnService' | 'md:SingleLogoutService',
  endpoints: readonly OurEndpoint[],
): Tag[] {
  return endpoints.map(({ binding, url }) => tag(name, { Binding: BINDING[binding], Location: url }));
}
