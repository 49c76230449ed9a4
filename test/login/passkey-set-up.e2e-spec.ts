import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { Authenticator } from '../support/authenticator.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { afterPassword, proofOf, setPolicy } from './factor-turns.js';
import { answer, ORIGIN, optionsOf } from './passkey-turns.js';
import { begin, errorsOf, expectRefused, pageOf } from './turns.js';

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

describe('Setting up a passkey', () => {
  /** As far as the offer, which is due. */
  async function offered(): Promise<ReturnType<typeof pageOf>> {
    await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 1 });
    world.clock.advance('1m');
    return afterPassword(web1, person);
  }

  it('is offered after a password, gives the key a name and recovery codes, and goes on', async () => {
    const offer = await offered();
    expect(offer.heading).toBe('Sign in faster next time');
    const setUp = pageOf(await web1.browser.submit(offer, { factor: 'passkey' }));
    expect(setUp.heading).toBe('Create a passkey');
    const device = new Authenticator(ORIGIN);
    const naming = pageOf(await web1.browser.submit(setUp, { credential: device.create(optionsOf(setUp)) }));
    expect([naming.heading, naming.formWith('name').fields['name']]).toEqual(['Passkey created', 'Passkey']);
    const unnamed = pageOf(await web1.browser.submit(naming, { name: 'x'.repeat(300) }));
    expect(errorsOf(unnamed)).toEqual(['Enter a name of 1 to 100 characters.']);
    const codes = pageOf(await web1.browser.submit(unnamed, { name: '<b>Phone</b>' }));
    expect(codes.heading).toBe('Keep your recovery codes');
    for (const code of codes.all('.codes code')) world.plant(code.text);
    const arrival = await web1.browser.submit(codes, { decision: 'kept' });
    expect(await proofOf(web1, arrival)).toMatchObject({ amr: ['pwd', 'user', 'mfa'] });
    const elsewhere = web1.elsewhere();
    expect(elsewhere.toAnswer(await answer(elsewhere, await begin(elsewhere), device)).code).toBeDefined();
  });

  it('can be declined, and works without a script by way back', async () => {
    const offer = await offered();
    const setUp = pageOf(await web1.browser.submit(offer, { factor: 'passkey' }));
    expect(setUp.find('form[data-passkey]')?.hasAttribute('hidden')).toBe(true);
    const back = pageOf(await web1.browser.submit(setUp, { decision: 'back' }));
    expect(back.heading).toBe('Sign in faster next time');
    expect(web1.toAnswer(await web1.browser.submit(back, { factor: 'skip' })).code).toBeDefined();
  });

  it('is not offered after a silent sign-in, and never under prompt=none', async () => {
    await web1.signIn(person);
    await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 1 });
    world.clock.advance('1m');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
    const offer = await begin(web1);
    // The session is older than the request: the password comes first.
    const next = pageOf(await web1.browser.submit(offer, { factor: 'passkey' }));
    expect(next.heading).toBe('Enter your password');
    const setUp = pageOf(await web1.browser.submit(next, { password: PASSWORD }));
    expect(setUp.heading).toBe('Create a passkey');
  });

  it('takes no form of another browser, and none out of turn [PKY-017]', async () => {
    const setUp = pageOf(await web1.browser.submit(await offered(), { factor: 'passkey' }));
    const credential = new Authenticator(ORIGIN).create(optionsOf(setUp));
    expectRefused(await web1.elsewhere().browser.submitOnce(setUp, { credential }), 403);
    const fields = setUp.forms.find((form) => 'credential' in form.fields)!.fields;
    expectRefused(await web1.browser.request('POST', paths.passkeySetUp, { ...fields, csrf: 'x', credential }), 403);
    const plain = await begin(web1.elsewhere());
    const stray = plain.formWith('loginName').fields;
    const reply = await web1.browser.request('POST', paths.passkeySetUp, { ...stray, credential });
    expect([reply.status, await world.rows('SELECT 1 FROM auth_factor WHERE user_id = $1', [person.id])]).toEqual([
      403,
      [],
    ]);
  });

  it('is tried 30 times an hour at most, whatever the browser sends', async () => {
    const limited = await startWorld({ replicaOf: world, publicUrl: ORIGIN, loginLimits: 'on' });
    try {
      let page = pageOf(await web1.browser.submit(await offered(), { factor: 'passkey' }));
      web1.browser.at = limited;
      for (let count = 0; count < 30; count += 1) {
        page = pageOf(await web1.browser.submit(page, { credential: '{}' }));
        expect(page.status).toBe(400);
      }
      const credential = new Authenticator(ORIGIN).create(optionsOf(page));
      const refused = pageOf(await web1.browser.submit(page, { credential }));
      expect([refused.status, refused.heading]).toEqual([429, 'Error: Create a passkey']);
    } finally {
      await limited.close();
    }
  });

  it('is demanded first where a second factor is', async () => {
    await setPolicy(world, orgId, { forceMfa: true });
    const offer = await afterPassword(web1, person);
    expect(offer.all('main button[name="factor"]').map((button) => button.getAttribute('value'))).toEqual([
      'passkey',
      'u2f',
      'otp',
    ]);
    const setUp = pageOf(await web1.browser.submit(offer, { factor: 'passkey' }));
    const device = new Authenticator(ORIGIN);
    const naming = pageOf(await web1.browser.submit(setUp, { credential: device.create(optionsOf(setUp)) }));
    expect(naming.heading).toBe('Passkey created');
    const elsewhere = web1.elsewhere();
    const page = await afterPassword(elsewhere, person);
    expect(page.heading).toBe('Use your security key');
    const next = pageOf(await answer(elsewhere, page, device));
    expect(next.heading).toBe('Keep your recovery codes');
  });
});
