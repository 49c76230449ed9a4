import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { base64Of, CERTIFICATES, FORMATS } from '../../../test/support/certificates.js';
import { readCertificate } from './certificate-header.js';

const NOW = new Date('2026-11-23T12:00:00Z');
const { first, other, expired } = CERTIFICATES;

describe('The certificate in the header of a proxy', () => {
  it.each(Object.entries(FORMATS))('is read as %s writes it', (_, write) => {
    const found = readCertificate(write(first), NOW);
    expect((found as X509Certificate).raw.equals(new X509Certificate(first).raw)).toBe(true);
  });

  it('is none for the empty value that proxies send without one', () => {
    expect(readCertificate('', NOW)).toBeUndefined();
  });

  it.each<[string, string]>([
    ['is no base64', ':***:'],
    ['is no certificate', `:${Buffer.from('certificate').toString('base64')}:`],
    [
      'holds two in a row',
      Buffer.concat([first, other].map((pem) => Buffer.from(base64Of(pem), 'base64'))).toString('base64'),
    ],
    [
      'holds a certificate and more',
      Buffer.concat([Buffer.from(base64Of(first), 'base64'), Buffer.from('x')]).toString('base64'),
    ],
    ['holds two as PEM', encodeURIComponent(first + other)],
    ['is broken percent-encoding', `${encodeURIComponent(first)}%E0%A4%A`],
    ['is a list of byte sequences', `:${base64Of(first)}:, :${base64Of(other)}:`],
    [
      'has been added to by a second proxy',
      `Hash=a;Cert="${encodeURIComponent(first)}",Hash=b;Cert="${encodeURIComponent(other)}"`,
    ],
    ['names a hash without a certificate', 'Hash=468ed33be74eee65;Subject="CN=x"'],
    ['has an open quote', `Cert="${encodeURIComponent(first)}`],
  ])('is refused if it %s [MTL-003]', (_, value) => {
    expect(readCertificate(value, NOW)).toBe('malformed');
  });

  it('is refused before and after its time, and if it is too long [MTL-003]', () => {
    expect(readCertificate(encodeURIComponent(expired), NOW)).toBe('expired');
    expect(readCertificate(encodeURIComponent(first), new Date('2024-12-31'))).toBe('not_yet_valid');
    expect(readCertificate('A'.repeat(65_536), NOW)).toBe('too_long');
  });
});
