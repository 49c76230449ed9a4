import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../../support/admin-api.js';
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
