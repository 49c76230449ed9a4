import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addOidc, changeIdp, setPolicy } from '../../idp/external.js';
import { type AdminApi, callerWith } from '../../support/admin-api.js';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/settings';
const POLICIES = '/management/v1/policies';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

describe('Settings of the second generation', () => {
  it('are those of the organization that is named, by default the caller’s, or those of the instance', async () => {
    const { ownerOfA: a, orgA, iamOwner } = stage;
    const lockout = `${PATH}/lockout`;
    const { settings: before } = await a.call('GET', lockout);
    expect(before).toMatchObject({ resourceOwnerType: 'RESOURCE_OWNER_TYPE_INSTANCE' });
    await a.call('POST', `${POLICIES}/lockout`, { maxPasswordAttempts: 7, maxOtpAttempts: 3 });
    const own = { maxPasswordAttempts: '7', maxOtpAttempts: '3', resourceOwnerType: 'RESOURCE_OWNER_TYPE_ORG' };
    expect(await a.call('GET', lockout)).toMatchObject({ settings: own, details: { resourceOwner: orgA.id } });
    expect((await iamOwner.call('GET', `${lockout}?ctx.orgId=${orgA.id}`))['settings']).toEqual(own);
    expect((await a.call('GET', `${lockout}?ctx.instance=true`))['settings']).toEqual(before);
  });

  it('tell all that the policies of the first generation tell', async () => {
    const { ownerOfA: a } = stage;
    const { settings: login } = await a.call('GET', `${PATH}/login`);
    const { policy } = await a.call('GET', `${POLICIES}/login`);
    expect(login).toMatchObject({
      allowLocalAuthentication: policy.allowUsernamePassword,
      allowRegister: policy.allowRegister,
      forceMfa: policy.forceMfa,
      passwordCheckLifetime: policy.passwordCheckLifetime,
      secondFactors: policy.secondFactors,
    });
    expect((await a.call('GET', `${PATH}/password/complexity`))['settings']).toMatchObject({ minLength: '8' });
    expect((await a.call('GET', `${PATH}/branding`))['settings']).toMatchObject({
      lightTheme: { primaryColor: expect.any(String) as unknown },
      themeMode: 'THEME_MODE_AUTO',
    });
    for (const [path, member] of [
      ['password/expiry', 'maxAgeDays'],
      ['domain', 'loginNameIncludesDomain'],
      ['legal_support', 'privacyPolicyLink'],
    ])
      expect((await a.call('GET', `${PATH}/${path}`))['settings']).toHaveProperty(member!);
    expect(await a.call('GET', PATH)).toMatchObject({ supportedLanguages: expect.arrayContaining(['en', 'de']) });
  });

  it('of another organization are out of reach', async () => {
    const { ownerOfB, orgA } = stage;
    expect(await ownerOfB.verdict('GET', `${PATH}/login?ctx.orgId=${orgA.id}`)).toBe('404 org.not_found');
    expect(await ownerOfB.verdict('GET', `${PATH}/login?ctx.orgId=1`)).toBe('404 org.not_found');
  });

  it('of security are for managers of the instance, and refuse what this service does not do', async () => {
    const { iamOwner, ownerOfA } = stage;
    const path = `${PATH}/security`;
    expect(await ownerOfA.verdict('PUT', path, { enableImpersonation: true })).toBe('403 permission.missing');
    await iamOwner.call('PUT', path, { enableImpersonation: true });
    expect((await iamOwner.call('GET', path))['settings']).toEqual({
      embeddedIframe: { enabled: false, allowedOrigins: [] },
      enableImpersonation: true,
      dynamicClientRegistration: { enabled: false, allowUnauthenticated: false },
    });
    expect(await iamOwner.verdict('PUT', path, { embeddedIframe: { enabled: true, allowedOrigins: [] } })).toBe(
      '400 embeddedIframe.enabled',
    );
    expect(await iamOwner.verdict('PUT', path, { dynamicClientRegistration: { enabled: true } })).toBe(
      '400 dynamicClientRegistration',
    );
    const viewer = (await callerWith(stage.world, stage.orgA, ['IAM_OWNER_VIEWER'])).api;
    expect(await viewer.verdict('PUT', path, {})).toBe('403 permission.missing');
  });
});

describe('The identity providers of the second generation by which users may sign in', () => {
  const offered = async (api: AdminApi, query = ''): Promise<string[]> =>
    ((await api.call('GET', `${PATH}/login/idps${query}`))['identityProviders'] as Array<{ name: string }>).map(
      ({ name }) => name,
    );

  it('are those that the login page offers, by their options', async () => {
    const { world, orgB, ownerOfB, iamOwner } = stage;
    const issuer = 'https://accounts.example.com';
    await addOidc(world, issuer, { name: 'Shared' });
    const own = await addOidc(world, issuer, { name: 'Own', autoRegister: true }, orgB.id);
    const inactive = await addOidc(world, issuer, { name: 'Inactive' }, orgB.id);
    await changeIdp(world, inactive, 'deactivate', orgB.id);
    expect(await offered(ownerOfB)).toEqual(['Own', 'Shared']);
    expect(await offered(iamOwner, `?ctx.orgId=${orgB.id}`)).toEqual(['Own', 'Shared']);
    expect(await offered(ownerOfB, '?ctx.instance=true')).toEqual(['Shared']);
    for (const [query, names] of [
      ['?autoCreation=true', ['Own']],
      ['?autoCreation=false', ['Shared']],
      ['?creationAllowed=true', ['Own']],
      ['?linkingAllowed=true', ['Own', 'Shared']],
      ['?linkingAllowed=false', []],
      ['?autoLinking=true', []],
    ] as const)
      expect([query, await offered(ownerOfB, query)]).toEqual([query, names]);
    const found = await ownerOfB.call('GET', `${PATH}/login/idps?autoCreation=true`);
    expect(found).toMatchObject({
      details: { totalResult: '1' },
      identityProviders: [{ id: own, type: 'IDENTITY_PROVIDER_TYPE_OIDC', options: { isAutoCreation: true } }],
    });
  });

  it('are none where the login policy disables them, and out of reach in another organization', async () => {
    const { world, orgA, orgB, ownerOfB } = stage;
    await setPolicy(world, orgB.id, { allowExternalIdp: false });
    expect(await offered(ownerOfB)).toEqual([]);
    expect(await ownerOfB.verdict('GET', `${PATH}/login/idps?ctx.orgId=${orgA.id}`)).toBe('404 org.not_found');
  });
});

describe('Translations of the login pages, in the second generation', () => {
  const TEXTS = `${PATH}/hosted_login_translation`;
  const get = async (api: AdminApi, query: string): Promise<{ etag: string; translations: Record<string, object> }> =>
    api.call('GET', `${TEXTS}?locale=en&${query}`);

  it('are the texts of the first generation: the built-in ones, those of the instance, those of the organization', async () => {
    const { ownerOfA: a, iamOwner, orgA } = stage;
    const own = { loginText: { title: 'Welcome to A' } };
    const before = await get(a, `organizationId=${orgA.id}`);
    const { etag } = await a.call<{ etag: string }>('PUT', TEXTS, {
      organizationId: orgA.id,
      locale: 'en',
      translations: own,
    });
    await iamOwner.call('PUT', TEXTS, {
      instance: true,
      locale: 'en',
      translations: { loginText: { description: 'Of all' } },
    });
    expect(await get(a, `organizationId=${orgA.id}&ignoreInheritance=true`)).toEqual({ etag, translations: own });
    const whole = await get(a, `organizationId=${orgA.id}`);
    expect(whole.translations).toMatchObject({ loginText: { title: 'Welcome to A', description: 'Of all' } });
    expect([whole.etag === before.etag, whole.etag === etag]).toEqual([false, false]);
    expect((await get(a, 'instance=true')).translations).toMatchObject({ loginText: { description: 'Of all' } });
    expect((await get(a, 'instance=true&ignoreInheritance=true')).translations).toEqual({
      loginText: { description: 'Of all' },
    });
    expect((await get(a, 'system=true')).translations).toEqual(before.translations);
    expect((await a.call('GET', '/management/v1/text/login/en'))['customText']).toMatchObject(own);
    // An empty object takes them back.
    await a.call('PUT', TEXTS, { organizationId: orgA.id, locale: 'en', translations: {} });
    expect((await get(a, `organizationId=${orgA.id}&ignoreInheritance=true`)).translations).toEqual({});
  });

  it('have no other texts than the pages, and are set for a level and in a language', async () => {
    const { ownerOfA: a, orgA } = stage;
    const put = (translations: unknown, over: object = {}): Promise<string> =>
      a.verdict('PUT', TEXTS, { organizationId: orgA.id, locale: 'en', translations, ...over });
    for (const [translations, verdict] of [
      [undefined, '400 translations'],
      [{ common: { back: 'Back' } }, '400 translations.common'],
      [JSON.parse('{"__proto__": {"title": "x"}}'), '400 translations.__proto__'],
      [{ loginText: 'x' }, '400 translations.loginText'],
      [{ loginText: { titel: 'x' } }, '400 translations.loginText.titel'],
      [{ loginText: { constructor: 'x' } }, '400 translations.loginText.constructor'],
      [{ loginText: { title: 5 } }, '400 translations.loginText.title'],
      [{ loginText: { title: 'x'.repeat(201) } }, '400 translations.loginText.title'],
    ] as const)
      expect([translations, await put(translations)]).toEqual([translations, verdict]);
    expect(await put({}, { locale: 'xx' })).toBe('400 locale');
    expect(await a.verdict('PUT', TEXTS, { locale: 'en', translations: {} })).toBe('400 organizationId');
    expect(await a.verdict('GET', `${TEXTS}?locale=en`)).toBe('400 organizationId');
    expect(await a.verdict('GET', `${TEXTS}?locale=no_tag&system=true`)).toBe('400 locale');
  });

  it('are written where the caller may, and read by those who may read policies', async () => {
    const { ownerOfA: a, ownerOfB, viewerOfA, nobodyOfA, orgA } = stage;
    const body = { locale: 'en', translations: {} };
    expect(await a.verdict('PUT', TEXTS, { ...body, instance: true })).toBe('403 permission.missing');
    expect(await ownerOfB.verdict('PUT', TEXTS, { ...body, organizationId: orgA.id })).toBe('404 org.not_found');
    expect(await ownerOfB.verdict('GET', `${TEXTS}?locale=en&organizationId=${orgA.id}`)).toBe('404 org.not_found');
    expect(await viewerOfA.verdict('PUT', TEXTS, { ...body, organizationId: orgA.id })).toBe('403 permission.missing');
    expect(await viewerOfA.verdict('GET', `${TEXTS}?locale=en&organizationId=${orgA.id}`)).toBe('200');
    expect(await nobodyOfA.verdict('GET', `${TEXTS}?locale=en&system=true`)).toBe('403 permission.missing');
  });
});
