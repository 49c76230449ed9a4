import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { FactorService } from '../../src/user/factor/factor.service.js';
import { Page } from '../support/browser.js';
import { EDITOR, PASSWORD, type TestPerson } from '../support/builders.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { type App, afterPassword, newcomerUnder, proofOf, setPolicy, turnTo, WRONG, withApp } from './factor-turns.js';
import { begin, errorsOf, expectRefused, pageOf, requestIdOf } from './turns.js';

let world: World;
let web1: RelyingParty;
let person: TestPerson;
let app: App;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('5m');
  web1 = new RelyingParty(world, await world.cast.web1);
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
  app = await withApp(world, person, ['recovery-one', 'recovery-two']);
});

describe('A user with an authenticator app', () => {
  it('is asked for its code after the password, and the application learns what was checked', async () => {
    const asked = await afterPassword(web1, person, { acr_values: '2' });
    expect([asked.status, asked.heading]).toEqual([200, 'Enter your code']);
    expect(asked.find('#code')?.getAttribute('autocomplete')).toBe('one-time-code');
    world.clock.advance('10s');
    const done = await web1.browser.submit(asked, { code: app.code() });
    expect(await proofOf(web1, done)).toEqual({ amr: ['pwd', 'otp', 'mfa'], acr: '2', authTime: world.now() });
  });

  it('gets no code for the application before', async () => {
    const asked = await afterPassword(web1, person);
    const early = await web1.browser.get(`/oauth/v2/authorize/callback?id=${requestIdOf(asked)}`);
    expect(pageOf(early).heading).toBe('Enter your code');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('interaction_required');
  });

  it('is asked again for a wrong code, and for none', async () => {
    const asked = await afterPassword(web1, person);
    const wrong = pageOf(await web1.browser.submit(asked, { code: app.wrong() }));
    expect([wrong.status, errorsOf(wrong)]).toEqual([400, [WRONG]]);
    expect(wrong.find('#code')?.getAttribute('aria-describedby')).toBe('code-error');
    expect(errorsOf(pageOf(await web1.browser.submit(wrong, { code: '' })))).toEqual(['Enter the code.']);
    expect(web1.toAnswer(await web1.browser.submit(wrong, { code: app.code() })).code).toBeDefined();
  });

  it('types the code of the step before or after at most, in groups if they like', async () => {
    for (const [steps, expected] of [
      [-2, WRONG],
      [2, WRONG],
      [-1, undefined],
      [1, undefined],
    ] as const) {
      const client = web1.elsewhere();
      const arrival = await client.browser.submit(await afterPassword(client, person), {
        code: app.code(steps).replace(/(...)/, '$1 '),
      });
      expect([steps, arrival.page && errorsOf(arrival.page)[0]]).toEqual([steps, expected]);
    }
  });

  it('uses each code once, and none of a step before it any more [LOG-052]', async () => {
    const code = app.code();
    expect(web1.toAnswer(await web1.browser.submit(await afterPassword(web1, person), { code })).code).toBeDefined();
    const other = web1.elsewhere();
    const asked = await afterPassword(other, person);
    for (const used of [code, app.code(-1)])
      expect(errorsOf(pageOf(await other.browser.submit(asked, { code: used })))).toEqual([WRONG]);
    expect(other.toAnswer(await other.browser.submit(asked, { code: app.code(1) })).code).toBeDefined();
  });

  it('signs in once with a code that two browsers send at once', async () => {
    const clients = Array.from({ length: 4 }, () => web1.elsewhere());
    const pages = await Promise.all(clients.map((client) => afterPassword(client, person)));
    const arrivals = await Promise.all(
      clients.map((client, n) => client.browser.submit(pages[n]!, { code: app.code() })),
    );
    expect(arrivals.filter((arrival) => arrival.redirect !== undefined)).toHaveLength(1);
    expect(arrivals.flatMap((arrival) => (arrival.page ? errorsOf(arrival.page) : []))).toEqual([WRONG, WRONG, WRONG]);
  });

  it('continues after a second click on the same button', async () => {
    const asked = await afterPassword(web1, person);
    const replies = await Promise.all([1, 2].map(() => web1.browser.submitOnce(asked, { code: app.code() })));
    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    expect((await web1.redeem(answerOf(replies[1]!.location!)['code']!)).status).toBe(200);
  });

  it('is not asked again in the same browser until the lifetime of the check is over', async () => {
    await web1.browser.submit(await afterPassword(web1, person), { code: app.code() });
    world.clock.advance('17h');
    expect(await proofOf(web1, await web1.authorize())).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });
    world.clock.advance('1h');
    const asked = pageOf(await web1.authorize());
    expect(asked.heading).toBe('Enter your code');
    const proof = await proofOf(web1, await web1.browser.submit(asked, { code: app.code() }));
    expect(proof).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], authTime: world.now() });
  });

  it('proves both once more for prompt=login and max_age', async () => {
    await web1.browser.submit(await afterPassword(web1, person), { code: app.code() });
    world.clock.advance('2m');
    for (const over of [{ prompt: 'login' }, { max_age: 60 }]) {
      world.clock.advance('2m');
      const password = await begin(web1, over);
      expect(password.heading).toBe('Enter your password');
      const code = pageOf(await web1.browser.submit(password, { password: PASSWORD }));
      expect(code.heading).toBe('Enter your code');
      expect(web1.toAnswer(await web1.browser.submit(code, { code: app.code() })).code).toBeDefined();
    }
  });

  it('is asked where a session had begun before it was set up', async () => {
    const late = await world.add.person({ orgId: person.orgId });
    await web1.signIn(late);
    const lateApp = await withApp(world, late);
    const asked = pageOf(await web1.authorize());
    expect(asked.heading).toBe('Enter your code');
    expect(web1.toAnswer(await web1.browser.submit(asked, { code: lateApp.code() })).code).toBeDefined();
  });

  it('is not asked where the policy lists it no more, and once it is taken away', async () => {
    const stranger = await newcomerUnder(world, { secondFactors: ['u2f'] });
    await withApp(world, stranger);
    expect((await web1.signIn(stranger)).code).toBeDefined();
    await setPolicy(world, stranger.orgId, { secondFactors: ['otp'] });
    const asked = pageOf(await web1.authorize());
    expect(asked.heading).toBe('Enter your code');
    await world.transaction((tx) => world.get(FactorService).remove(tx, stranger.id, 'otp', EDITOR));
    expect(await proofOf(web1, await web1.authorize())).toMatchObject({ amr: ['pwd'] });
  });
});

describe('A recovery code', () => {
  const turn = async (client: RelyingParty): Promise<ReturnType<typeof turnTo>> =>
    turnTo(client, await afterPassword(client, person), 'Use a recovery code');

  it('substitutes for the app, once', async () => {
    const page = await turn(web1);
    expect(page.find('#code')?.getAttribute('autocomplete')).toBe('off');
    expect(await proofOf(web1, await web1.browser.submit(page, { code: ' recovery-one ' }))).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
    });
    const other = web1.elsewhere();
    const again = pageOf(await other.browser.submit(await turn(other), { code: 'recovery-one' }));
    expect(errorsOf(again)).toEqual([WRONG]);
    expect(other.toAnswer(await other.browser.submit(again, { code: 'recovery-two' })).code).toBeDefined();
  });

  it('signs in one of two browsers that send it at once', async () => {
    const clients = [web1, web1.elsewhere()];
    const pages = await Promise.all(clients.map(turn));
    const arrivals = await Promise.all(
      clients.map((client, n) => client.browser.submit(pages[n]!, { code: 'recovery-one' })),
    );
    expect(arrivals.filter((arrival) => arrival.redirect !== undefined)).toHaveLength(1);
  });

  it('of another user does not work, nor any other text', async () => {
    const stranger = await world.add.person({ orgId: person.orgId });
    await withApp(world, stranger, ['recovery-other']);
    const page = await turn(web1);
    for (const code of ['recovery-other', 'x', 'a'.repeat(300), app.wrong()]) {
      expect([code, errorsOf(pageOf(await web1.browser.submit(page, { code })))]).toEqual([code, [WRONG]]);
    }
  });

  it('leads back to the app', async () => {
    const page = await turnTo(web1, await turn(web1), 'Use the authenticator app');
    expect(web1.toAnswer(await web1.browser.submit(page, { code: app.code() })).code).toBeDefined();
  });
});

describe('The pages of second factors', () => {
  const PLACES = [
    paths.totp,
    paths.emailCode,
    paths.recoveryCode,
    paths.factorOffer,
    paths.totpSetUp,
    paths.emailCodeSetUp,
    paths.recoveryCodes,
  ];
  const FORMS = [
    { code: '123456' },
    { factor: 'skip' },
    { factor: 'otp' },
    { decision: 'kept', codes: 'x' },
    { decision: 'send' },
    { decision: 'back' },
    {},
  ];

  it('open and take nothing before the password [LOG-040]', async () => {
    const first = await begin(web1);
    const { authRequestID = '', csrf = '' } = first.forms[0]!.fields;
    for (const path of PLACES) {
      const reply = await web1.browser.request('GET', `${path}?authRequestID=${authRequestID}`);
      if (reply.status === 405) expectRefused(reply, 405);
      else expect([reply.status, new Page(reply, path).heading]).toEqual([200, 'Sign in']);
      for (const fields of FORMS) {
        const arrival = await web1.browser.post(path, { authRequestID, csrf, ...fields });
        expect([path, pageOf(arrival).heading]).toEqual([path, 'Sign in']);
      }
    }
  });

  it('do not let a user with a factor set up another one, skip it or use one of another user', async () => {
    const asked = await afterPassword(web1, person);
    const { authRequestID = '', csrf = '' } = asked.forms[0]!.fields;
    for (const path of PLACES.filter((place) => place !== paths.totp && place !== paths.recoveryCode)) {
      for (const fields of FORMS) {
        const arrival = await web1.browser.post(path, { authRequestID, csrf, ...fields });
        expect([path, pageOf(arrival).find('#code') !== null]).toEqual([path, true]);
      }
    }
    expect((await world.get(FactorService).list(person.id)).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'otp ready',
      'recovery_codes ready',
    ]);
  });

  it('take no form without the token of this browser and request [LOG-001]', async () => {
    const asked = await afterPassword(web1, person);
    const { authRequestID = '', csrf = '' } = asked.forms[0]!.fields;
    for (const path of PLACES) {
      for (const fields of [{ authRequestID }, { authRequestID, csrf: `${csrf}x` }, { csrf }]) {
        expectRefused(await web1.browser.request('POST', path, { ...fields, code: app.code() }), 403);
      }
    }
    expectRefused(
      await web1.elsewhere().browser.request('POST', paths.totp, { authRequestID, csrf, code: app.code() }),
      403,
    );
  });
});
