import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestPerson } from '../support/builders.js';
import { send, sendUnchecked } from '../support/http.js';
import { bearer, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { expectDead, expectInactive, expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const OFFLINE = { scope: 'openid offline_access' };

let world: World;
let replica: World;
let web1: RelyingParty;
let jwt: RelyingParty;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  web1 = new RelyingParty(world, await world.cast.web1);
  jwt = new RelyingParty(world, await world.cast.web4);
  alice = await world.cast.alice;
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

describe('POST /oauth/v2/revoke (RFC 7009)', () => {
  it('of an access token ends only that one [INT-009]', async () => {
    for (const rp of [web1, jwt]) {
      const first = await rp.tokens(alice, OFFLINE);
      const second = tokensOf(await rp.refresh(first.refresh_token));
      const reply = await rp.revoke(first.access_token);
      expect([reply.status, reply.text]).toEqual([200, '']);
      expectDead(await rp.userinfo(first.access_token));
      expect((await rp.userinfo(second.access_token)).status).toBe(200);
      expect((await rp.refresh(second.refresh_token)).status).toBe(200);
    }
  });

  it('of a refresh token ends it and every access token of its family, on every process [INT-010]', async () => {
    for (const rp of [web1, jwt]) {
      const first = await rp.tokens(alice, OFFLINE);
      const second = tokensOf(await rp.refresh(first.refresh_token));
      expect((await rp.revoke(second.refresh_token)).status).toBe(200);
      expectToken400(await rp.refresh(second.refresh_token), 'invalid_grant');
      for (const token of [first.access_token, second.access_token]) {
        for (const at of [world, replica]) expectInactive(await rp.introspect(token, {}, at));
        expectDead(await rp.userinfo(token, replica));
      }
    }
  });

  it('of a refresh token that was rotated away ends the family as well', async () => {
    const first = await web1.tokens(alice, OFFLINE);
    const second = tokensOf(await web1.refresh(first.refresh_token));
    expect((await web1.revoke(first.refresh_token)).status).toBe(200);
    expectToken400(await web1.refresh(second.refresh_token), 'invalid_grant');
    expectDead(await web1.userinfo(second.access_token));
  });

  it('by another client is refused, and the token stays active [INT-011]', async () => {
    for (const rp of [web1, jwt]) {
      const tokens = await rp.tokens(alice, OFFLINE);
      for (const name of ['web2', 'web3', 'nat1'] as const) {
        const other = new RelyingParty(world, await world.cast[name]);
        for (const token of [tokens.access_token, tokens.refresh_token])
          expectToken400(await other.revoke(token), 'invalid_grant');
      }
      expect((await rp.userinfo(tokens.access_token)).status).toBe(200);
      expect((await rp.refresh(tokens.refresh_token)).status).toBe(200);
    }
  });

  it('of an unknown, revoked or expired token is answered with 200 and an empty body [INT-012]', async () => {
    const tokens = await web1.tokens(alice, OFFLINE);
    await web1.revoke(tokens.access_token);
    for (const token of [
      'x',
      'null',
      tokens.access_token,
      tokens.id_token,
      tokens.access_token.slice(1),
      'x'.repeat(20_000),
      'é',
    ]) {
      const reply = await web1.revoke(token);
      expect([reply.status, reply.text]).toEqual([200, '']);
    }
    world.clock.advance('13h');
    expect((await web1.revoke((await web1.tokens(alice)).access_token)).status).toBe(200);
  });

  it('finds the token regardless of the hint [INT-013]', async () => {
    for (const hint of ['foo', 'refresh_token', 'access_token', '']) {
      const tokens = await web1.tokens(alice, OFFLINE);
      expect((await web1.revoke(tokens.access_token, { token_type_hint: hint })).status).toBe(200);
      expectDead(await web1.userinfo(tokens.access_token));
      expect((await web1.revoke(tokens.refresh_token, { token_type_hint: hint })).status).toBe(200);
      expectToken400(await web1.refresh(tokens.refresh_token), 'invalid_grant');
    }
  });

  it('needs one token, and a client that may ask [INT-013]', async () => {
    expectToken400(await web1.revoke('', { token: undefined }), 'invalid_request');
    expectToken400(await web1.revoke('', { token: ['x', 'y'] }), 'invalid_request');
    expectToken401(await send(world.origin, { method: 'POST', path: paths.revoke, body: { token: 'x' } }), false);
    expectToken401(
      await send(world.origin, { method: 'POST', path: paths.revoke, body: { token: 'x', client_id: 'web1' } }),
      false,
    );
  });

  it('is open to public clients, which name themselves', async () => {
    const nat1 = new RelyingParty(world, await world.cast.nat1);
    const tokens = await nat1.tokens(alice, OFFLINE);
    expect((await nat1.revoke(tokens.refresh_token)).status).toBe(200);
    expectDead(await nat1.userinfo(tokens.access_token));
  });

  it('never returns 200 when the database did not store it [INT-014]', async () => {
    const tokens = await web1.tokens(alice, OFFLINE);
    // Fails at the very last moment, the commit.
    await world.rows(
      "CREATE FUNCTION test_fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full at /var/lib/secret' USING ERRCODE = '53100'; END $$",
    );
    await world.rows(
      'CREATE CONSTRAINT TRIGGER test_fail AFTER INSERT OR UPDATE ON token_end DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_fail()',
    );
    const { headers } = await web1.credentials();
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const reply = await sendUnchecked(world.origin, { method: 'POST', path: paths.revoke, headers, body: { token } });
      expect(reply.status).toBeGreaterThanOrEqual(500);
      expect(reply.json()).toEqual({
        error: expect.stringMatching(/^(server_error|temporarily_unavailable)$/),
        error_description: expect.any(String),
      });
      expect(reply.text).not.toMatch(/disk|var|token_end|trigger|53100/);
    }
    await world.rows('DROP TRIGGER test_fail ON token_end');
    expect((await web1.userinfo(tokens.access_token)).status).toBe(200);
    expect((await web1.revoke(tokens.refresh_token)).status).toBe(200);
    expectDead(await web1.userinfo(tokens.access_token));
  });

  it('of a JWT has an effect wherever the token is shown [INT-015]', async () => {
    const scope = 'openid urn:service:iam:org:project:id:service:aud';
    const { access_token: token } = await jwt.tokens(alice, { scope });
    const admin = () => send(world.origin, { path: '/admin/v1/text/default/message/init/en', headers: bearer(token) });
    expect((await admin()).status).toBe(403);
    await jwt.revoke(token);
    expectInactive(await jwt.introspect(token));
    expectDead(await jwt.userinfo(token));
    expect((await admin()).status).toBe(401);
  });

  it('of a personal access token is refused, since it belongs to no client: never a 200 without effect', async () => {
    const { pat } = await world.cast.svc1;
    expectToken400(await web1.revoke(pat), 'invalid_grant');
    expect((await send(world.origin, { path: paths.userinfo, headers: bearer(pat) })).status).toBe(200);
  });
});
