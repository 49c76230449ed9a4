import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClientAuthMethod } from '../../src/project/client/client.entity.js';
import { ClientService } from '../../src/project/client/client.service.js';
import type { Json } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { makeKey, type TestKey, type TestPerson, uniqueName } from '../support/builders.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { type AddedApp, addPerson, addProject, EMPTY_LISTS, type Stage, setStage } from './project-support.js';

const RESPONSE_TYPES = [[], ['CODE'], ['ID_TOKEN'], ['ID_TOKEN_TOKEN'], ['CODE', 'ID_TOKEN', 'ID_TOKEN_TOKEN']];
const GRANT_TYPES = [
  [],
  ['AUTHORIZATION_CODE'],
  ['IMPLICIT'],
  ['REFRESH_TOKEN'],
  ['DEVICE_CODE'],
  ['TOKEN_EXCHANGE'],
  ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'],
  ['AUTHORIZATION_CODE', 'IMPLICIT'],
  ['IMPLICIT', 'REFRESH_TOKEN'],
  ['AUTHORIZATION_CODE', 'IMPLICIT', 'REFRESH_TOKEN', 'DEVICE_CODE', 'TOKEN_EXCHANGE'],
];
const APP_TYPES = ['WEB', 'USER_AGENT', 'NATIVE'];
const AUTH_METHODS: ReadonlyMap<string, ClientAuthMethod> = new Map([
  ['BASIC', 'client_secret_basic'],
  ['POST', 'client_secret_post'],
  ['NONE', 'none'],
  ['PRIVATE_KEY_JWT', 'private_key_jwt'],
]);
/** In the words of the protocol. */
const ASKED: Readonly<Record<string, string>> = {
  OIDC_RESPONSE_TYPE_CODE: 'code',
  OIDC_RESPONSE_TYPE_ID_TOKEN: 'id_token',
  OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: 'id_token token',
};

let stage: Stage;
let path: string;
let person: TestPerson;
/** Where the person is signed in, so that each application gets its answer at once. */
let browser: Browser;
let key: Omit<TestKey, 'kid'>;

beforeAll(async () => {
  stage = await setStage();
  path = `/management/v1/projects/${await addProject(stage.ownerOfA)}/apps`;
  person = await addPerson(stage, stage.orgA);
  browser = new Browser(stage.world);
  key = await makeKey();
});
afterAll(() => stage.world.close());

function combinations(): Json[] {
  const all = APP_TYPES.flatMap((appType) =>
    [...AUTH_METHODS.keys()].flatMap((method) =>
      RESPONSE_TYPES.flatMap((responses) => GRANT_TYPES.map((grants) => ({ appType, method, responses, grants }))),
    ),
  );
  return all.map(({ appType, method, responses, grants }) => ({
    redirectUris: ['https://app.test/cb'],
    appType: `OIDC_APP_TYPE_${appType}`,
    authMethodType: `OIDC_AUTH_METHOD_TYPE_${method}`,
    responseTypes: responses.map((type) => `OIDC_RESPONSE_TYPE_${type}`),
    grantTypes: grants.map((type) => `OIDC_GRANT_TYPE_${type}`),
  }));
}

/** Signs the person in with every response type that the application has, and uses what it receives. */
async function useIt(added: AddedApp): Promise<void> {
  const { oidcConfig } = (await stage.ownerOfA.call('GET', `${path}/${added.appId}`)).app;
  const authMethod = AUTH_METHODS.get(oidcConfig.authMethodType.replace('OIDC_AUTH_METHOD_TYPE_', ''))!;
  const kid = authMethod === 'private_key_jwt' ? await addKey(added.appId) : undefined;
  expect(oidcConfig.responseTypes).not.toEqual([]);
  for (const type of oidcConfig.responseTypes as string[]) {
    const responseType = ASKED[type]!;
    const rp = new RelyingParty(
      stage.world,
      {
        id: added.appId,
        clientId: added.clientId,
        secret: added.clientSecret,
        key: kid === undefined ? undefined : { ...key, kid },
        authMethod,
        redirectUri: oidcConfig.redirectUris[0],
        responseType,
      },
      browser,
    );
    if (responseType === 'code' && !oidcConfig.grantTypes.includes('OIDC_GRANT_TYPE_AUTHORIZATION_CODE')) {
      // Its users sign in on another device (RFC 8628).
      expect((await rp.post('/oauth/v2/device_authorization', { scope: 'openid offline_access' })).status).toBe(200);
      continue;
    }
    const answer = await rp.signIn(person, { scope: 'openid offline_access' });
    if (responseType !== 'code') {
      expect(answer).toMatchObject({ id_token: expect.any(String) });
      continue;
    }
    const tokens = tokensOf(await rp.redeem(answer['code']!));
    if (oidcConfig.grantTypes.includes('OIDC_GRANT_TYPE_REFRESH_TOKEN'))
      expect((await rp.refresh(tokens.refresh_token)).status).toBe(200);
  }
}

async function addKey(appId: string): Promise<string> {
  const { publicJwk: publicKey } = key;
  const clients = stage.world.get(ClientService);
  return (await stage.world.transaction((tx) => clients.addKey(tx, appId, { publicKey }, 'test'))).id;
}

describe('AddOIDCApp', () => {
  it('signs users in with whatever it accepts without complaint', async () => {
    const outcomes = { refused: 0, complained: 0, used: 0 };
    for (const body of combinations()) {
      const others = { name: uniqueName('App'), assertionAudience: 'ASSERTION_AUDIENCE_ISSUER_ONLY' };
      const reply = await stage.ownerOfA.ask('POST', `${path}/oidc`, { ...others, ...body });
      if (reply.status === 400) {
        expect(reply.text).toMatch(/grantTypes: must contain (authorization_code|implicit) for the response type/);
        outcomes.refused += 1;
        continue;
      }
      const added = reply.json<AddedApp>();
      if (added.clientSecret !== '') stage.world.plant(added.clientSecret);
      if (added.noneCompliant) {
        expect(added.complianceProblems.length).toBeGreaterThan(1);
        outcomes.complained += 1;
        continue;
      }
      await useIt(added);
      outcomes.used += 1;
    }
    expect(outcomes).toEqual({ refused: 336, complained: 159, used: 105 });
  });

  it.each(APP_TYPES)('needs a name and a redirect URI on this machine, and nothing else: %s', async (appType) => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const added = await stage.ownerOfA.call<AddedApp>('POST', `${path}/oidc`, {
        name: uniqueName('Shop'),
        redirectUris: [`http://${host}:5173/callback`],
        appType: `OIDC_APP_TYPE_${appType}`,
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
      });
      expect(added).toMatchObject({ noneCompliant: false, complianceProblems: [] });
      await useIt(added);
    }
  });

  it('is reset to the usual flow by an update whose lists of them are empty', async () => {
    const implicit = {
      redirectUris: ['https://app.test/cb'],
      responseTypes: ['OIDC_RESPONSE_TYPE_ID_TOKEN'],
      grantTypes: ['OIDC_GRANT_TYPE_IMPLICIT'],
    };
    const added = await stage.ownerOfA.call<AddedApp>('POST', `${path}/oidc`, { name: uniqueName('App'), ...implicit });
    stage.world.plant(added.clientSecret);
    const at = `${path}/${added.appId}`;
    await stage.ownerOfA.call('PUT', `${at}/oidc_config`, {
      ...EMPTY_LISTS,
      redirectUris: implicit.redirectUris,
    });
    expect((await stage.ownerOfA.call('GET', at)).app.oidcConfig).toMatchObject({
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
    });
    await useIt(added);
  });
});
