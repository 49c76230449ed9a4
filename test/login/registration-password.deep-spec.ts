import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { apply, entry, register } from './registration-turns.js';
import { signInElsewhere } from './sign-in-turns.js';
import { begin, enterCode, errorsOf, expectRefused } from './turns.js';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

describe('Registration', () => {
  it('takes passwords as they are typed, from 15 to 200 characters [LOG-044]', async () => {
    const rules = 'Choose a password that meets all the rules listed here.';
    const tooLong = 'Choose a password of 200 characters or fewer.';
    const trials: Array<[string, string | undefined]> = [
      ['Aa1-xyz-Aa2-xy', rules],
      ['Aa1-xyz-Aa2-xyz', undefined],
      ['aaaaaaaaaaaaaaaaaaaa', 'This password is easy to guess. Choose another one.'],
      ['Password 2026!!!', 'This password is easy to guess. Choose another one.'],
      [`Aa1-${'x'.repeat(60)}`, undefined],
      [`Aa1-${'x'.repeat(124)}`, undefined],
      [`Aa1-${'x'.repeat(196)}`, undefined],
      [`Aa1-${'x'.repeat(197)}`, tooLong],
      [`Aa1-${'x'.repeat(20_000)}`, tooLong],
      ['  Aa1 space bar  ', undefined],
      [`Aa1 ${'😀'.repeat(11)}`, undefined],
      [`Aa1-${'😀'.repeat(196)}`, undefined],
    ];
    for (const [password, error] of trials) {
      const client = web1.elsewhere();
      const { form, page, email } = await apply(client, { password, passwordRepeat: password });
      if (error !== undefined) {
        expect(errorsOf(page)).toEqual([error]);
        continue;
      }
      expect(client.toAnswer(await enterCode(world, client, page, email)).code).toBeDefined();
      expect((await signInElsewhere(web1, form['email'] as string, password)).redirect).toBeDefined();
      if (password !== password.trim())
        expect((await signInElsewhere(web1, form['email'] as string, password.trim())).redirect).toBeUndefined();
    }
    const absurd = 'x'.repeat(1_048_576);
    expectRefused(
      await web1.browser.submitOnce(
        await begin(web1, { prompt: 'create' }),
        entry({ password: absurd, passwordRepeat: absurd }),
      ),
      400,
    );
  });

  it('distinguishes long passwords to their last character, and not how keyboards write an accent [LOG-044]', async () => {
    const pairs = [
      [`Aa1-${'a'.repeat(72)}b`, `Aa1-${'a'.repeat(72)}c`, false],
      ['Aa1-caf\u00e9-au-lait', 'Aa1-cafe\u0301-au-lait', true],
    ] as const;
    for (const [password, other, isAccepted] of pairs) {
      const { form } = await register(world, web1.elsewhere(), { password, passwordRepeat: password });
      const byOther = await signInElsewhere(web1, form['email'] as string, other);
      expect(byOther.redirect !== undefined).toBe(isAccepted);
      expect((await signInElsewhere(web1, form['email'] as string, password)).redirect).toBeDefined();
    }
  });
});
