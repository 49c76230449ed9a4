import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { Authenticator, FLAGS } from '../support/authenticator.js';
import type { Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { setPolicy } from './factor-turns.js';
import { answer, ORIGIN, optionsOf, withKey } from './passkey-turns.js';
import { begin, beginPassword, errorsOf, pageOf } from './turns.js';

const COOKIE = '__Host-gatehouse-passkey';
const OFFER = 'Add a passkey to this device?';
const MOVED = 'This service has a new domain';

let world: World;
let web1: RelyingParty;
let orgId: string;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  orgId = (await world.add.org()).id;
  person = await world.add.person({ orgId });
});

/** As far as the page after the sign-in with the passkey of a phone. */
async function byPhone(phone: Authenticator, client = web1): Promise<Page> {
  return pageOf(await answer(client, await ask(client), phone, { attachment: 'cross-platform' }));
}

async function isOffered(phone: Authenticator): Promise<boolean> {
  const arrival = await answer(web1, await ask(), phone, { attachment: 'cross-platform' });
  return arrival.page?.heading === OFFER;
}

/** A page that asks for a passkey, also where the browser has a session. */
async function ask(client = web1): Promise<Page> {
  world.clock.advance('1s');
  return begin(client, { prompt: 'login' });
}

const keysOf = async ({ id }: TestPerson): Promise<number> => (await world.get(PasskeyService).list(id)).length;

describe('A sign-in with the passkey of another device', () => {
  it('offers one for this device, makes it there, and goes on', async () => {
    const page = await byPhone(await withKey(world, person));
    expect([page.status, page.heading, page.text]).toEqual([
      200,
      OFFER,
      expect.stringContaining('Next time you will not need your phone.'),
    ]);
    const setUp = pageOf(await web1.browser.submit(page, { decision: 'add' }));
    expect(setUp.heading).toBe('Create a passkey');
    expect(JSON.parse(optionsOf(setUp))).toMatchObject({
      hints: ['client-device'],
      excludeCredentials: [expect.anything()],
    });
    const laptop = new Authenticator(ORIGIN);
    const naming = pageOf(await web1.browser.submit(setUp, { credential: laptop.create(optionsOf(setUp)) }));
    expect(naming.heading).toBe('Passkey created');
    const codes = pageOf(await web1.browser.submit(naming, { name: 'Laptop' }));
    for (const code of codes.all('.codes code')) world.plant(code.text);
    expect(web1.toAnswer(await web1.browser.submit(codes, { decision: 'kept' })).code).toBeDefined();
    expect(await keysOf(person)).toBe(2);
    const next = await answer(web1, await ask(), laptop, { attachment: 'platform' });
    expect(web1.toAnswer(next).code).toBeDefined();
  });

  it('leads back to the offer from the page that would make it', async () => {
    const page = await byPhone(await withKey(world, person));
    const setUp = pageOf(await web1.browser.submit(page, { decision: 'add' }));
    expect(pageOf(await web1.browser.submit(setUp, { decision: 'back' })).heading).toBe(OFFER);
    expect(await keysOf(person)).toBe(1);
  });

  it('asks again on this device after the time of the policy, if the answer was "not now"', async () => {
    await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 600 });
    const phone = await withKey(world, person);
    expect(web1.toAnswer(await web1.browser.submit(await byPhone(phone), { decision: 'skip' })).code).toBeDefined();
    expect(web1.browser.cookies.get(COOKIE)).toBe('not-wanted');
    expect(await isOffered(phone)).toBe(false);
    // A browser forgets the cookie when its time is over.
    web1.browser.cookies.delete(COOKIE);
    expect(await isOffered(phone)).toBe(true);
  });

  it.each([
    ['skip', 'Max-Age=600'],
    ['never', 'Max-Age=31536000'],
  ])('keeps the answer in this browser alone: %s', async (decision, lifetime) => {
    await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 600 });
    const phone = await withKey(world, person);
    const page = await byPhone(phone);
    const reply = await web1.browser.submitOnce(page, { decision });
    expect(reply.headers['set-cookie']).toEqual([
      `${COOKIE}=not-wanted; ${lifetime}; Path=/; HttpOnly; SameSite=Lax; Secure`,
    ]);
    expect((await byPhone(phone, web1.elsewhere())).heading).toBe(OFFER);
  });

  it('offers nothing where the policy asks for nothing at sign-ins', async () => {
    await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 0 });
    expect(await isOffered(await withKey(world, person))).toBe(false);
  });

  it('offers nothing after a passkey of this device, or a security key', async () => {
    const here = await withKey(world, person);
    const first = await answer(web1, await begin(web1), here, { attachment: 'platform' });
    expect(web1.toAnswer(first).code).toBeDefined();
    const bound = await withKey(world, person, 'passkey', new Authenticator(ORIGIN, FLAGS.present | FLAGS.verified));
    expect(await isOffered(bound)).toBe(false);
  });

  it('gives both answers to a form that was sent twice the same offer', async () => {
    const phone = await withKey(world, person);
    const page = await begin(web1);
    const credential = phone.get(optionsOf(page), { attachment: 'cross-platform' });
    const late = web1.browser.copy();
    expect(pageOf(await web1.browser.submit(page, { credential })).heading).toBe(OFFER);
    expect(pageOf(await late.submit(page, { credential })).heading).toBe(OFFER);
  });

  it('takes no other decision', async () => {
    const page = await byPhone(await withKey(world, person));
    const again = pageOf(await web1.browser.submit(page, { decision: 'other' }));
    expect([again.status, again.path, errorsOf(again).length]).toEqual([400, paths.passkeyHere, 1]);
  });
});

describe('A passkey of another domain of the service', () => {
  beforeEach(() => setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 0 }));

  /** As if the setting PASSKEY_RP_ID had been another one then. */
  const move = (): Promise<object[]> =>
    world.rows(
      `UPDATE auth_key
       SET rp_id = 'old.test'
       WHERE factor_id IN (SELECT id FROM auth_factor WHERE user_id = $1)`,
      [person.id],
    );

  it('is not asked for, and the page says why to a browser that knows its owner [PKY-026]', async () => {
    const device = await withKey(world, person);
    web1.toAnswer(await answer(web1, await begin(web1), device, { attachment: 'platform' }));
    await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
    await move();
    const page = await ask();
    expect([page.status, page.heading, page.text]).toEqual([
      200,
      'Enter your password',
      expect.stringContaining(MOVED),
    ]);
    expect(page.text).toContain('Ask your administrator for a link to create a new passkey.');
    const refused = pageOf(await answer(web1, page, device));
    expect([refused.status, errorsOf(refused)]).toEqual([
      400,
      ['This passkey cannot be used here. Sign in another way.'],
    ]);
  });

  it('is explained to nobody else, and no longer once there is a new one [PKY-026]', async () => {
    const device = await withKey(world, person);
    web1.toAnswer(await answer(web1, await begin(web1), device, { attachment: 'platform' }));
    await move();
    expect((await beginPassword(web1.elsewhere(), person.loginName)).text).not.toContain(MOVED);
    await withKey(world, person);
    expect((await ask()).text).not.toContain(MOVED);
  });
});
