import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type Arrival, extensionContract, ownRouteContract, protocolContract } from 'gatehouse/testing';
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

/** All that an application, its managers and a user do. */
async function useAll(own: Stage, userId: string): Promise<void> {
  const one = await own.application({ allowIdpInitiated: true });
  const other = await own.application();
  const person = await own.world.add.user({ org: own.org });
  const visitor = await own.visitor(person);
  await visitor.enter(one);
  await visitor.browser.get(`/saml/v2/SSO/init?application=${one.id}`);
  const { nameId, sessionIndex } = await visitor.enter(one);
  await visitor.enter(other);
  const asked = await visitor.bring(one, one.logoutRequest(nameId!, [sessionIndex!]));
  await visitor.browser.get((await other.answerLogout(asked)).url);
  await own.world
    .sql`INSERT INTO ext_saml.name_id (client_id, user_id, value) VALUES (${one.id}, ${userId}, ${userId})`;
  await own.owner.call('GET', own.path);
  await own.owner.call('PUT', `${own.path}/${one.id}`, { name: 'Renamed', attributes: [] });
  await own.owner.call('PUT', `${own.path}/${one.id}/metadata`, { metadata: one.metadata });
  await own.owner.call('DELETE', `${own.path}/${one.id}`);
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
      use: ({ id }) => useAll(stage, id),
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
