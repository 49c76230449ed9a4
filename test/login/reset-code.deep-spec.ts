import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { UserCodes } from '../../src/user/user-codes.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import { codeIn, lastMailTo, linkIn } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { WRONG } from './factor-turns.js';
import { linkTo } from './invited.js';
import { ask, chosen, NEW, newPerson } from './reset-turns.js';
import { signInElsewhere } from './sign-in-turns.js';
import { begin, beginPassword, errorsOf, expectRefused, pageOf, setState } from './turns.js';

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

describe('A code for a new password', () => {
  async function attempt(link: string): Promise<string> {
    const page = pageOf(await web1.browser.get(link));
    const arrival = await web1.browser.submit(page, chosen);
    return arrival.page ? `${arrival.page.status} ${arrival.page.heading}` : 'signed in';
  }
  const REFUSED = '400 Error: Choose a new password';

  it.each<[string, (person: TestPerson) => Promise<string>]>([
    ['of another user', async ({ email }) => linkTo(world, email, { userID: (await newPerson(world)).id })],
    ['of another organization', async ({ email }) => linkTo(world, email, { orgID: (await world.cast.orgB).id })],
    [
      'of another kind',
      async ({ id, email }) =>
        linkTo(world, email, {
          code: (await world.transaction((tx) => world.get(UserCodes).issue(tx, id, 'email'))).reveal(),
        }),
    ],
    [
      'of before the newest mail',
      async ({ loginName, email }) => {
        const link = await linkTo(world, email);
        await ask(web1.elsewhere(), loginName);
        return link;
      },
    ],
    [
      'that is an hour and a second old',
      async ({ email }) => {
        const link = await linkTo(world, email);
        world.clock.advance('1h');
        world.clock.advance('1s');
        return link;
      },
    ],
    [
      'of an account that is locked',
      async (person) => {
        await setState(world, person, 'locked');
        return linkTo(world, person.email);
      },
    ],
    [
      'that was used',
      async ({ email }) => {
        const link = await linkTo(world, email);
        expect(await attempt(link)).toBe('signed in');
        await world.add.newPassword(
          (await world.rows<{ id: string }>('SELECT id FROM user_account WHERE email = $1', [email]))[0]!.id,
          PASSWORD,
        );
        return link;
      },
    ],
  ])('is refused when it is one %s [LOG-038]', async (_, toLink) => {
    const person = await newPerson(world);
    await ask(web1, person.loginName);
    expect(await attempt(await toLink(person))).toBe(REFUSED);
    expect((await signInElsewhere(web1, person.loginName, NEW)).redirect).toBeUndefined();
  });

  it('works once of two times at once', async () => {
    const person = await newPerson(world);
    await ask(web1, person.loginName);
    const link = await linkTo(world, person.email);
    const clients = [web1.elsewhere(), web1.elsewhere()];
    const pages = await Promise.all(clients.map(async (client) => pageOf(await client.browser.get(link))));
    const statuses = await Promise.all(
      clients.map(async (client, n) => pageOf(await client.browser.submit(pages[n]!, chosen)).status),
    );
    expect(statuses.sort()).toEqual([200, 400]);
  });

  it('is dead after ten wrong attempts by name, and the page says the same as ever [LOG-037]', async () => {
    const person = await newPerson(world);
    const page = await ask(web1, person.userName);
    const code = codeIn(world, await lastMailTo(world, person.email));
    for (let n = 0; n < 10; n += 1)
      expect(errorsOf(pageOf(await web1.browser.submit(page, { code: 'WRONG1', ...chosen })))).toEqual([WRONG]);
    expect(errorsOf(pageOf(await web1.browser.submit(page, { code, ...chosen })))).toEqual([WRONG]);
  });

  it('lets its owner sign in whom the guesses of others had locked out [LOG-034]', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on', env: { TRUSTED_PROXIES: '127.0.0.1' } });
    try {
      world.clock.advance('2h');
      const person = await newPerson(world);
      const attacker = web1.elsewhere();
      attacker.browser.at = limited;
      attacker.browser.headers = { 'X-Forwarded-For': '198.51.100.1' };
      const guess = await beginPassword(attacker, person.loginName);
      for (let n = 0; n < 12; n += 1) await attacker.browser.submitOnce(guess, { password: 'Wrong-Password-1' });
      web1.browser.at = limited;
      web1.browser.headers = { 'X-Forwarded-For': '198.51.100.2' };
      expect(
        pageOf(await web1.browser.submit(await beginPassword(web1, person.loginName), { password: person.password }))
          .status,
      ).toBe(429);
      await ask(web1, person.loginName);
      const page = pageOf(await web1.browser.get(await linkTo(world, person.email)));
      expect(web1.toAnswer(await web1.browser.submit(page, chosen)).code).toBeDefined();
      expect((await signInElsewhere(web1, person.loginName, NEW)).redirect).toBeDefined();
    } finally {
      await limited.close();
    }
  });

  it('is only on the page of its own link, and in no log', async () => {
    const person = await newPerson(world);
    const page = await ask(web1, person.loginName);
    const code = linkIn(await lastMailTo(world, person.email)).searchParams.get('code')!;
    expect(page.reply.text).not.toContain(code);
    await web1.browser.get(await linkTo(world, person.email));
    expect(world.logText()).not.toContain(code);
    expectRefused(await web1.browser.request('PUT', paths.passwordInit), 405);
    expect((await begin(web1)).status).toBe(200);
  });
});
