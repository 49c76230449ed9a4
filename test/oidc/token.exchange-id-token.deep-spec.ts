import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, type JWTPayload } from 'jose';
import { KeyService } from '../../src/token/key/key.service.js';
import type { TestPerson } from '../support/builders.js';
import { type RelyingParty, tokensOf } from '../support/relying-party.js';
import { exchangeOf, ID_TOKEN_TYPE } from '../support/token-exchange.js';
import type { World } from '../support/world.js';
import { forId, ImpersonationStage, outcomeOf, REFUSED } from './impersonation-stage.js';

let stage: ImpersonationStage;
let world: World;
let alice: TestPerson;
let support: TestPerson;
let front: RelyingParty;
let back: RelyingParty;

beforeAll(async () => {
  stage = await ImpersonationStage.set();
  ({ world, alice, support, front, back } = stage);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance('1m');
  await stage.switchTo(true);
});

describe('An ID token in an exchange', () => {
  it('stands for a user who is still signed in, at the client that it was issued to [TEX-012]', async () => {
    const own = back.elsewhere();
    const { id_token: id } = await own.tokens(alice, { scope: 'openid email' });
    const subject = { subject_token_type: ID_TOKEN_TYPE };
    const { access_token: token, scope } = tokensOf(await back.token(exchangeOf(id, subject)));
    expect(scope).toBe('openid');
    expect(await stage.shown(token)).toMatchObject({ sub: alice.id, auth_time: expect.any(Number) });
    const { id_token: foreign } = await front.elsewhere().tokens(alice);
    expect(outcomeOf(await back.token(exchangeOf(foreign, subject)))).toBe(REFUSED);
    await own.endSession({ id_token_hint: id });
    expect(await stage.isActive(token)).toBe(false);
    expect(outcomeOf(await back.token(exchangeOf(id, subject)))).toBe(REFUSED);
    const { id_token: old } = await back.elsewhere().tokens(alice);
    world.clock.advance('13h');
    expect(outcomeOf(await back.token(exchangeOf(old, subject)))).toBe(REFUSED);
  });

  it('is issued in the place of an access token, and names the actor [TEX-001]', async () => {
    const over = { requested_token_type: ID_TOKEN_TYPE };
    const [subject, actor] = [await stage.tokenOf(alice), await stage.tokenOf(support)];
    const own = (await back.token(exchangeOf(subject, over))).json<Record<string, unknown>>();
    expect(own).toMatchObject({ token_type: 'N_A', issued_token_type: ID_TOKEN_TYPE });
    expect(own).not.toHaveProperty('id_token');
    const claims = decodeJwt(String(own['access_token']));
    expect(claims).toMatchObject({ sub: alice.id, aud: back.client.clientId, auth_time: expect.any(Number) });
    expect(claims.exp).toBeLessThanOrEqual(Number((await stage.shown(subject))['exp']));
    const lent = tokensOf(await stage.ask(subject, actor, over)).access_token;
    expect(decodeJwt(lent)).toMatchObject({ sub: alice.id, act: { sub: support.id, iss: world.issuer } });
    for (const token of [claims, decodeJwt(lent)]) expect(token).not.toHaveProperty('sid');
    expect(decodeJwt(lent)).not.toHaveProperty('auth_time');
    const asSubject = { subject_token_type: ID_TOKEN_TYPE };
    for (const token of [String(own['access_token']), lent])
      expect(outcomeOf(await back.token(exchangeOf(token, asSubject)))).toBe(REFUSED);
    const asActor = { actor_token: lent, actor_token_type: ID_TOKEN_TYPE };
    expect(outcomeOf(await stage.ask(alice.id, '', forId(asActor)))).toBe(REFUSED);
    expect(outcomeOf(await stage.ask(subject, actor, { ...over, audience: await world.cast.projectP }))).toMatch(
      /^invalid_target/,
    );
    const bare = await stage.tokenOf(alice, { scope: 'openid email' });
    expect(outcomeOf(await back.token(exchangeOf(bare, { ...over, scope: 'email' })))).toMatch(/^invalid_scope/);
  });

  it('says who may act for its user, in place of roles (RFC 8693 §4.4)', async () => {
    const { id_token: id } = await back.elsewhere().tokens(alice);
    const { access_token: token, id_token: ownId } = await back
      .elsewhere()
      .tokens(await world.add.person({ orgId: alice.orgId }));
    const friend = decodeJwt(ownId).sub;
    const over = { subject_token_type: ID_TOKEN_TYPE };
    expect(outcomeOf(await stage.ask(id, token, over))).toBe(REFUSED);
    expect(outcomeOf(await stage.ask(await withMayAct(id, { sub: friend }), token, over))).toBe('ok');
    const actor = await stage.tokenOf(support);
    expect(outcomeOf(await stage.ask(id, actor, over))).toBe('ok');
    for (const mayAct of [{ sub: friend }, {}, 'x', null])
      expect(outcomeOf(await stage.ask(await withMayAct(id, mayAct), actor, over))).toBe(REFUSED);
  });
});

/** The same ID token, as we would have signed it. */
async function withMayAct(idToken: string, mayAct: unknown): Promise<string> {
  const claims: JWTPayload = { ...decodeJwt(idToken), may_act: mayAct };
  return (await world.get(KeyService).signer()).sign('JWT', claims);
}
