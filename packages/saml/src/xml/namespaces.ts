/** The namespaces of SAML 2.0 and of what it is made of. */
export const NS = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  instance: 'http://www.w3.org/2001/XMLSchema-instance',
  xml: 'http://www.w3.org/XML/1998/namespace',
  xmlns: 'http://www.w3.org/2000/xmlns/',
  xhtml: 'http://www.w3.org/1999/xhtml',
} as const;

/** Under which prefix we write them. */
export const PREFIXES = {
  samlp: NS.protocol,
  saml: NS.assertion,
  md: NS.metadata,
  ds: NS.signature,
} as const;
