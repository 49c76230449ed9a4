import type { Partner } from '../protocol/partner.js';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { booleanOf } from '../xml/schema-values.js';
import { type Endpoint, type EndpointRules, readEndpoints } from './endpoint.js';
import { nameIdFormatsOf, readEntityRole, signingCertificatesOf } from './entity.js';

/** An identity provider as its metadata describes it (SAML Metadata §2.4.3): our people sign in there. */
export interface IdentityProvider extends Partner {
  /** Where requests go. At least one. */
  readonly signOnEndpoints: readonly Endpoint[];
  readonly logoutEndpoints: readonly Endpoint[];
  readonly nameIdFormats: readonly string[];
  readonly wantAuthnRequestsSigned: boolean;
  readonly validUntil: Date | undefined;
}

/**
 * Without a certificate nothing that it says could be believed, so that is refused.
 * @throws SamlRefusal `metadata_…`, `certificate_unusable`, `element_…`, `value_malformed`, `xml_…`
 */
export function readIdentityProvider(octets: Uint8Array, now: Date, rules: EndpointRules = {}): IdentityProvider {
  const { entityId, role, validUntil } = readEntityRole(octets, 'IDPSSODescriptor', now);
  const signingCertificates = signingCertificatesOf(role);
  if (signingCertificates.length === 0) throw new SamlRefusal('metadata_certificate_missing');
  const signOnEndpoints = readEndpoints(role.all(NS.metadata, 'SingleSignOnService'), rules);
  if (signOnEndpoints.length === 0) throw new SamlRefusal('metadata_endpoint_missing', 'SingleSignOnService');
  return {
    entityId,
    signOnEndpoints,
    logoutEndpoints: readEndpoints(role.all(NS.metadata, 'SingleLogoutService'), rules),
    signingCertificates,
    nameIdFormats: nameIdFormatsOf(role),
    wantAuthnRequestsSigned: booleanOf(role, 'WantAuthnRequestsSigned') ?? false,
    validUntil,
  };
}
