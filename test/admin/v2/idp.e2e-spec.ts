import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addJwt, addOidc, changeIdp } from '../../idp/external.js';
import { callerWith } from '../../support/admin-api.js';
import { CLIENT_ID, CLIENT_SECRET } from '../../support/upstream.js';
import { addProject, managerOf, type Stage, setStage } from '../project-support.js';

const PATH = '/v2/idps';
const ISSUER = 'https://accounts.example.com';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

describe('An identity provider of the second generation', () => {
  it('is that of the first, without its secret [ADM-021]', async () => {
    const { world, orgA, ownerOfA } = stage;
    const id = await addOidc(
      world,
      ISSUER,
      { name: 'Accounts', scopes: ['openid', 'email'], autoRegister: true },
      orgA.id,
    );
    const { idp, callbackUrl } = await ownerOfA.call('GET', `${PATH}/${id}`);
    const first = await ownerOfA.call('GET', `/management/v1/idps/${id}`);
    expect(idp).toMatchObject({
      id,
      state: 'IDP_STATE_ACTIVE',
      name: 'Accounts',
      type: 'IDP_TYPE_OIDC',
      config: {
        options: first.idp.providerOptions as object,
        oidc: { issuer: ISSUER, clientId: CLIENT_ID, scopes: ['openid', 'email'] },
      },
      details: { resourceOwner: orgA.id },
    });
    expect(callbackUrl).toBe(first.callbackUrl);
    expect((await ownerOfA.ask('GET', `${PATH}/${id}`)).text).not.toContain(CLIENT_SECRET);
    await changeIdp(world, id, 'deactivate', orgA.id);
    expect(await ownerOfA.call('GET', `${PATH}/${id}`)).toMatchObject({ idp: { state: 'IDP_STATE_INACTIVE' } });
  });

  it('may be one to which a proxy forwards a JWT', async () => {
    const id = await addJwt(stage.world, 'https://proxy.example.com', { name: 'Gateway' });
    expect(await stage.iamOwner.call('GET', `${PATH}/${id}`)).toMatchObject({
      idp: {
        type: 'IDP_TYPE_JWT',
        config: {
          jwt: {
            issuer: 'https://proxy.example.com',
            jwtEndpoint: 'https://proxy.example.com/enter?kept=1',
            keysEndpoint: 'https://proxy.example.com/keys',
            headerName: 'x-jwt',
          },
        },
      },
    });
  });

  it('of another organization is out of reach, and answered as if there were none; one of the instance is not [ADM-101]', async () => {
    const { world, orgA, ownerOfA, ownerOfB, iamOwner, viewerOfA } = stage;
    const ofA = await addOidc(world, ISSUER, {}, orgA.id);
    const shared = await addOidc(world, ISSUER);
    for (const id of [ofA, '1']) expect(await ownerOfB.verdict('GET', `${PATH}/${id}`)).toBe('404 idp.not_found');
    for (const api of [ownerOfA, ownerOfB, iamOwner]) expect(await api.verdict('GET', `${PATH}/${shared}`)).toBe('200');
    expect(await viewerOfA.verdict('GET', `${PATH}/${ofA}`)).toBe('200');
  });

  it('is nothing for those who may read no providers', async () => {
    const { world, orgA, ownerOfA, nobodyOfA } = stage;
    const id = await addOidc(world, ISSUER, {}, orgA.id);
    const ofProject = await managerOf(stage, orgA, 'PROJECT_OWNER', await addProject(ownerOfA));
    const ofUsers = (await callerWith(world, orgA, ['ORG_USER_MANAGER'])).api;
    for (const api of [nobodyOfA, ofProject, ofUsers])
      expect(await api.verdict('GET', `${PATH}/${id}`)).toBe('403 permission.missing');
  });
});
