import { X509Certificate } from 'node:crypto';
import type { JWK } from 'jose';

/**
 * Certificates of clients, from 2025 until 2125. All but the self-signed ones are by one authority, which no test
 * needs: the proxy verifies chains. Made with `openssl ca`; their keys are not kept, since the proxy does the
 * handshake.
 */
export const CERTIFICATES = {
  /** Of the application. */
  first: `-----BEGIN CERTIFICATE-----
MIICFjCCAbygAwIBAgIBAjAKBggqhkjOPQQDAjAkMSIwIAYDVQQDDBlUZXN0IGF1
dGhvcml0eSBvZiBjbGllbnRzMCAXDTI1MDEwMTAwMDAwMFoYDzIxMjUwMTAxMDAw
MDAwWjBOMQswCQYDVQQGEwJERTEeMBwGA1UECgwVQmFuaywgw4RyZ2VyIC8gU8O2
aG5lMQwwCgYDVQQLDANBK0IxETAPBgNVBAMMCGNsaWVudC0xMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAE/u3jSPg/L+ns95CXHnWlFmHgRNonj3SblXvjaiNVDIvl
GLhSOPZ03bsXU1rzCgHmDLYtGtn470GomaC9nA64z6OBsjCBrzBWBgNVHREETzBN
ghBjbGllbnQuYmFuay50ZXN0hhJ1cm46ZXhhbXBsZTpjbGllbnSHBMAAAgeHECAB
DbgAAAAAAAAAAAAAAAeBDW9wc0BiYW5rLnRlc3QwHQYDVR0OBBYEFOwH9G4zmMmc
5nOPKE2Kttfe+mifMDYGA1UdIwQvMC2hKKQmMCQxIjAgBgNVBAMMGVRlc3QgYXV0
aG9yaXR5IG9mIGNsaWVudHOCAQEwCgYIKoZIzj0EAwIDSAAwRQIgJ9UYBDqjoFmw
2uEb4o9Hbj5CWc1cz5OqdpWZuQjQPuUCIQDLoUHOauzDB3Im+fQ+LaddudZVqqEy
pnHKpzz6hzhKfg==
-----END CERTIFICATE-----
`,
  /** With the same names and another key. */
  renewed: `-----BEGIN CERTIFICATE-----
MIICFzCCAbygAwIBAgIBAzAKBggqhkjOPQQDAjAkMSIwIAYDVQQDDBlUZXN0IGF1
dGhvcml0eSBvZiBjbGllbnRzMCAXDTI1MDEwMTAwMDAwMFoYDzIxMjUwMTAxMDAw
MDAwWjBOMQswCQYDVQQGEwJERTEeMBwGA1UECgwVQmFuaywgw4RyZ2VyIC8gU8O2
aG5lMQwwCgYDVQQLDANBK0IxETAPBgNVBAMMCGNsaWVudC0xMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEuql4Knw7VKZhmjK+wQ2rNjfD6oyF06ohDGN9ba0pNchF
iw0fZhxY1shytY5mErLJNeNOZY1Z4csjd5W2g2OBTKOBsjCBrzBWBgNVHREETzBN
ghBjbGllbnQuYmFuay50ZXN0hhJ1cm46ZXhhbXBsZTpjbGllbnSHBMAAAgeHECAB
DbgAAAAAAAAAAAAAAAeBDW9wc0BiYW5rLnRlc3QwHQYDVR0OBBYEFNh4L+BRXaPx
+o4Pdkaus+83FnTYMDYGA1UdIwQvMC2hKKQmMCQxIjAgBgNVBAMMGVRlc3QgYXV0
aG9yaXR5IG9mIGNsaWVudHOCAQEwCgYIKoZIzj0EAwIDSQAwRgIhAN8ekwOZRTaa
rFPNwhZ9aWV+rXrkxgtrfp99IsvyNqyyAiEAyAVJ23B3z6oW33gfj3gW4glmeO1L
khkvc+tW9g3wfww=
-----END CERTIFICATE-----
`,
  /** Of another application, with a wildcard. */
  other: `-----BEGIN CERTIFICATE-----
MIIBtjCCAVygAwIBAgIBBDAKBggqhkjOPQQDAjAkMSIwIAYDVQQDDBlUZXN0IGF1
dGhvcml0eSBvZiBjbGllbnRzMCAXDTI1MDEwMTAwMDAwMFoYDzIxMjUwMTAxMDAw
MDAwWjAwMQswCQYDVQQGEwJERTEOMAwGA1UECgwFT3RoZXIxETAPBgNVBAMMCGNs
aWVudC0yMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESnTBYtwTfJnIHyruoYPp
9QQQ+TXODKZM4HHvZxx91ZFCBd6UQ28rxGHwbjNkusfgsybuRGg5oguU/8MSWcOj
kqNxMG8wFgYDVR0RBA8wDYILKi5iYW5rLnRlc3QwHQYDVR0OBBYEFMYIh4WrTgsv
9Hls0BSbursDU2ldMDYGA1UdIwQvMC2hKKQmMCQxIjAgBgNVBAMMGVRlc3QgYXV0
aG9yaXR5IG9mIGNsaWVudHOCAQEwCgYIKoZIzj0EAwIDSAAwRQIhANsY1jKRpjdS
WviH+YlHwd6zWsSvjS3gDQpP4Ip/GCzgAiBG6avOWuFcAtDLvY5wB//qeZhmiIxJ
Hx0P5UsY1HrOsw==
-----END CERTIFICATE-----
`,
  /** With the same names, until February 2025. */
  expired: `-----BEGIN CERTIFICATE-----
MIICFTCCAbqgAwIBAgIBBTAKBggqhkjOPQQDAjAkMSIwIAYDVQQDDBlUZXN0IGF1
dGhvcml0eSBvZiBjbGllbnRzMB4XDTI1MDEwMTAwMDAwMFoXDTI1MDIwMTAwMDAw
MFowTjELMAkGA1UEBhMCREUxHjAcBgNVBAoMFUJhbmssIMOEcmdlciAvIFPDtmhu
ZTEMMAoGA1UECwwDQStCMREwDwYDVQQDDAhjbGllbnQtMTBZMBMGByqGSM49AgEG
CCqGSM49AwEHA0IABMJc3Uyv6mUr0zxx9dSQShcbLxTzuULFsotea1GQA2cZqAFI
GcA5Ul1NWtu9+FP1i2o/1tQFYeApvQKCoqEOs4+jgbIwga8wVgYDVR0RBE8wTYIQ
Y2xpZW50LmJhbmsudGVzdIYSdXJuOmV4YW1wbGU6Y2xpZW50hwTAAAIHhxAgAQ24
AAAAAAAAAAAAAAAHgQ1vcHNAYmFuay50ZXN0MB0GA1UdDgQWBBQkUWxkblVjsu+j
lHM3YXJWVYK13TA2BgNVHSMELzAtoSikJjAkMSIwIAYDVQQDDBlUZXN0IGF1dGhv
cml0eSBvZiBjbGllbnRzggEBMAoGCCqGSM49BAMCA0kAMEYCIQDdk73r1vYC0Ovq
eBCaY8AOpF/zRZ0roVeKjel78pysFwIhAOs6X+gx6y/Q5GHRq5cNbaKXK8ucJy7j
SL+grW9nzJhl
-----END CERTIFICATE-----
`,
  /** Self-signed. */
  selfA: `-----BEGIN CERTIFICATE-----
MIIBCjCBsAIBBjAKBggqhkjOPQQDAjAQMQ4wDAYDVQQDDAVzZWxmQTAgFw0yNTAx
MDEwMDAwMDBaGA8yMTI1MDEwMTAwMDAwMFowEDEOMAwGA1UEAwwFc2VsZkEwWTAT
BgcqhkjOPQIBBggqhkjOPQMBBwNCAAT4Ck9ZWUJT5tbp6E6e7KviqxjrDbIEsC/7
InjilofLSh86FQCuVsOtrTlJMTgMqCNxFAW1KQbGAyHyC9X7bv5JMAoGCCqGSM49
BAMCA0kAMEYCIQCaXZ05j5Dj9/lRwC0EcvIAwmCB4pdiX2ZWgjPCR5vs7QIhAKOl
3WICZ8fsRwWlijOF8JX2ovs0mFaF7CkdTyt4ta4t
-----END CERTIFICATE-----
`,
  /** Another one, self-signed. */
  selfB: `-----BEGIN CERTIFICATE-----
MIIBCTCBsAIBBzAKBggqhkjOPQQDAjAQMQ4wDAYDVQQDDAVzZWxmQjAgFw0yNTAx
MDEwMDAwMDBaGA8yMTI1MDEwMTAwMDAwMFowEDEOMAwGA1UEAwwFc2VsZkIwWTAT
BgcqhkjOPQIBBggqhkjOPQMBBwNCAATNYF5fb9Z+Jf6Il6KIM9EfXWoJyqJ9qRPo
JJbgRERml84u2WWHRMw9ELA2i6naOOrjY9ws79xqjM1PvVE1evHhMAoGCCqGSM49
BAMCA0gAMEUCIQC0f+biA+i0mg9iaX6/fJHEwSDLcWL+BMD6j4eIctPiJAIgRPv9
D3NF63Z10MLiIfKbViLkeCA5VluPtnSjqE0QJww=
-----END CERTIFICATE-----
`,
} as const;

export const SUBJECT = String.raw`CN=client-1,OU=A\+B,O=Bank\, Ärger / Söhne,C=DE`;

/** DER in base64. */
export function base64Of(pem: string): string {
  return pem.replace(/-----[A-Z ]+-----|\s/g, '');
}

/** DER in base64, with a public key that is on no curve. */
export function withUnreadableKey(pem: string): string {
  const { raw, publicKey } = new X509Certificate(pem);
  const { x } = publicKey.export({ format: 'jwk' });
  raw[raw.indexOf(Buffer.from(x!, 'base64url'))]! ^= 1;
  return raw.toString('base64');
}

/** Its key as a JSON Web Key that brings the certificate along (RFC 7517 §4.7). */
export function keyWith(pem: string, kid: string): JWK {
  return { ...(new X509Certificate(pem).publicKey.export({ format: 'jwk' }) as JWK), kid, x5c: [base64Of(pem)] };
}

/** How proxies write a certificate into a header. */
export const FORMATS = {
  'Client-Cert (RFC 9440)': (pem: string): string => `:${base64Of(pem)}:`,
  'nginx, $ssl_client_escaped_cert': (pem: string): string => encodeURIComponent(pem),
  'HAProxy, %[ssl_c_der,base64], and Caddy, certificate_der_base64': base64Of,
  'Envoy, x-forwarded-client-cert': (pem: string): string =>
    `By=spiffe://proxy;Hash=468ed33be74eee6556d90c0149c1309e9ba61d6425303443c0748a02dd8de688;Cert="${encodeURIComponent(pem)}";Subject="/C=DE,O=\\"Bank; AG\\"";URI=urn:example:client`,
} as const;
