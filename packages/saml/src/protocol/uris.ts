/** SAML Bindings §3 */
export const BINDING = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
} as const;

/** SAML Core §8.3 */
export const NAME_ID_FORMAT = {
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  entity: 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
} as const;

/** SAML Authentication Context §3.4, and the profiles of REFEDS for one and for several factors. */
export const AUTHN_CONTEXT = {
  unspecified: 'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified',
  password: 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
  passwordProtectedTransport: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
  refedsSfa: 'https://refeds.org/profile/sfa',
  refedsMfa: 'https://refeds.org/profile/mfa',
} as const;

/** SAML Core §3.3.2.2.1, §2.7.3.1 and SAML Profiles §3.3, §4.1 */
export const CONFIRMATION_BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
export const PROTOCOL_SAML2 = 'urn:oasis:names:tc:SAML:2.0:protocol';

/** SAML Core §8.2 */
export const ATTRIBUTE_NAME_FORMAT = {
  unspecified: 'urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified',
  uri: 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  basic: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
} as const;

/** SAML Core §8.3.6: no identifier of an entity is longer. */
export const MAX_ENTITY_ID_LENGTH = 1024;
