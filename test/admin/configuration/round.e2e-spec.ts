import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName } from '../../support/builders.js';
import { addOidcApp, addProject, type Stage, setStage } from '../project-support.js';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

describe('explore', () => {
  it('pulls', async () => {
    const projectId = await addProject(stage.ownerOfA, ['buyer', 'seller']);
    await addOidcApp(stage, stage.ownerOfA, projectId);
    const pulled = await stage.iamOwner.call<{ configuration: object; leftOut: unknown[] }>('POST', '/admin/v1/configuration/_pull', {});
    console.log(JSON.stringify(pulled, undefined, 1).slice(0, 14000));
    const plan = await stage.iamOwner.call('POST', '/admin/v1/configuration/_plan', { configuration: pulled.configuration });
    console.log(JSON.stringify(plan, undefined, 1).slice(0, 6000));
    console.log(JSON.stringify(await stage.iamOwner.call('POST', '/admin/v1/configuration/_plan', { prune: true, configuration: { instance: {policies: {login: {forceMfa: true}, lockout: {maxPasswordAttempts: 3}}, }, organizations: {New: { projects: {Shop: { roles: {a: {displayName: 'A'}}, applications: {Web: {oidc: {redirectUris: ['https://a.test/cb'], responseTypes: ['OIDC_RESPONSE_TYPE_CODE'], grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE']}}, Bad: {oidc: {redirectUri: []}}}}}}} } }), undefined, 1));
    expect(uniqueName('a')).toBeTruthy();
  });
});
