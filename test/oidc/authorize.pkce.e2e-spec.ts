import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPkce, RelyingParty } from '../support/relying-party.js';
import { expectAuthorizeRefusal } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;
let nat1: RelyingParty;
const { challenge } = newPkce();

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
  nat1 = new RelyingParty(world, await world.cast.nat1);
});
afterAll(() => world.close());

describe('PKCE (RFC 7636, RFC 9700 §2.1.1)', () => {
  it('is required of clients without a secret [AUT-054]', async () => {
    await expectAuthorizeRefusal(
      nat1,
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    );
    await expectAuthorizeRefusal(nat1, { code_challenge: '', code_challenge_method: '' }, 'invalid_request');
  });

  it.each(['plain', undefined, '', 's256', 'S512', 'S256 '])(
    'accepts the method S256 and no other; a missing one means plain: %p [AUT-055]',
    async (method) => {
      for (const rp of [nat1, web1])
        await expectAuthorizeRefusal(
          rp,
          { code_challenge: challenge, code_challenge_method: method },
          'invalid_request',
        );
    },
  );

  it.each<[string, string | undefined]>([
    ['of 42 characters', challenge.slice(1)],
    ['of 44 characters', `${challenge}A`],
    ['of 129 characters', 'a'.repeat(129)],
    ['with padding', `${challenge.slice(1)}=`],
    ['of the other base64 alphabet', `${challenge.slice(2)}+/`],
    ['missing beside its method', undefined],
  ])('refuses a challenge %s [AUT-056]', async (_, value) => {
    for (const rp of [nat1, web1])
      await expectAuthorizeRefusal(rp, { code_challenge: value, code_challenge_method: 'S256' }, 'invalid_request');
  });

  it('is accepted from confidential clients as well', async () => {
    web1.pkce = newPkce();
    const { code } = await web1.signIn(await world.cast.alice);
    expect((await web1.redeem(code!)).status).toBe(200);
    web1.pkce = undefined;
  });
});
