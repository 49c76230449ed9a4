import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CERTIFICATES, SUBJECT } from '../../../test/support/certificates.js';
import { type CertificateName, certificateNameProblem, hasName } from './certificate-names.js';

const first = new X509Certificate(CERTIFICATES.first);
const other = new X509Certificate(CERTIFICATES.other);

describe('The name of a certificate (RFC 8705 §2.1.2)', () => {
  it.each<[CertificateName['kind'], string]>([
    ['subject_dn', SUBJECT],
    ['subject_dn', String.raw`cn=client-1, ou=A\2BB, o=Bank\2C \C3\84rger / S\C3\B6hne, c=DE`],
    ['subject_dn', String.raw`2.5.4.3=client-1,2.5.4.11=A\+B,2.5.4.10=Bank\, Ärger / Söhne,2.5.4.6=DE`],
    ['san_dns', 'client.bank.test'],
    ['san_dns', 'CLIENT.bank.test'],
    ['san_uri', 'urn:example:client'],
    ['san_ip', '192.0.2.7'],
    ['san_ip', '2001:db8:0::7'],
    ['san_email', 'ops@bank.test'],
  ])('is found: %s %s', (kind, value) => {
    expect(certificateNameProblem({ kind, value })).toBeUndefined();
    expect(hasName(first, { kind, value })).toBe(true);
    expect(hasName(new X509Certificate(CERTIFICATES.renewed), { kind, value })).toBe(true);
    expect(hasName(other, { kind, value })).toBe(false);
  });

  it.each<[CertificateName['kind'], string]>([
    ['subject_dn', 'CN=client-1'],
    ['subject_dn', String.raw`C=DE,O=Bank\, Ärger / Söhne,OU=A\+B,CN=client-1`],
    ['subject_dn', 'CN=client-1,OU=A+OU=B,O=Bank,C=DE'],
    ['san_dns', 'bank.test'],
    ['san_uri', 'urn:example:CLIENT'],
    ['san_uri', 'client.bank.test'],
    ['san_ip', '192.0.2.8'],
    ['san_email', 'OPS@bank.test'],
  ])('is not found where it is another one, or of another kind: %s %s [MTL-004]', (kind, value) => {
    expect(hasName(first, { kind, value })).toBe(false);
  });

  it('is never a wildcard: neither in the certificate nor in the setting [MTL-004]', () => {
    expect(hasName(other, { kind: 'san_dns', value: 'client.bank.test' })).toBe(false);
    expect(certificateNameProblem({ kind: 'san_dns', value: '*.bank.test' })).toBeDefined();
  });

  it.each<[CertificateName['kind'], string]>([
    ['subject_dn', ''],
    ['subject_dn', 'client-1'],
    ['subject_dn', 'CN='],
    ['san_uri', 'client'],
    ['san_ip', '192.0.2'],
    ['san_email', 'ops'],
  ])('is refused in settings if it is none: %s %s', (kind, value) => {
    expect(certificateNameProblem({ kind, value })).toBeDefined();
  });
});
