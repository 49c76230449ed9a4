import { X509Certificate } from 'node:crypto';

/** A self-signed certificate of a client, until 2125. Its key is not kept: the proxy, which the load generator plays, does the handshake. */
const PEM = `-----BEGIN CERTIFICATE-----
MIIBCjCBsAIBBjAKBggqhkjOPQQDAjAQMQ4wDAYDVQQDDAVzZWxmQTAgFw0yNTAx
MDEwMDAwMDBaGA8yMTI1MDEwMTAwMDAwMFowEDEOMAwGA1UEAwwFc2VsZkEwWTAT
BgcqhkjOPQIBBggqhkjOPQMBBwNCAAT4Ck9ZWUJT5tbp6E6e7KviqxjrDbIEsC/7
InjilofLSh86FQCuVsOtrTlJMTgMqCNxFAW1KQbGAyHyC9X7bv5JMAoGCCqGSM49
BAMCA0kAMEYCIQCaXZ05j5Dj9/lRwC0EcvIAwmCB4pdiX2ZWgjPCR5vs7QIhAKOl
3WICZ8fsRwWlijOF8JX2ovs0mFaF7CkdTyt4ta4t
-----END CERTIFICATE-----
`;

/** As nginx sends it. */
export const CERTIFICATE_HEADERS = { 'X-Client-Cert': encodeURIComponent(PEM) };

/** The key set with which a client registers it (RFC 8705 §2.2.2). */
export function certificateKeySet() {
  const x509 = new X509Certificate(PEM);
  return { keys: [{ ...x509.publicKey.export({ format: 'jwk' }), x5c: [x509.raw.toString('base64')] }] };
}
