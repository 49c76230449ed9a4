import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addOidcApp, addProject, type Stage, setStage } from '../project-support.js';

const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;

let stage: Stage;
let applicationId: string;
let projectId: string;

beforeAll(async () => {
  stage = await setStage();
  projectId = await addProject(stage.ownerOfA);
  applicationId = (
    await addOidcApp(stage, stage.ownerOfA, projectId, { authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' })
  ).appId;
});
afterAll(() => stage.world.close());

describe('Keys of applications in the second generation', () => {
  it('are made, found by the key alone, listed and removed, and are those of the first', async () => {
    const { ownerOfA: a, orgA } = stage;
    const expirationDate = '2099-12-31T23:59:59.000Z';
    const keys = `/v2/applications/${applicationId}/keys`;
    const { keyId, creationDate, keyDetails } = await a.call('POST', keys, { expirationDate });
    const file = JSON.parse(Buffer.from(keyDetails as string, 'base64').toString()) as object;
    expect(file).toMatchObject({ type: 'application', keyId, appId: applicationId });
    expect(await a.call('GET', `/v2/application_keys/${keyId}`)).toEqual({ keyId, creationDate, expirationDate });
    const filters = [{ applicationIdFilter: { applicationId } }];
    expect((await a.call('POST', '/v2/application_keys/_search', { filters }))['keys']).toEqual([
      { keyId, applicationId, projectId, creationDate, organizationId: orgA.id, expirationDate },
    ]);
    const first = `/management/v1/projects/${projectId}/apps/${applicationId}/keys/${keyId}`;
    expect((await a.call('GET', first))['key']).toMatchObject({ id: keyId });
    expect(await a.call('DELETE', `${keys}/${keyId}`)).toEqual({ deletionDate: DATE });
    expect(await a.verdict('GET', `/v2/application_keys/${keyId}`)).toBe('404 client.key_not_found');
  });

  it('are out of reach for managers of other organizations [ADM-101]', async () => {
    const { ownerOfA, ownerOfB } = stage;
    const keys = `/v2/applications/${applicationId}/keys`;
    const { keyId } = await ownerOfA.call('POST', keys, {});
    expect([
      await ownerOfB.verdict('POST', keys, {}),
      await ownerOfB.verdict('GET', `/v2/application_keys/${keyId}`),
      await ownerOfB.verdict('DELETE', `${keys}/${keyId}`),
    ]).toEqual(['404 client.not_found', '404 client.key_not_found', '404 client.not_found']);
    expect((await ownerOfB.call('POST', '/v2/application_keys/_search', {}))['keys']).toEqual([]);
  });
});
