import type { Partner } from '../protocol/partner.js';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { booleanOf } from '../xml/schema-values.js';
import {
  type Endpoint,
  type EndpointRules,
  type IndexedEndpoint,
  readEndpoints,
  readIndexedEndpoints,
} from './endpoint.js';
import { nameIdFormatsOf, readEntityRole, signingCertificatesOf } from './entity.js';

/**
 * A service provider as its metadata describes it (SAML Metadata §2.4.4): an application that signs people in by us.
 */
export interface ServiceProvider extends Partner {
  /** Where assertions may go, and nowhere else: of the POST binding, in the order of the document. At least one. */
  readonly assertionConsumers: readonly IndexedEndpoint[];
  readonly logoutEndpoints: readonly Endpoint[];
  readonly nameIdFormats: readonly string[];
  /** Requests without a signature are not theirs. */
  readonly authnRequestsSigned: boolean;
  /** We sign assertions always. */
  readonly wantAssertionsSigned: boolean;
  readonly validUntil: Date | undefined;
}

/** @throws SamlRefusal `metadata_…`, `certificate_unusable`, `element_…`, `value_malformed`, `xml_…` */
export function readServiceProvider(octets: Uint8Array, now: Date, rules: EndpointRules = {}): ServiceProvider {
  const { entityId, role, validUntil } = readEntityRole(octets, 'SPSSODescriptor', now);
  const signingCertificates = signingCertificatesOf(role);
  const authnRequestsSigned = booleanOf(role, 'AuthnRequestsSigned') ?? false;
  if (authnRequestsSigned && signingCertificates.length === 0) throw new SamlRefusal('metadata_certificate_missing');
  const assertionConsumers = readIndexedEndpoints(role.all(NS.metadata, 'AssertionConsumerService'), rules).filter(
    ({ binding }) => binding === 'post',
  );
  if (assertionConsumers.length === 0) throw new SamlRefusal('metadata_endpoint_missing', 'AssertionConsumerService');
  return {
    entityId,
    assertionConsumers,
    logoutEndpoints: readEndpoints(role.all(NS.metadata, 'SingleLogoutService'), rules),
    signingCertificates,
    nameIdFormats: nameIdFormatsOf(role),
    authnRequestsSigned,
    wantAssertionsSigned: booleanOf(role, 'WantAssertionsSigned') ?? false,
    validUntil,
  };
}
