import { decodePost } from '../bindings/post.js';
import { decodeRedirect, toRedirectUrl } from '../bindings/redirect.js';
import type { ServiceProvider } from '../metadata/service-provider.js';
import { signXml } from '../signature/sign-xml.js';
import type { SigningKey } from '../signature/signing-key.js';
import { NS } from '../xml/namespaces.js';
import { type AuthnRequestResult, readAuthnRequest } from './authn-request.js';

export const SSO = 'https://gatehouse.test/saml/v2/SSO';
const NOW = new Date('2026-11-30T12:00:00Z');
export const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** A service provider with three addresses, of which the second is the default one. */
export const SERVICE_PROVIDER: ServiceProvider = {
  entityId: 'https://sp.test',
  assertionConsumers: [
    { binding: 'post', url: 'https://sp.test/acs', responseUrl: undefined, index: 0, isDefault: false },
    { binding: 'post', url: 'https://sp.test/acs2', responseUrl: undefined, index: 5, isDefault: true },
    {
      binding: 'post',
      url: 'https://sp.test/acs3',
      responseUrl: 'https://sp.test/answers',
      index: 6,
      isDefault: undefined,
    },
  ],
  logoutEndpoints: [],
  signingCertificates: [],
  nameIdFormats: [],
  authnRequestsSigned: false,
  wantAssertionsSigned: false,
  validUntil: undefined,
};

export function requestXml(attributes = '', content = ''): string {
  return (
    `<samlp:AuthnRequest xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}" ID="_request" Version="2.0" ` +
    `IssueInstant="${NOW.toISOString()}" ${attributes}><saml:Issuer>https://sp.test</saml:Issuer>${content}</samlp:AuthnRequest>`
  );
}

export function readPostedRequest(xml: string, serviceProvider: Partial<ServiceProvider> = {}): AuthnRequestResult {
  const message = decodePost({ SAMLRequest: Buffer.from(xml).toString('base64') });
  return readAuthnRequest(message, expect(serviceProvider));
}

export function readRedirectedRequest(
  xml: string,
  key: SigningKey | undefined,
  serviceProvider: Partial<ServiceProvider> = {},
): AuthnRequestResult {
  const url = toRedirectUrl({ parameter: 'SAMLRequest', id: '_request', destination: SSO, xml }, key ? { key } : {});
  return readAuthnRequest(decodeRedirect(url.slice(url.indexOf('?') + 1)), expect(serviceProvider));
}

export function signRequest(xml: string, key: SigningKey): string {
  return signXml(xml, { id: '_request', hasIssuer: true }, key);
}

function expect(serviceProvider: Partial<ServiceProvider>) {
  return { serviceProvider: { ...SERVICE_PROVIDER, ...serviceProvider }, destination: SSO };
}
