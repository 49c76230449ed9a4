import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import type { Arrival, Page } from '../support/browser.js';
import { PASSWORD, uniqueName } from '../support/builders.js';
import { codeIn, lastMailTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { linkTo } from './invited.js';
import { begin, beginPassword, enterCode, errorsOf, pageOf } from './turns.js';

const ATTACKERS = 'Attackers-Password-1';
const NEW = 'Another-Horse-8';
const CONFIRM = 'Confirm your e-mail address';
const CONFIRMED = 'Your e-mail address is confirmed';
const WRONG_PASSWORD = 'The current password is not correct.';
const WRONG_CODE = 'This code is not correct, or it does not work any more.';

let world: World;
let victim: RelyingParty;
let attacker: RelyingParty;
let email: string;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  victim = new RelyingParty(world, await world.cast.web1);
  attacker = victim.elsewhere();
  email = `${uniqueName('victim')}@mail.test`;
});

/** As far as the page that waits for the code. */
async function register(client: RelyingParty, password = PASSWORD, userName = ''): Promise<Page> {
  const form = { email, firstName: 'New', lastName: 'Person', userName, password, passwordRepeat: password };
  return pageOf(await client.browser.submit(await begin(client, { prompt: 'create' }), form));
}

/** Follows the link of the newest mail, and sends the form as it stands. */
async function follow(client: RelyingParty): Promise<Page> {
  const page = pageOf(await client.browser.get(await linkTo(world, email)));
  expect([page.heading, page.find('#password')]).toEqual([CONFIRM, null]);
  return pageOf(await client.browser.submit(page, { action: '' }));
}

const confirm = async (client: RelyingParty, page: Page, password: string): Promise<Page> =>
  pageOf(await client.browser.submit(page, { password, action: '' }));

async function signInWith(password: string, loginName = email): Promise<Arrival> {
  const client = victim.elsewhere();
  return client.browser.submit(await beginPassword(client, loginName), { password });
}

const isProven = async (): Promise<boolean | undefined> =>
  (
    await world.rows<{ proven: boolean }>('SELECT email_verified AS proven FROM user_account WHERE email = $1', [email])
  )[0]?.proven;

describe('An account that an attacker has registered with the address of another person', () => {
  it('is not proven by the one who reads the mail and has registered as well, before', async () => {
    const waiting = await register(victim);
    await register(attacker, ATTACKERS);
    const asking = await follow(victim);
    expect([asking.status, asking.heading, errorsOf(asking)]).toEqual([200, CONFIRM, []]);
    const refused = await confirm(victim, asking, PASSWORD);
    expect([refused.status, errorsOf(refused)]).toEqual([400, [WRONG_PASSWORD]]);
    expect(await isProven()).toBe(false);
    expect(errorsOf(pageOf(await enterCode(world, victim, waiting, email)))).toEqual([WRONG_CODE]);
    expect(errorsOf(pageOf(await signInWith(ATTACKERS)))).toEqual([]); // which leads no further than to the code of a mail
  });

  it('is gone once the other registers after, and the link of the newest mail proves the address for that one', async () => {
    const waiting = await register(attacker, ATTACKERS);
    await register(victim);
    expect(
      victim.toAnswer(
        await victim.browser.submit(pageOf(await victim.browser.get(await linkTo(world, email))), { action: '' }),
      ).code,
    ).toBeDefined();
    expect(errorsOf(pageOf(await attacker.browser.submit(waiting, { code: 'WRONG1' })))).toEqual([WRONG_CODE]);
    expect((await signInWith(ATTACKERS)).redirect).toBeUndefined();
    expect((await signInWith(PASSWORD)).redirect).toBeDefined();
  });

  it('is taken over by the owner of the mailbox by choosing a new password, which ends what the other one had', async () => {
    await register(victim);
    const name = uniqueName('somebody');
    await register(attacker, ATTACKERS, name);
    const inside = pageOf(await attacker.browser.submit(await beginPassword(attacker, name), { password: ATTACKERS }));
    expect(inside.heading).toBe(CONFIRM);
    const refused = await confirm(victim, await follow(victim), PASSWORD);
    const reset = pageOf(await victim.browser.press(refused, 'Forgot your password?'));
    await victim.browser.submit(reset, { loginName: name });
    expect(reset.forms[0]!.fields['loginName']).toContain(name);
    const choosing = pageOf(await victim.browser.get(await linkTo(world, email)));
    expect(pageOf(await victim.browser.submit(choosing, { password: NEW, passwordRepeat: NEW })).heading).toBe(
      'Your password is saved',
    );
    expect(await isProven()).toBe(true);
    expect((await signInWith(ATTACKERS, name)).redirect).toBeUndefined();
    expect((await signInWith(NEW, name)).redirect).toBeDefined();
    expect(attacker.toAnswer(await attacker.authorize({ prompt: 'none' })).error).toBe('login_required');
    // From now on no registration replaces it.
    await register(victim.elsewhere(), ATTACKERS);
    expect((await signInWith(NEW, name)).redirect).toBeDefined();
  });
});

describe('The link of the mail on another device than the one that registered', () => {
  it('proves the address with the password besides, and a wrong one spends nothing', async () => {
    await register(victim);
    const other = victim.elsewhere();
    const asking = await follow(other);
    for (const [password, error] of [
      ['', 'Enter your password.'],
      ['Wrong-Password-1', WRONG_PASSWORD],
    ] as const) {
      const refused = await confirm(other, asking, password);
      expect([refused.status, errorsOf(refused), refused.find('#password')?.getAttribute('value')]).toEqual([
        400,
        [error],
        undefined,
      ]);
    }
    expect(await isProven()).toBe(false);
    expect((await confirm(other, asking, PASSWORD)).heading).toBe(CONFIRMED);
    expect(await isProven()).toBe(true);
    expect(other.toAnswer(await other.authorize({ prompt: 'none' })).error).toBe('login_required');
    expect((await signInWith(PASSWORD)).redirect).toBeDefined();
  });

  it('looks at no password while the code is wrong', async () => {
    await register(victim);
    const other = victim.elsewhere();
    const asking = await follow(other);
    expect(
      errorsOf(pageOf(await other.browser.submit(asking, { code: 'WRONG1', password: PASSWORD, action: '' }))),
    ).toEqual([WRONG_CODE]);
    expect(
      errorsOf(
        pageOf(await other.browser.submit(asking, { code: 'WRONG1', password: 'Wrong-Password-1', action: '' })),
      ),
    ).toEqual([WRONG_CODE]);
    expect(await isProven()).toBe(false);
  });

  it('asks for the password as well where the login name was typed', async () => {
    await register(victim);
    const code = codeIn(world, await lastMailTo(world, email));
    const other = victim.elsewhere();
    const asking = pageOf(
      await other.browser.submit(pageOf(await other.browser.get(paths.mailVerification)), { loginName: email, code }),
    );
    expect([asking.status, asking.forms[0]!.fields]).toEqual([
      200,
      expect.objectContaining({ loginName: email, code, password: '' }),
    ]);
    expect((await confirm(other, asking, PASSWORD)).heading).toBe(CONFIRMED);
  });

  it('counts wrong passwords as any sign-in does', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
    try {
      await register(victim);
      const other = victim.elsewhere();
      other.browser.at = limited;
      for (let n = 0; n < 10; n += 1) await signInWithAt(limited, 'Wrong-Password-1');
      const refused = await confirm(other, await follow(other), PASSWORD);
      expect([refused.status, await isProven()]).toEqual([429, false]);
    } finally {
      await limited.close();
    }
  });
});

async function signInWithAt(at: World, password: string): Promise<void> {
  const client = victim.elsewhere();
  client.browser.at = at;
  await client.browser.submit(await beginPassword(client, email), { password });
}
