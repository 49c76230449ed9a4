import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as library from 'openid-client';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { JWT_BEARER, signAssertion } from '../support/assertion.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { Device } from '../support/device.js';
import { RelyingParty } from '../support/relying-party.js';
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from '../support/token-exchange.js';
import type { World } from '../support/world.js';
import { OpenidClientStage } from './openid-client-stage.js';

let stage: OpenidClientStage;
let world: World;
let alice: TestPerson;

beforeAll(async () => {
  stage = await OpenidClientStage.set();
  ({ world, alice } = stage);
});
afterAll(() => world.close());

describe('openid-client, as a service user', () => {
  it.each<[string, (secret: string) => library.ClientAuth]>([
    ['client_secret_basic', (secret) => library.ClientSecretBasic(secret)],
    ['client_secret_post', (secret) => library.ClientSecretPost(secret)],
  ])('gets a token by client_credentials with %s', async (_, authenticate) => {
    const service = await world.cast.svc1;
    const config = await stage.configured({ clientId: service.userName }, authenticate(service.secret));
    const tokens = await library.clientCredentialsGrant(config, { scope: 'openid' });
    world.plant(tokens.access_token);
    expect([tokens.refresh_token, tokens.id_token]).toEqual([undefined, undefined]);
    expect(await library.fetchUserInfo(config, tokens.access_token, service.id)).toMatchObject({ sub: service.id });
  });

  it('gets a token by its own signed assertion (RFC 7523 §2.1)', async () => {
    const service = await world.cast.svc1;
    const config = await stage.configured({ clientId: service.id }, library.None());
    const assertion = await signAssertion(world, service.key, service.id);
    const tokens = await library.genericGrantRequest(config, JWT_BEARER, { assertion, scope: 'openid' });
    expect(tokens.claims()).toMatchObject({ iss: world.issuer, sub: service.id });
    expect(await library.fetchUserInfo(config, tokens.access_token, service.id)).toMatchObject({ sub: service.id });
  });
});

describe('A device that uses openid-client', () => {
  it('asks until its user has agreed, and gets tokens', async () => {
    const tv = await world.add.client({
      projectId: await world.cast.projectP,
      authMethod: 'none',
      grantTypes: ['device_code', 'refresh_token'],
      redirectUris: [],
    });
    const config = await stage.configured(tv, library.None());
    const device = await library.initiateDeviceAuthorization(config, { scope: 'openid email offline_access' });
    await new Device(world, tv).approve({ ...device, interval: 5, verification_uri_complete: '' }, alice);
    const tokens = await library.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
    expect(tokens.claims()?.sub).toBe(alice.id);
    expect(tokens.refresh_token).toBeDefined();
  });
});

describe('openid-client, exchanging tokens (RFC 8693)', () => {
  it('gets a narrower token of the user, and one that names who acts for them', async () => {
    const client = await world.add.client({
      projectId: await world.cast.projectP,
      grantTypes: ['authorization_code', 'token_exchange'],
    });
    const config = await stage.configured(client, library.ClientSecretBasic(client.secret));
    const rp = new RelyingParty(world, client);
    const exchange = async (parameters: Record<string, string>): Promise<library.TokenEndpointResponse> => {
      const tokens = await library.genericGrantRequest(config, TOKEN_EXCHANGE, parameters);
      world.plant(tokens.access_token);
      return tokens;
    };
    const { access_token: token } = await rp.tokens(alice, { scope: 'openid email' });
    const subject = { subject_token: token, subject_token_type: ACCESS_TOKEN_TYPE };
    const narrow = await exchange({ ...subject, scope: 'openid' });
    expect(narrow).toMatchObject({ scope: 'openid', token_type: 'bearer', issued_token_type: ACCESS_TOKEN_TYPE });
    expect((await library.fetchUserInfo(config, narrow.access_token, alice.id)).email).toBeUndefined();

    const staff = await world.add.person({ orgId: alice.orgId });
    const org = { level: 'org', objectId: alice.orgId, orgId: alice.orgId } as const;
    await world.add.member(staff.id, ['ORG_END_USER_IMPERSONATOR'], org);
    await world.get(InstanceService).setImpersonation(true, EDITOR);
    await world.changesToArrive();
    const { access_token: actor } = await rp.elsewhere().tokens(staff);
    const acted = await exchange({ ...subject, actor_token: actor, actor_token_type: ACCESS_TOKEN_TYPE });
    const claims = await library.tokenIntrospection(config, acted.access_token);
    expect(claims).toMatchObject({ active: true, sub: alice.id, act: { sub: staff.id } });
  });
});
