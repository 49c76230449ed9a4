import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { FactorService } from '../../src/user/factor/factor.service.js';
import { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { App, afterPassword, newcomerUnder, proofOf, setPolicy, turnTo, WRONG, withApp } from './factor-turns.js';
import { begin, buttonsOf, errorsOf, lookAgain, pageOf } from './turns.js';

const OFFER = 'Add a second step';
const SET_UP = 'Set up your authenticator app';
const CODES = 'Keep your recovery codes';
const ENTER = 'Enter your code';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('5m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

const forced = (): Promise<TestPerson> => newcomerUnder(world, { forceMfa: true });
const factorsOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.get(FactorService).list(id)).map(({ kind, state }) => `${kind} ${state}`);

/** The app as it would be after scanning the page. */
function appOn(page: Page): App {
  return new App(world, page.find('code')!.text.replaceAll(' ', ''));
}

function codesOn(page: Page): string[] {
  const codes = page.all('.codes code').map((element) => element.text);
  for (const code of codes) world.plant(code);
  return codes;
}

describe('A policy that forces a second factor', () => {
  it('leads through setting up an app, and through its recovery codes, to the application', async () => {
    const person = await forced();
    const offer = await afterPassword(web1, person, { acr_values: '1' });
    expect([offer.heading, buttonsOf(offer)]).toEqual([OFFER, ['Use an authenticator app']]);
    const setUp = pageOf(await web1.browser.submit(offer, { factor: 'otp' }));
    expect(setUp.heading).toBe(SET_UP);
    const uri = new URL(
      setUp
        .all('a')
        .find(({ text }) => text === 'Open in an app on this device')!
        .getAttribute('href')!,
    );
    expect(uri.searchParams.get('issuer')).toMatch(/^org-\d+\.test$/);
    expect(decodeURIComponent(uri.pathname)).toContain(person.loginName);
    expect(uri.searchParams.get('secret')).toBe(setUp.find('code')!.text.replaceAll(' ', ''));
    expect(setUp.find('svg.qr-code path')).not.toBeNull();

    world.clock.advance('40s');
    const kept = pageOf(await web1.browser.submit(setUp, { code: appOn(setUp).code() }));
    expect(kept.heading).toBe(CODES);
    const codes = codesOn(kept);
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(new Set(codes).size).toBe(10);
    const done = await web1.browser.submit(kept, { decision: 'kept' });
    expect(await proofOf(web1, done)).toEqual({ amr: ['pwd', 'otp', 'mfa'], acr: '2', authTime: world.now() });
    expect(await factorsOf(person)).toEqual(['otp ready', 'recovery_codes ready']);
  });

  it('holds in each browser until it is met, whatever is sent', async () => {
    const offer = await afterPassword(web1, await forced());
    for (const fields of [
      { factor: 'skip' },
      { factor: '' },
      { factor: 'u2f' },
      { factor: 'otp_email' },
      { factor: 'recovery_codes' },
    ]) {
      const again = pageOf(await web1.browser.submit(offer, fields));
      expect([fields, again.status, again.heading]).toEqual([fields, 400, 'Error: Add a second step']);
    }
    const { authRequestID = '' } = offer.forms[0]!.fields;
    expect(pageOf(await web1.browser.get(`/oauth/v2/authorize/callback?id=${authRequestID}`)).heading).toBe(OFFER);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('interaction_required');
  });

  it('stops users if it lists none that can be set up, and says whom to ask', async () => {
    const person = await newcomerUnder(world, { forceMfa: true, secondFactors: ['u2f', 'otp_sms'] });
    const stopped = await afterPassword(web1, person);
    expect([stopped.status, stopped.heading]).toEqual([403, 'A second step is needed']);
  });

  it('is only required of those who sign in here, if it says so', async () => {
    const person = await newcomerUnder(world, { forceMfaLocalOnly: true });
    expect((await afterPassword(web1, person)).heading).toBe(OFFER);
  });

  it('is met at the next request of a session that had begun before', async () => {
    const person = await newcomerUnder(world, {});
    await web1.signIn(person);
    await setPolicy(world, person.orgId, { forceMfa: true });
    expect(pageOf(await web1.authorize()).heading).toBe(OFFER);
  });
});

describe('Setting up an app', () => {
  it('asks again for a wrong code with the same seed, which need not be scanned again', async () => {
    const person = await forced();
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const app = appOn(setUp);
    const wrong = pageOf(await web1.browser.submit(setUp, { code: app.wrong() }));
    expect([wrong.status, errorsOf(wrong), appOn(wrong).code()]).toEqual([400, [WRONG], app.code()]);
    expect(errorsOf(pageOf(await web1.browser.submit(wrong, { code: '' })))).toEqual(['Enter the code.']);
    const reloaded = pageOf(await lookAgain(web1, setUp));
    expect(appOn(reloaded).code()).toBe(app.code());
    expect(await factorsOf(person)).toEqual(['otp pending']);
    expect(pageOf(await web1.browser.submit(reloaded, { code: app.code() })).heading).toBe(CODES);
  });

  it('uses up the code that proves it', async () => {
    const person = await forced();
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const app = appOn(setUp);
    await web1.browser.submit(pageOf(await web1.browser.submit(setUp, { code: app.code() })), { decision: 'kept' });
    const other = web1.elsewhere();
    const asked = await afterPassword(other, person);
    expect(errorsOf(pageOf(await other.browser.submit(asked, { code: app.code() })))).toEqual([WRONG]);
    expect(other.toAnswer(await other.browser.submit(asked, { code: app.code(1) })).code).toBeDefined();
  });

  it('can be left for another way', async () => {
    const person = await forced();
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const offer = pageOf(await web1.browser.submit(setUp, { decision: 'back' }));
    expect([offer.heading, await factorsOf(person)]).toEqual([OFFER, []]);
  });

  it('begun in one browser does not continue in another: an attacker may have seen the seed', async () => {
    const person = await forced();
    const first = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const other = web1.elsewhere();
    const offer = await afterPassword(other, person);
    expect(offer.heading).toBe(OFFER);
    const second = pageOf(await other.browser.submit(offer, { factor: 'otp' }));
    expect(appOn(second).code()).not.toBe(appOn(first).code());
    expect(pageOf(await web1.browser.submit(first, { code: appOn(first).code() })).heading).toBe(OFFER);
    expect(pageOf(await other.browser.submit(second, { code: appOn(second).code() })).heading).toBe(CODES);
    expect(pageOf(await web1.browser.submit(first, { code: appOn(first).code() })).heading).toBe(ENTER);
  });

  it('two at once in one browser sets up one factor', async () => {
    const person = await forced();
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const replies = await Promise.all([1, 2].map(() => web1.browser.submitOnce(setUp, { code: appOn(setUp).code() })));
    expect(replies.map((reply) => new Page(reply, '').heading)).toContain(CODES);
    expect(await factorsOf(person)).toEqual(['otp ready', 'recovery_codes pending']);
  });

  it('that is not finished is forgotten after a day', async () => {
    const person = await forced();
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    appOn(setUp);
    world.clock.advance('23h');
    await world.get(HousekeepingService).run();
    expect(await factorsOf(person)).toEqual(['otp pending']);
    world.clock.advance('2h');
    await world.get(HousekeepingService).run();
    expect(await factorsOf(person)).toEqual([]);
  });

  it('leaves nothing of the seed in the database but what is sealed [STO-001]', async () => {
    const person = await forced();
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const seed = setUp.find('code')!.text.replaceAll(' ', '');
    const [row] = await world.rows<Record<string, unknown>>('SELECT * FROM auth_factor WHERE user_id = $1', [
      person.id,
    ]);
    expect(row!['secret']).toMatch(/^v1\./);
    const journal = await world.rows('SELECT type, payload FROM event WHERE aggregate_id = $1', [person.id]);
    expect(JSON.stringify([row, journal])).not.toContain(seed);
    expect(journal).toContainEqual({ type: 'user.human.mfa.otp.added', payload: {} });
  });
});

describe('Recovery codes', () => {
  const asFarAsCodes = async (person: TestPerson): Promise<{ app: App; page: Page }> => {
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const app = appOn(setUp);
    return { app, page: pageOf(await web1.browser.submit(setUp, { code: app.code() })) };
  };

  it('that were saved sign in, in any spelling, each once', async () => {
    const person = await forced();
    const { page } = await asFarAsCodes(person);
    const [first = '', second = ''] = codesOn(page);
    await web1.browser.submit(page, { decision: 'kept' });
    for (const [typed, works] of [
      [first, true],
      [first, false],
      [` ${second.toLowerCase().replace('-', ' ')} `, true],
    ] as const) {
      const other = web1.elsewhere();
      const asked = await turnTo(other, await afterPassword(other, person), 'Use a recovery code');
      const arrival = await other.browser.submit(asked, { code: typed });
      expect(arrival.redirect !== undefined).toBe(works);
    }
    const [row] = await world.rows<{ recovery_hashes: string[] }>(
      "SELECT recovery_hashes FROM auth_factor WHERE user_id = $1 AND kind = 'recovery_codes'",
      [person.id],
    );
    expect(row!.recovery_hashes).toHaveLength(8);
    for (const hash of row!.recovery_hashes) expect(hash).toMatch(/^\$argon2id\$/);
  });

  it('are those of the page that was sent off: reloading it shows others, and before that none works', async () => {
    const person = await forced();
    const { app, page } = await asFarAsCodes(person);
    const [early = ''] = codesOn(page);
    const reloaded = pageOf(await lookAgain(web1, page));
    expect(codesOn(reloaded)).not.toContain(early);
    const other = web1.elsewhere();
    world.clock.advance('30s');
    const asked = await afterPassword(other, person);
    expect(asked.all('.ways a, .ways button')).toHaveLength(0);
    expect(codesOn(pageOf(await other.browser.submit(asked, { code: app.code() })))).not.toContain(early);
    await web1.browser.submit(reloaded, { decision: 'kept' });
    const late = web1.elsewhere();
    const turned = await turnTo(late, await afterPassword(late, person), 'Use a recovery code');
    expect(errorsOf(pageOf(await late.browser.submit(turned, { code: early })))).toEqual([WRONG]);
    expect(late.toAnswer(await late.browser.submit(turned, { code: codesOn(reloaded)[0] })).code).toBeDefined();
  });

  it('cannot be chosen by the sender of the form', async () => {
    const person = await forced();
    const { page } = await asFarAsCodes(person);
    const strangers = await newcomerUnder(world, { forceMfa: true });
    const theirs = web1.elsewhere();
    const setUp = pageOf(await theirs.browser.submit(await afterPassword(theirs, strangers), { factor: 'otp' }));
    const theirPage = pageOf(await theirs.browser.submit(setUp, { code: appOn(setUp).code() }));
    const foreign = theirPage.forms[0]!.fields['codes']!;
    const own = page.forms[0]!.fields['codes']!;
    for (const codes of [foreign, `${own}A`, own.slice(0, -2), '', 'x', '["a"]']) {
      const again = pageOf(await web1.browser.submit(page, { codes, decision: 'kept' }));
      expect([codes, again.status, again.heading]).toEqual([codes, 400, `Error: ${CODES}`]);
    }
    expect(await factorsOf(person)).toEqual(['otp ready', 'recovery_codes pending']);
  });

  it('wait for users who leave before they have saved them, in any browser', async () => {
    const person = await forced();
    const { app } = await asFarAsCodes(person);
    const late = web1.elsewhere();
    world.clock.advance('60d');
    await world.get(HousekeepingService).run();
    const page = pageOf(await late.browser.submit(await afterPassword(late, person), { code: app.code() }));
    const [code = ''] = codesOn(page);
    expect(late.toAnswer(await late.browser.submit(page, { decision: 'kept' })).code).toBeDefined();
    const third = web1.elsewhere();
    const asked = await turnTo(third, await afterPassword(third, person), 'Use a recovery code');
    expect(third.toAnswer(await third.browser.submit(asked, { code })).code).toBeDefined();
  });

  it('never keep a request without a page from its answer', async () => {
    const person = await forced();
    await asFarAsCodes(person);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
    expect(pageOf(await web1.authorize()).heading).toBe(CODES);
  });

  it('are removed with the factor that they substitute for', async () => {
    const person = await world.add.person({ orgId: (await world.cast.orgA).id });
    await withApp(world, person, ['recovery-x']);
    await world.transaction((tx) => world.get(FactorService).remove(tx, person.id, 'otp', EDITOR));
    expect(await factorsOf(person)).toEqual([]);
  });
});

describe('A policy that lists second factors', () => {
  const offered = (over = {}): Promise<TestPerson> =>
    newcomerUnder(world, { mfaInitSkipLifetimeSeconds: 86_400, ...over });

  it('offers one once the account is as old as a declined offer stands, and again when that is over', async () => {
    const person = await offered();
    expect((await web1.enter(await web1.authorize(), person)).redirect).toBeDefined();
    world.clock.advance('1d');
    const offer = pageOf(await web1.authorize());
    expect([offer.heading, buttonsOf(offer)]).toEqual([OFFER, ['Use an authenticator app', 'Not now']]);
    expect(await proofOf(web1, await web1.browser.submit(offer, { factor: 'skip' }))).toMatchObject({ amr: ['pwd'] });
    world.clock.advance('23h');
    expect(web1.toAnswer(await web1.authorize()).code).toBeDefined();
    world.clock.advance('1h');
    expect(pageOf(await web1.authorize()).heading).toBe(OFFER);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
  });

  it('offers none where the time is nothing, or none can be had here', async () => {
    for (const over of [{ mfaInitSkipLifetimeSeconds: 0 }, { secondFactors: ['u2f' as const] }]) {
      const client = web1.elsewhere();
      const person = await offered(over);
      world.clock.advance('3d');
      expect((await client.enter(await client.authorize(), person)).redirect).toBeDefined();
    }
  });

  it('lets the person set one up, and asks for it from then on', async () => {
    const person = await offered();
    world.clock.advance('2d');
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const kept = pageOf(await web1.browser.submit(setUp, { code: appOn(setUp).code() }));
    expect(await proofOf(web1, await web1.browser.submit(kept, { decision: 'kept' }))).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
    });
    const other = web1.elsewhere();
    expect((await afterPassword(other, person)).heading).toBe(ENTER);
  });

  it('lets users skip what they have begun', async () => {
    const person = await offered();
    world.clock.advance('2d');
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const offer = pageOf(await web1.browser.submit(setUp, { decision: 'back' }));
    expect(web1.toAnswer(await web1.browser.submit(offer, { factor: 'skip' })).code).toBeDefined();
  });
});

describe('A request for two factors', () => {
  const essential = { claims: JSON.stringify({ id_token: { acr: { essential: true, value: '2' } } }) };

  it('demands one that is set up on the way (OIDC Core §5.5.1.1)', async () => {
    const person = await newcomerUnder(world, {});
    const offer = await afterPassword(web1, person, essential);
    expect(buttonsOf(offer)).toEqual(['Use an authenticator app']);
    const setUp = pageOf(await web1.browser.submit(offer, { factor: 'otp' }));
    const kept = pageOf(await web1.browser.submit(setUp, { code: appOn(setUp).code() }));
    expect(await proofOf(web1, await web1.browser.submit(kept, { decision: 'kept' }))).toMatchObject({ acr: '2' });
    expect(await proofOf(web1, await web1.authorize(essential))).toMatchObject({ acr: '2' });
  });

  it('adds a factor to a session with one, and without a page says so', async () => {
    const person = await newcomerUnder(world, {});
    await web1.signIn(person);
    expect(pageOf(await web1.authorize(essential)).heading).toBe(OFFER);
    expect(web1.toAnswer(await web1.authorize({ ...essential, prompt: 'none' })).error).toBe('interaction_required');
    expect(web1.toAnswer(await web1.authorize()).code).toBeDefined();
  });

  it('is refused where the policy lists none that can be had', async () => {
    const person = await newcomerUnder(world, { secondFactors: [] });
    const end = await web1.enter(await web1.authorize(essential), person);
    expect(answerOf(end.redirect!)).toMatchObject({ error: 'unmet_authentication_requirements', state: 'S1' });
  });

  it('merely offers a second factor if it is voluntary (acr_values)', async () => {
    const person = await newcomerUnder(world, {});
    const offer = await afterPassword(web1, person, { acr_values: '2' });
    expect(offer.heading).toBe(OFFER);
    expect(await proofOf(web1, await web1.browser.submit(offer, { factor: 'skip' }))).toMatchObject({ acr: '1' });
    expect(web1.toAnswer(await web1.authorize({ acr_values: '2', prompt: 'none' })).code).toBeDefined();
    expect(web1.toAnswer(await web1.authorize({ acr_values: '2 1' })).code).toBeDefined();
  });

  it('is possible according to discovery, and when signed out', async () => {
    expect((await world.discovery())['acr_values_supported']).toEqual(['1', '2']);
    expect((await begin(web1.elsewhere(), essential)).heading).toBe('Sign in');
  });
});
