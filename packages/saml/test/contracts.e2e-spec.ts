import { afterAll, beforeAll, describe, it } from '@jest/globals';
import {
  type Arrival,
  extensionContract,
  ownRouteContract,
  protocolContract,
  type TestPerson,
} from 'gatehouse/testing';
import saml from '../src/saml.extension.js';
import type { ServiceProviderPeer } from './support/service-provider.js';
import { Stage } from './support/stage.js';

let stage: Stage;
let app: ServiceProviderPeer;

beforeAll(async () => {
  stage = await Stage.open();
  app = await stage.application();
});
afterAll(() => stage.close());

/** All that an application, its managers and a user do. Rows of the user stay. */
async function useAll(own: Stage, user: TestPerson): Promise<void> {
  const one = await own.application({ allowIdpInitiated: true });
  const other = await own.application();
  const visitor = await own.visitor(user);
  const { nameId, sessionIndex } = await visitor.enter(one);
  await visitor.browser.get(`/saml/v2/SSO/init?application=${one.id}`);
  await visitor.enter(other);
  const asked = await visitor.bring(one, one.logoutRequest(nameId!, [sessionIndex!]));
  await visitor.browser.get((await other.answerLogout(asked)).url);
  const elsewhere = visitor.elsewhere();
  const { nameId: again } = await elsewhere.enter(one);
  await elsewhere.enter(other);
  await elsewhere.bring(one, one.logoutRequest(again!)); // the other one never answers
  await visitor.elsewhere().enter(other);
  const third = await own.application();
  await own.owner.call('GET', own.path);
  await own.owner.call('PUT', `${own.path}/${third.id}`, { name: 'Renamed', attributes: [] });
  await own.owner.call('PUT', `${own.path}/${third.id}/metadata`, { metadata: third.metadata });
  await own.owner.call('DELETE', `${own.path}/${third.id}`);
  const administrator = await own.world.manager(['IAM_OWNER']);
  await administrator.call('POST', '/admin/v1/ext/saml/certificates', {});
  await administrator.call('POST', '/admin/v1/ext/saml/certificates/rotate', {});
}

/** The values of the attributes that an application is told. */
function valuesIn(arrival: Arrival): string | undefined {
  const values = [...(app.response(arrival)?.tree() ?? [])].filter(({ name }) => name === 'AttributeValue');
  return values.length === 0 ? undefined : values.map(({ text }) => text).join(' ');
}

describe('the contracts of extensions', () => {
  for (const { name, run } of [
    ...extensionContract(() => stage.world, saml, {
      use: (user) => useAll(stage, user),
      wrongEnv: { SAML_ALLOW_HTTP: 'perhaps' },
    }),
    ...ownRouteContract(() => stage.world, { extension: 'saml', type: 'application/x-www-form-urlencoded' }),
    ...protocolContract(() => stage.world, {
      protocol: 'saml',
      get applicationId() {
        return app.id;
      },
      begin: (silently) => app.url(app.request({ isPassive: silently })),
      read: valuesIn,
    }),
  ])
    it(name, run);
});
