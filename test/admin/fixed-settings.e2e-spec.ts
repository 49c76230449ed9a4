import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../support/admin-api.js';
import { type Stage, setStage } from './project-support.js';

const GENERATORS = '/admin/v1/secretgenerators';
const RESTRICTIONS = '/admin/v1/restrictions';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

interface Generator {
  readonly generatorType: string;
  readonly length: number;
  readonly expiry: string;
  readonly includeLowerLetters: boolean;
  readonly includeUpperLetters: boolean;
  readonly includeDigits: boolean;
  readonly includeSymbols: boolean;
}

const typed = { includeLowerLetters: false, includeUpperLetters: true, includeDigits: true, includeSymbols: false };
const KINDS: ReadonlyArray<readonly [string, Omit<Generator, 'generatorType'>]> = [
  ['INIT_CODE', { length: 6, expiry: '259200s', ...typed }],
  ['VERIFY_EMAIL_CODE', { length: 6, expiry: '3600s', ...typed }],
  ['PASSWORD_RESET_CODE', { length: 6, expiry: '3600s', ...typed }],
  ['PASSWORDLESS_INIT_CODE', { length: 12, expiry: '3600s', ...typed }],
  ['APP_SECRET', { length: 64, expiry: '0s', ...typed, includeLowerLetters: true }],
  ['OTP_EMAIL', { length: 8, expiry: '300s', ...typed, includeUpperLetters: false }],
  ['INVITE_CODE', { length: 6, expiry: '259200s', ...typed }],
];
const nameOf = (kind: string): string => `SECRET_GENERATOR_TYPE_${kind}`;

describe('Secret generators', () => {
  it('are listed as the service makes its codes and secrets, and found by type', async () => {
    const { result, details } = await stage.iamOwner.call('POST', `${GENERATORS}/_search`, {});
    expect(result).toEqual(
      KINDS.map(([kind, form]) => ({ generatorType: nameOf(kind), details: expect.any(Object), ...form })),
    );
    expect(details).toMatchObject({ totalResult: '7' });
    const queries = [{ typeQuery: { generatorType: nameOf('OTP_EMAIL') } }];
    const found = await stage.iamOwner.call('POST', `${GENERATORS}/_search`, { queries });
    expect(found.result).toMatchObject([{ length: 8 }]);
  });

  it.each(KINDS)('are confirmed by the values that hold, and refused others by name: %s', async (kind, form) => {
    const path = `${GENERATORS}/${nameOf(kind)}`;
    expect((await stage.iamOwner.call('GET', path)).secretGenerator).toMatchObject(form);
    expect(await stage.iamOwner.verdict('PUT', path, { ...form })).toBe('200');
    expect(await stage.iamOwner.verdict('PUT', path, { ...form, length: form.length + 1 })).toBe('400 length');
    expect(await stage.iamOwner.verdict('PUT', path, { ...form, expiry: '60s' })).toBe('400 expiry');
    expect(await stage.iamOwner.verdict('PUT', path, { ...form, includeSymbols: true })).toBe('400 includeSymbols');
  });

  it('of what is sent to phones are not there', async () => {
    for (const kind of ['VERIFY_PHONE_CODE', 'OTP_SMS'])
      expect([
        await stage.iamOwner.verdict('GET', `${GENERATORS}/${nameOf(kind)}`),
        await stage.iamOwner.verdict('PUT', `${GENERATORS}/${nameOf(kind)}`, {}),
      ]).toEqual(['404 secret_generator.not_found', '404 secret_generator.not_found']);
    expect(await stage.iamOwner.verdict('GET', `${GENERATORS}/NONSENSE`)).toBe('400 generatorType');
  });

  it('make what they say: the secret of an application', async () => {
    const { clientSecret } = await stage.iamOwner
      .call('POST', '/management/v1/users/machine', {
        userName: `machine-${Date.now()}`,
        name: 'Machine',
      })
      .then(async ({ userId }) => stage.iamOwner.call('PUT', `/management/v1/users/${userId}/secret`));
    expect(clientSecret).toMatch(/^[a-zA-Z0-9]{64}$/);
    stage.world.plant(clientSecret as string);
  });
});

describe('Restrictions', () => {
  it('are as the service behaves: no organizations by registration, and all languages', async () => {
    const { languages } = await stage.iamOwner.call('GET', '/admin/v1/languages/allowed');
    expect(await stage.iamOwner.call('GET', RESTRICTIONS)).toEqual({
      details: expect.any(Object),
      disallowPublicOrgRegistration: true,
      allowedLanguages: languages,
    });
    for (const body of [
      {},
      { disallowPublicOrgRegistration: true },
      { allowedLanguages: { list: [] } },
      { allowedLanguages: { list: [...(languages as string[])].reverse() } },
    ])
      expect(await stage.iamOwner.verdict('PUT', RESTRICTIONS, body)).toBe('200');
  });

  it('are refused other values by name', async () => {
    for (const [body, field] of [
      [{ disallowPublicOrgRegistration: false }, 'disallowPublicOrgRegistration'],
      [{ allowedLanguages: { list: ['en'] } }, 'allowedLanguages'],
      [{ allowedLanguages: { list: ['xx'] } }, 'allowedLanguages'],
    ] as const)
      expect(await stage.iamOwner.verdict('PUT', RESTRICTIONS, body)).toBe(`400 ${field}`);
  });
});

describe('Settings that are fixed', () => {
  it('are read and confirmed by managers of the instance', async () => {
    const { api: viewer } = await callerWith(stage.world, stage.orgA, ['IAM_OWNER_VIEWER']);
    for (const path of [RESTRICTIONS, `${GENERATORS}/${nameOf('INIT_CODE')}`]) {
      expect(await viewer.verdict('GET', path)).toBe('200');
      expect(await viewer.verdict('PUT', path, {})).toBe('403 permission.missing');
      expect(await stage.ownerOfA.verdict('GET', path)).toBe('403 permission.missing');
    }
    expect(await stage.ownerOfA.verdict('POST', `${GENERATORS}/_search`, {})).toBe('403 permission.missing');
  });
});
