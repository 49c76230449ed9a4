import { MAX_ENTITY_ID_LENGTH, PROTOCOL_SAML2 } from '../protocol/uris.js';
import { SamlRefusal } from '../refusal.js';
import { type Certificate, readCertificate } from '../signature/certificate.js';
import { NS } from '../xml/namespaces.js';
import { readXml } from '../xml/read-xml.js';
import { instantOf } from '../xml/schema-values.js';
import type { XmlElement } from '../xml/xml-element.js';

/** An entity in the role that was asked for. */
export interface EntityRole {
  readonly entityId: string;
  readonly role: XmlElement;
  /** Until when the document may be believed; undefined if it does not say. */
  readonly validUntil: Date | undefined;
}

/**
 * The entity of a document of metadata: the one in it, also if it stands in a list (SAML Metadata §2.3).
 * @throws SamlRefusal `metadata_…`, `value_malformed`, `xml_…`
 */
export function readEntityRole(octets: Uint8Array, roleName: string, now: Date): EntityRole {
  const root = readXml(octets);
  const entity = entityIn(root);
  const role = roleOf(entity, roleName);
  const entityId = entity.requiredAttribute('entityID').trim();
  if (entityId === '' || entityId.length > MAX_ENTITY_ID_LENGTH) throw new SamlRefusal('value_malformed', 'entityID');
  return { entityId, role, validUntil: validUntil([root, entity, role], now) };
}

function entityIn(root: XmlElement): XmlElement {
  if (root.is(NS.metadata, 'EntityDescriptor')) return root;
  if (!root.is(NS.metadata, 'EntitiesDescriptor')) throw new SamlRefusal('element_unexpected', 'instead of metadata');
  const [entity, second] = root.all(NS.metadata, 'EntityDescriptor');
  const hasLists = root.all(NS.metadata, 'EntitiesDescriptor').length > 0;
  if (!entity || second || hasLists) throw new SamlRefusal('metadata_several_entities');
  return entity;
}

/** SAML Metadata §2.4: a role speaks the protocols that it lists. */
function roleOf(entity: XmlElement, name: string): XmlElement {
  const [role, second] = entity
    .all(NS.metadata, name)
    .filter((one) => one.attribute('protocolSupportEnumeration')?.split(/\s+/).includes(PROTOCOL_SAML2));
  if (!role) throw new SamlRefusal('metadata_role_missing', name);
  if (second) throw new SamlRefusal('metadata_several_roles', name);
  return role;
}

/** The earliest of them. */
function validUntil(elements: readonly XmlElement[], now: Date): Date | undefined {
  const ends = elements
    .map((element) => instantOf(element, 'validUntil')?.getTime())
    .filter((end) => end !== undefined);
  if (ends.length === 0) return undefined;
  const end = new Date(Math.min(...ends));
  if (end <= now) throw new SamlRefusal('metadata_expired');
  return end;
}

/**
 * Those that the role signs with, each once. SAML Metadata §2.4.1.1: a key without `use` is for signing and encryption.
 * To take it for encryption alone would leave signatures unverified (CVE-2026-16443).
 * @throws SamlRefusal `certificate_unusable`
 */
export function signingCertificatesOf(role: XmlElement): Certificate[] {
  const certificates = role
    .all(NS.metadata, 'KeyDescriptor')
    .filter((descriptor) => (descriptor.attribute('use') ?? 'signing') === 'signing')
    .flatMap((descriptor) => certificateOf(descriptor) ?? []);
  return [...new Map(certificates.map((one) => [one.fingerprint, one])).values()];
}

/** The first one: those behind it are of its issuers. A bare key (`ds:KeyValue`) is not taken. */
function certificateOf(descriptor: XmlElement): Certificate | undefined {
  const [certificate] = descriptor
    .required(NS.signature, 'KeyInfo')
    .all(NS.signature, 'X509Data')
    .flatMap((data) => data.all(NS.signature, 'X509Certificate'));
  return certificate && readCertificate(certificate.text);
}

export function nameIdFormatsOf(role: XmlElement): string[] {
  return [...new Set(role.all(NS.metadata, 'NameIDFormat').map((format) => format.token))];
}
