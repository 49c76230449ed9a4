import { describe, expect, it } from '@jest/globals';
import { authorityOf, isAddressVerified, issuerFor, subjectOf, TENANT, tenantOf, VERIFIED_DOMAIN } from './tenants.js';

const A = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
const B = '3338040d-6c67-4c5b-b112-36a304b66dad';
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
const OID = '690222be-ff1a-4d56-abd1-7e4f7d38e474';
const CLOUD = 'https://login.microsoftonline.com';

describe('Tenants of Entra', () => {
  it('have the page of one, of all organizations, or of everybody', () => {
    const at = (...tenants: string[]) => authorityOf({ base: '', tenants });
    expect(at(A)).toEqual({ authority: `${CLOUD}/${A}`, issuer: `${CLOUD}/${A}/v2.0` });
    expect(at(A, B)).toEqual({ authority: `${CLOUD}/organizations`, issuer: `${CLOUD}/{tenantid}/v2.0` });
    expect(at(A, PERSONAL).authority).toBe(`${CLOUD}/common`);
    expect(authorityOf({ base: 'https://login.microsoftonline.us', tenants: [A] }).authority).toBe(
      `https://login.microsoftonline.us/${A}`,
    );
    expect(at('organizations')).toEqual({
      authority: `${CLOUD}/organizations`,
      issuer: `${CLOUD}/{tenantid}/v2.0`,
    });
    expect(at('common').authority).toBe(`${CLOUD}/common`);
    expect(() => at()).toThrow('Enter the ID of one at least');
  });

  it('are refused if they are not on the list (SOC-001)', () => {
    expect(tenantOf({ tid: A.toUpperCase() }, [A])).toBe(A);
    for (const claims of [{ tid: B }, {}, { tid: [A] }, { tid: '' }])
      expect(() => tenantOf(claims, [A])).toThrow('tenant_not_allowed');
    expect(issuerFor(`${CLOUD}/{tenantid}/v2.0`, A)).toBe(`${CLOUD}/${A}/v2.0`);
  });

  it('are any where the settings say so by a word alone, and named letter by letter even then', () => {
    expect([tenantOf({ tid: B }, ['organizations']), tenantOf({ tid: PERSONAL }, ['common'])]).toEqual([B, PERSONAL]);
    const refused: Array<[tid: string, allowed: string[]]> = [
      [PERSONAL, ['organizations']],
      ['organizations', ['organizations']],
      [`${B}/..`, ['common']],
      [B, ['organizations', A]],
    ];
    for (const [tid, allowed] of refused) expect(() => tenantOf({ tid }, allowed)).toThrow('tenant_not_allowed');
  });

  it('identify a user by tenant and object, and by nothing else', () => {
    expect(subjectOf({ oid: OID.toUpperCase(), sub: 'x' }, A)).toBe(`${A}.${OID}`);
    for (const oid of [undefined, '', 'x', { a: 1 }])
      expect(() => subjectOf({ oid, sub: 'x' }, A)).toThrow('has no oid');
  });

  it.each([
    ['that nobody has verified', {}, false],
    ['whose owner Entra has verified', { xms_edov: true }, true],
    ['whose owner Entra has verified, as a number', { xms_edov: 1 }, true],
    ['whose owner Entra has verified, as a text', { xms_edov: '1' }, true],
    ['whose owner Entra has not verified', { xms_edov: false }, false],
    ['that says so by another word', { xms_edov: 'true' }, false],
    ['that says so by a claim of others', { email_verified: true }, false],
  ])('an address %s (SOC-001)', (_, claims, isVerified) => {
    expect(isAddressVerified({ email: 'ceo@victim.example', ...claims }, A, [`${A}/acme.example`])).toBe(isVerified);
  });

  it('an address in a domain of the very tenant is verified (SOC-001)', () => {
    const domains = [`${A}/acme.example`];
    const of = (email: string, tenant: string) => isAddressVerified({ email }, tenant, domains);
    expect([
      of('ann@Acme.example', A),
      of('ann@acme.example', B),
      of('ann@sub.acme.example', A),
      of('ann@acme.example@evil.example', A),
      of('ann@evilacme.example', A),
      of('acme.example', A),
    ]).toEqual([true, false, false, false, false, false]);
  });

  it('are entered as IDs or by a word for all, and domains behind IDs', () => {
    expect([A, A.toUpperCase(), 'common', 'acme.example', ''].map(TENANT.fits)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(
      [`${A}/acme.example`, 'acme.example', `${A}/Acme.example`, `${A}/a.example/b`].map(VERIFIED_DOMAIN.fits),
    ).toEqual([true, false, false, false]);
  });
});
