import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { Suite } from './suite.js';

const BACK = 'https://suite.test/logged-out';

let suite: Suite;
let receiver: LogoutReceiver;
beforeAll(async () => {
  receiver = await LogoutReceiver.open();
  suite = await Suite.start('default', { OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterAll(async () => {
  await suite.world.close();
  await receiver.close();
});

describe('oidcc-backchannel-rp-initiated-logout-certification-test-plan', () => {
  it('oidcc-backchannel-logout-discovery-endpoint-verification', async () => {
    expect(await suite.world.discovery()).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      end_session_endpoint: 'https://op.test/oidc/v1/end_session',
    });
  });

  it('oidcc-backchannel-rp-initiated-logout', async () => {
    const rp = await suite.client({ backChannelLogoutUri: receiver.uri('backchannel_logout') });
    const { tokens, idToken } = await suite.pass(rp);
    const state = 'abcdefghijklmnopqrstuvwxyz-._~'.repeat(4) + '12345678';
    const request = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BACK, state };
    const { redirect } = await rp.endSession(request);
    expect([...new URL(redirect!).searchParams]).toEqual([['state', state]]);
    const [call] = await receiver.until('backchannel_logout');
    suite.world.plant(call!.token);
    expect(call!.method).toBe('POST');
    expect([...call!.parameters.keys()]).toEqual(['logout_token']);
    const claims = await rp.verify(call!.token);
    expect(claims).toMatchObject({
      iss: 'https://op.test',
      aud: rp.client.clientId,
      sub: idToken.sub,
      sid: idToken['sid'],
    });
    expect(claims['events']).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} });
    expect(typeof claims.jti).toBe('string');
    expect(claims.iat).toBeLessThanOrEqual(suite.world.now());
    expect(claims.exp).toBeGreaterThan(suite.world.now());
    expect(decodeJwt(call!.token)).not.toHaveProperty('nonce');
    const { answer } = await suite.authorize(rp, { prompt: 'none' });
    expect(answer['error']).toBe('login_required');
  });
});
