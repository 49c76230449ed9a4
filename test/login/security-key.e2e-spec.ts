import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Authenticator, FLAGS } from '../support/authenticator.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { afterPassword, proofOf, setPolicy, turnTo, withApp } from './factor-turns.js';
import { openSessionsOf } from './open-sessions.js';
import { answer, ORIGIN, optionsOf, withKey } from './passkey-turns.js';
import { begin, errorsOf, pageOf } from './turns.js';

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

describe('A security key', () => {
  const u2f = (): Authenticator => new Authenticator(ORIGIN, FLAGS.present);

  it('is asked for after the password, without a PIN, and says so', async () => {
    const device = await withKey(world, person, 'u2f', u2f());
    const page = await afterPassword(web1, person);
    expect(page.heading).toBe('Use your security key');
    expect(JSON.parse(optionsOf(page))).toMatchObject({
      userVerification: 'discouraged',
      allowCredentials: [{ id: device.credentialId }],
    });
    expect(await proofOf(web1, await answer(web1, page, device, { userHandle: undefined }))).toMatchObject({
      amr: ['pwd', 'user', 'mfa'],
    });
  });

  it('has other factors beside it', async () => {
    await withKey(world, person, 'u2f', u2f());
    const app = await withApp(world, person);
    const page = await afterPassword(web1, person);
    const code = await turnTo(web1, page, 'Use the authenticator app');
    expect(code.text).toContain('Use your security key');
    expect(await proofOf(web1, await web1.browser.submit(code, { code: app.code() }))).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
    });
  });

  it('is refused when it is that of another user, and does not lock the account', async () => {
    const device = await withKey(world, person, 'u2f', u2f());
    const other = await withKey(world, await world.add.person({ orgId }), 'u2f', u2f());
    const page = await afterPassword(web1, person);
    for (let count = 0; count < 12; count += 1) {
      const again = pageOf(await answer(web1, page, other));
      expect([again.status, errorsOf(again)]).toEqual([400, ['This key is not one of yours.']]);
    }
    expect(web1.toAnswer(await answer(web1, page, device)).code).toBeDefined();
  });

  it('does not sign in by itself', async () => {
    const device = await withKey(world, person, 'u2f', u2f());
    const page = pageOf(await answer(web1, await begin(web1), device));
    expect(page.status).toBe(400);
    expect(await openSessionsOf(world, person)).toEqual([]);
  });

  it('is set up where one is demanded, and asked for again after max_age [PKY-019]', async () => {
    await setPolicy(world, orgId, { forceMfa: true });
    const offer = await afterPassword(web1, person);
    const setUp = pageOf(await web1.browser.submit(offer, { factor: 'u2f' }));
    expect(setUp.heading).toBe('Add a security key');
    const device = u2f();
    const naming = pageOf(await web1.browser.submit(setUp, { credential: device.create(optionsOf(setUp)) }));
    const codes = pageOf(await web1.browser.submit(naming, { name: 'Blue key' }));
    for (const code of codes.all('.codes code')) world.plant(code.text);
    web1.toAnswer(await web1.browser.submit(codes, { decision: 'kept' }));
    world.clock.advance('10m');
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: '2' } } });
    const proof = pageOf(await web1.authorize({ claims, max_age: '60' }));
    expect(proof.heading).toBe('Enter your password');
    const key = pageOf(await web1.browser.submit(proof, { password: PASSWORD }));
    expect(key.heading).toBe('Use your security key');
    expect(await proofOf(web1, await answer(web1, key, device))).toMatchObject({
      acr: '2',
      amr: ['pwd', 'user', 'mfa'],
    });
  });
});
