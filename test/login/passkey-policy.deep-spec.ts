import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoginPolicy } from '../../src/org/policy/login-policy.entity.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { Authenticator } from '../support/authenticator.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { afterPassword, setPolicy } from './factor-turns.js';
import { linkTo } from './invited.js';
import { answer, ORIGIN, optionsOf, withKey } from './passkey-turns.js';
import { begin, enterCode, pageOf } from './turns.js';

const CLOSED = { passwordlessType: 'not_allowed' } as const;

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

async function setTerms(policy: Partial<LoginPolicy>): Promise<void> {
  await setPolicy(world, orgId, policy);
  await world.changesToArrive();
}

const make = async (page: Page): Promise<Page | undefined> =>
  (await web1.browser.submit(page, { credential: new Authenticator(ORIGIN).create(optionsOf(page)) })).page;
const keysOf = async ({ id }: Pick<TestPerson, 'id'>): Promise<number> =>
  (await world.get(PasskeyService).list(id)).length;

/** The page on which a passkey is made after a password, by the choice of its user. */
async function settingUp(): Promise<Page> {
  await setTerms({ mfaInitSkipLifetimeSeconds: 1 });
  world.clock.advance('1m');
  return pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'passkey' }));
}

describe('Where passkeys are no longer allowed while a sign-in is under way [PKY-014]', () => {
  it('the page that asks its owner for one takes it no more, and the password is asked for', async () => {
    const device = await withKey(world, person);
    web1.toAnswer(await answer(web1, await begin(web1), device));
    world.clock.advance('13h');
    const page = await begin(web1);
    expect(page.heading).toBe('Use your passkey');
    await setTerms(CLOSED);
    const refused = await answer(web1, page, device);
    expect([refused.redirect, refused.page?.heading]).toEqual([undefined, 'Error: Enter your password']);
  });

  it('none is made on a page that was open before, and the sign-in goes on without', async () => {
    const page = await settingUp();
    await setTerms({ ...CLOSED, mfaInitSkipLifetimeSeconds: 0 });
    const arrival = await web1.browser.submit(page, { credential: new Authenticator(ORIGIN).create(optionsOf(page)) });
    expect([web1.toAnswer(arrival).code, await keysOf(person)]).toEqual([expect.anything(), 0]);
  });

  it('a link of a mail adds none, on its first page and on that which asks for the key', async () => {
    await world.transaction(async (tx) =>
      world.get(PersonService).sendPasskeyLink(tx, await world.get(UserService).get(tx, person.id), EDITOR),
    );
    const opened = pageOf(await web1.browser.get(await linkTo(world, person.email)));
    const making = pageOf(await web1.browser.submit(opened, {}));
    await setTerms(CLOSED);
    expect([
      (await make(making))?.status,
      pageOf(await web1.browser.submit(opened, {})).find('form[data-passkey]'),
    ]).toEqual([400, null]);
    expect(await keysOf(person)).toBe(0);
    await setTerms({ passwordlessType: 'allowed' });
    expect((await make(making))?.heading).toBe('Your passkey is ready');
  });

  it('lets no account begin with a passkey', async () => {
    await setTerms({ allowRegister: true });
    const email = `${uniqueName('new')}@mail.test`;
    const page = await begin(web1, { prompt: 'create', scope: `openid urn:service:iam:org:id:${orgId}` });
    const entry = { email, firstName: 'New', lastName: 'Person', passkey: '' };
    const waiting = pageOf(await web1.browser.submit(page, entry));
    const press = pageOf(await enterCode(world, web1, waiting, email));
    await setTerms({ allowRegister: true, ...CLOSED });
    expect((await make(press))?.find('.codes')).toBeNull();
    const stored = await world.rows(
      `SELECT 1 FROM auth_factor f JOIN user_account u ON u.id = f.user_id WHERE u.email = $1`,
      [email],
    );
    expect(stored).toEqual([]);
  });

  it('none is offered for this device to those who have signed in with that of another', async () => {
    const offered = pageOf(
      await answer(web1, await begin(web1), await withKey(world, person), { attachment: 'cross-platform' }),
    );
    expect(offered.heading).toBe('Add a passkey to this device?');
    await setTerms(CLOSED);
    const next = await web1.browser.submit(offered, { decision: 'add' });
    expect([next.page?.find('form[data-passkey]') ?? null, await keysOf(person)]).toEqual([null, 1]);
  });
});

describe('Where a passkey no longer stands for both factors', () => {
  it('one that was used before is asked for again besides the password, or another factor is', async () => {
    const device = await withKey(world, person);
    await setTerms({ forceMfa: true });
    expect(web1.toAnswer(await answer(web1, await begin(web1), device)).code).toBeDefined();
    await setTerms({ forceMfa: true, multiFactors: [], secondFactors: ['otp'] });
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBeDefined();
    expect((await begin(web1)).heading).not.toBe('Use your passkey');
  });
});
