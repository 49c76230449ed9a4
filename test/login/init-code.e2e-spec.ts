import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { UserService } from '../../src/user/user.service.js';
import { UserCodes } from '../../src/user/user-codes.js';
import { EDITOR, PASSWORD, type TestOrg } from '../support/builders.js';
import { type Parameters, send, toQuery } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { WRONG } from './factor-turns.js';
import { chosen, open } from './init-turns.js';
import { type Invited, invite, linkTo, personRow } from './invited.js';
import { signInElsewhere } from './sign-in-turns.js';
import { errorsOf, pageOf } from './turns.js';

let world: World;
let orgA: TestOrg;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  orgA = await world.cast.orgA;
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

const invited = (): Promise<Invited> => invite(world, orgA.id);

describe('A code that sets an account up', () => {
  const tryCode = async (link: string, over: Parameters = {}): Promise<string> => {
    const arrival = await web1.browser.submit(await open(web1, link), { ...over, ...chosen });
    const { status, heading } = pageOf(arrival);
    return `${status} ${status === 200 ? heading : errorsOf(pageOf(arrival)).join()}`;
  };

  it.each<[string, (person: Invited) => Promise<string>]>([
    ['of another user', async ({ email }) => linkTo(world, email, { userID: (await invited()).id })],
    [
      'with the organization of another user',
      async ({ email }) => linkTo(world, email, { orgID: (await world.cast.orgB).id }),
    ],
    [
      'to choose a new password',
      async ({ id, email }) => linkTo(world, email, { code: await issue(id, 'password_reset') }),
    ],
    ['to prove an address', async ({ id, email }) => linkTo(world, email, { code: await issue(id, 'email') })],
    [
      'of before a new one was sent',
      async (person) => {
        const link = await linkTo(world, person.email);
        await web1.browser.submitOnce(await open(web1, link), { action: 'resend' });
        return link;
      },
    ],
    [
      'that is 72 hours and a second old',
      async ({ email }) => {
        const link = await linkTo(world, email);
        world.clock.advance('72h');
        world.clock.advance('1s');
        return link;
      },
    ],
    [
      'of an account that was deactivated',
      async ({ id, email }) => {
        await world.transaction((tx) => world.get(UserService).changeState(tx, id, 'inactive', EDITOR));
        return linkTo(world, email);
      },
    ],
  ])('is refused when it is one %s [LOG-038]', async (_, toLink) => {
    const person = await invited();
    expect(await tryCode(await toLink(person))).toBe(`400 ${WRONG}`);
    expect(await personRow(world, person.id)).toMatchObject({ password_hash: null, email_verified: false });
  });

  async function issue(userId: string, kind: 'password_reset' | 'email'): Promise<string> {
    return (await world.transaction((tx) => world.get(UserCodes).issue(tx, userId, kind))).reveal();
  }

  it('works once, also when it is sent twice at the same time [LOG-038]', async () => {
    const { email, id } = await invited();
    const link = await linkTo(world, email);
    const clients = [web1.elsewhere(), web1.elsewhere(), web1.elsewhere()];
    const pages = await Promise.all(clients.map((client) => open(client, link)));
    const passwords = ['First-Horse-1111', 'Second-Horse-222', 'Third-Horse-3333'];
    const arrivals = await Promise.all(
      clients.map((client, n) =>
        client.browser.submit(pages[n]!, { password: passwords[n], passwordRepeat: passwords[n] }),
      ),
    );
    expect(arrivals.map((arrival) => pageOf(arrival).status).sort()).toEqual([200, 400, 400]);
    expect(await tryCode(link)).toBe(`400 ${WRONG}`);
    expect(await personRow(world, id)).toMatchObject({ state: 'active' });
  });

  it('is dead after ten wrong tries, however many come at once [LOG-037]', async () => {
    const { email, id } = await invited();
    const link = await linkTo(world, email);
    for (let n = 0; n < 9; n += 1) expect(await tryCode(link, { code: 'WRONG1' })).toBe(`400 ${WRONG}`);
    const late = await invited();
    const lateLink = await linkTo(world, late.email);
    const pages = await Promise.all(
      Array.from({ length: 14 }, async () => {
        const client = web1.elsewhere();
        return { client, page: await open(client, lateLink) };
      }),
    );
    await Promise.all(
      pages.map(({ client, page }, n) => client.browser.submit(page, { code: `WRON${10 + n}`, ...chosen })),
    );
    expect(await world.rows('SELECT failures FROM user_code WHERE user_id = $1', [late.id])).toEqual([
      { failures: 10 },
    ]);
    expect(await tryCode(lateLink)).toBe(`400 ${WRONG}`);
    expect(await tryCode(link)).toBe('200 You are signed in'); // the tenth try was the right one
    expect(await personRow(world, id)).toMatchObject({ state: 'active' });
    await web1.browser.submitOnce(await open(web1, lateLink), { action: 'resend' });
    expect(await tryCode(await linkTo(world, late.email))).toBe('200 You are signed in');
  });

  it.each<[string, (form: Parameters) => string]>([
    ['without a code', ({ code: _code, ...form }) => toQuery(form)],
    ['with an empty one', (form) => toQuery({ ...form, code: '' })],
    ['with a list', ({ code: _code, ...form }) => `${toQuery(form)}&code[]=x`],
    ['with the word undefined', (form) => toQuery({ ...form, code: 'undefined' })],
    ['without a person', ({ userID: _id, ...form }) => toQuery(form)],
  ])('is needed: %s no password is stored [LOG-042]', async (_, toBody) => {
    const { email, id } = await invited();
    const { fields } = (await open(web1, await linkTo(world, email))).forms[0]!;
    const cookie = [...web1.browser.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: cookie };
    const reply = await send(world.origin, {
      method: 'POST',
      path: paths.userInit,
      headers,
      body: toBody({ ...fields, ...chosen }),
    });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(await personRow(world, id)).toMatchObject({ password_hash: null, state: 'initial' });
  });

  it('comes before any other way in [LOG-043]', async () => {
    const { userName } = await invite(world, orgA.id, { password: PASSWORD });
    expect((await signInElsewhere(web1, userName, PASSWORD)).redirect).toBeUndefined();
  });
});
