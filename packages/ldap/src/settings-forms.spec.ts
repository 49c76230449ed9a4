import { describe, expect, it } from '@jest/globals';
import { ATTRIBUTE, GROUP_MAPPING, PEM, SERVER } from './settings-forms.js';

describe('Settings of a directory', () => {
  it.each([
    ['ldaps://dc1.acme.example', true],
    ['ldap://10.0.0.7:3389', true],
    ['ldaps://[2001:db8::1]', true],
    ['ldapi://%2ftmp', false],
    ['http://dc1', false],
    ['ldaps://a@dc1', false],
    ['ldaps://dc1/dc=acme?sub', false],
    ['ldaps://dc1:0', false],
    ['ldaps://dc1:65536', false],
  ])('LDP-008 the server %s: %s', (text, fits) => {
    expect(SERVER.fits(text)).toBe(fits);
  });

  it.each([
    ['sAMAccountName', true],
    ['userCertificate;binary', true],
    ['uid=*)(a', false],
    ['1.2.3', false],
    ['memberOf:1.2.840:', false],
  ])('the attribute %s: %s', (text, fits) => {
    expect(ATTRIBUTE.fits(text)).toBe(fits);
  });

  it('are refused if they are no certificates, or no mapping', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    expect([PEM.fits('x'), PEM.fits(broken)]).toEqual([false, false]);
    expect([GROUP_MAPPING.fits('12=cn=a,dc=b'), GROUP_MAPPING.fits('cn=a,dc=b'), GROUP_MAPPING.fits('12=x')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
