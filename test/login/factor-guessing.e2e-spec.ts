import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { UserService } from '../../src/user/user.service.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { type App, afterPassword, newcomerUnder, setLockout, turnTo, WRONG, withApp } from './factor-turns.js';
import { errorsOf, pageOf } from './turns.js';

const PER_ACCOUNT = 10;
const LIMITED = 'Too many attempts. Try again in 15 minutes.';

let world: World;
let replica: World;
let web1: RelyingParty;
let person: TestPerson;
let app: App;
let addresses = 0;

beforeAll(async () => {
  // The first hop is believed, as behind a proxy, so that a test can come from many addresses.
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  world = await startWorld({ loginLimits: 'on', env });
  replica = await startWorld({ loginLimits: 'on', env, replicaOf: world });
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

beforeEach(async () => {
  world.clock.advance('1h');
  web1 = from(new RelyingParty(world, await world.cast.web1));
  person = await newcomerUnder(world, {});
  app = await withApp(world, person, ['recovery-one']);
});

function from(client: RelyingParty): RelyingParty {
  client.browser.headers = { 'X-Forwarded-For': `198.51.100.${(addresses += 1)}` };
  return client;
}

async function verdict(client: RelyingParty, page: Page, code: string): Promise<string> {
  const arrival = await client.browser.submit(page, { code });
  return arrival.redirect === undefined ? `${arrival.page.status} ${errorsOf(arrival.page).join()}` : 'signed in';
}

async function verdicts(client: RelyingParty, page: Page, codes: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const code of codes) answers.push(await verdict(client, page, code));
  return answers;
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

async function failuresOf({ id }: TestPerson): Promise<string[]> {
  const rows = await world.rows<{ factor: string }>(
    "SELECT payload->>'factor' AS factor FROM event WHERE type = 'sign_in.mfa.check.failed' AND payload->>'userId' = $1 ORDER BY position",
    [id],
  );
  return rows.map(({ factor }) => factor);
}

async function stateOf({ id }: TestPerson): Promise<string> {
  const [row] = await world.rows<{ state: string }>('SELECT state FROM user_account WHERE id = $1', [id]);
  return row!.state;
}

describe('Guessing codes of a second factor [LOG-033, LOG-052]', () => {
  it('stops after ten, also for the right one, and begins anew after the window', async () => {
    const page = await afterPassword(web1, person);
    expect(await verdicts(web1, page, times(PER_ACCOUNT, app.wrong()))).toEqual(times(PER_ACCOUNT, `400 ${WRONG}`));
    expect(await verdicts(web1, page, [app.wrong(), app.code()])).toEqual(times(2, `429 ${LIMITED}`));
    expect((await web1.browser.submitOnce(page, { code: app.code() })).header('retry-after')).toMatch(/^\d+$/);
    expect(await failuresOf(person)).toEqual(times(PER_ACCOUNT, 'otp'));
    world.clock.advance('15m');
    expect(await verdict(web1, page, app.code())).toBe('signed in');
  });

  it('counts an account from every browser and address together, and no other account', async () => {
    const clients = times(PER_ACCOUNT, web1).map((client) => from(client.elsewhere()));
    for (const client of clients)
      expect(await verdict(client, await afterPassword(client, person), app.wrong())).toBe(`400 ${WRONG}`);
    expect(await verdict(web1, await afterPassword(web1, person), app.code())).toBe(`429 ${LIMITED}`);
    const stranger = await newcomerUnder(world, {});
    const theirs = await withApp(world, stranger);
    const client = web1.elsewhere();
    expect(await verdict(client, await afterPassword(client, stranger), theirs.code())).toBe('signed in');
  });

  it('counts codes of the app and recovery codes together', async () => {
    const page = await afterPassword(web1, person);
    const recovery = await turnTo(web1, page, 'Use a recovery code');
    await verdicts(web1, page, times(PER_ACCOUNT - 1, app.wrong()));
    expect(await verdicts(web1, recovery, ['x', 'recovery-one'])).toEqual([`400 ${WRONG}`, `429 ${LIMITED}`]);
    expect(await failuresOf(person)).toEqual([...times(PER_ACCOUNT - 1, 'otp'), 'recovery_codes']);
  });

  it('is forgiven by a right code', async () => {
    const page = await afterPassword(web1, person);
    await verdicts(web1, page, times(PER_ACCOUNT - 1, app.wrong()));
    expect(await verdict(web1, page, app.code())).toBe('signed in');
    world.clock.advance('1m');
    const other = web1.elsewhere();
    const again = await afterPassword(other, person);
    expect(await verdicts(other, again, times(PER_ACCOUNT - 1, app.wrong()))).toEqual(
      times(PER_ACCOUNT - 1, `400 ${WRONG}`),
    );
    expect(await verdict(other, again, app.code())).toBe('signed in');
  });

  it('at once over two replicas is evaluated ten times, and the counter has each attempt', async () => {
    const page = await afterPassword(web1, person);
    const second = new RelyingParty(world, web1.client, web1.browser.copy());
    second.browser.at = replica;
    const tries = times(30, [web1, second]).flat();
    const answers = await Promise.all(
      tries.map(async ({ browser }) => (await browser.submitOnce(page, { code: app.wrong() })).status),
    );
    expect(answers.filter((status) => status === 400)).toHaveLength(PER_ACCOUNT);
    expect(answers.filter((status) => status === 429)).toHaveLength(tries.length - PER_ACCOUNT);
    expect(await failuresOf(person)).toHaveLength(PER_ACCOUNT);
  });

  it('stops the first code of a factor that is being set up as well', async () => {
    const newcomer = await newcomerUnder(world, { forceMfa: true });
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, newcomer), { factor: 'otp' }));
    world.plant(setUp.find('code')!.text);
    const answers = await verdicts(web1, setUp, times(PER_ACCOUNT + 1, 'abc'));
    expect(answers).toEqual([...times(PER_ACCOUNT, `400 ${WRONG}`), `429 ${LIMITED}`]);
  });
});

describe('A lockout policy for codes', () => {
  beforeEach(async () => {
    await setLockout(world, person.orgId, { maxOtpAttempts: 3 });
  });

  it('locks the account at the limit, and only there; nothing opens it but an administrator', async () => {
    const page = await afterPassword(web1, person);
    await verdicts(web1, page, times(2, app.wrong()));
    expect(await stateOf(person)).toBe('active');
    // The session has ended with it, so that the page is that of the password.
    expect(await verdict(web1, page, app.wrong())).toBe('200 ');
    expect(await stateOf(person)).toBe('locked');
    const after = pageOf(await web1.browser.submit(page, { code: app.code() }));
    expect(after.heading).toContain('Enter your password');
    expect(errorsOf(pageOf(await web1.browser.submit(after, { password: person.password })))).toEqual([
      'Your account is locked. Please ask your administrator to unlock it.',
    ]);
    world.clock.advance('1d');
    const late = web1.elsewhere();
    expect(pageOf(await late.enter(await late.authorize(), person)).heading).toContain('Enter your password');

    await world.transaction(async (tx) => {
      const users = world.get(UserService);
      await users.unlock(tx, await users.get(tx, person.id), EDITOR);
    });
    const open = web1.elsewhere();
    const asked = await afterPassword(open, person);
    expect(await verdicts(open, asked, times(2, app.wrong()))).toEqual(times(2, `400 ${WRONG}`));
    expect(await verdict(open, asked, app.code())).toBe('signed in');
  });

  it('counts failures in a row: a right code gives all tries back, a right password none', async () => {
    const page = await afterPassword(web1, person);
    await verdicts(web1, page, times(2, app.wrong()));
    expect(await verdict(web1, page, app.code())).toBe('signed in');
    world.clock.advance('1m');
    const other = web1.elsewhere();
    const again = await afterPassword(other, person);
    await verdicts(other, again, times(2, app.wrong()));
    await afterPassword(other.elsewhere(), person);
    expect(await stateOf(person)).toBe('active');
    await verdict(other, again, app.wrong());
    expect(await stateOf(person)).toBe('locked');
  });

  it('counts every try of many at once, and the right one among them does not stay signed in', async () => {
    const page = await afterPassword(web1, person);
    await Promise.all([...times(5, app.wrong()), app.code()].map((code) => web1.browser.submitOnce(page, { code })));
    const [row] = await world.rows<{ locked: number }>(
      "SELECT count(*)::int AS locked FROM event WHERE type = 'user.state.locked' AND aggregate_id = $1",
      [person.id],
    );
    expect(row!.locked).toBe((await stateOf(person)) === 'locked' ? 1 : 0);
    const next = await web1.browser.get(`${paths.hub}?authRequestID=${page.forms[0]!.fields['authRequestID']}`);
    // Unless the account is locked, the cookie of whichever answer came last decides.
    if ((await stateOf(person)) === 'locked') expect(next.redirect).toBeUndefined();
  });

  it('of passwords is another count', async () => {
    await setLockout(world, person.orgId, { maxPasswordAttempts: 3, maxOtpAttempts: 0 });
    const page = await afterPassword(web1, person);
    await verdicts(web1, page, times(5, app.wrong()));
    expect(await stateOf(person)).toBe('active');
    expect(await verdict(web1, page, app.code())).toBe('signed in');
  });

  it('does not remember failures from before a right code, also if codes had no limit then', async () => {
    const page = await afterPassword(web1, person);
    await verdicts(web1, page, times(2, app.wrong()));
    await setLockout(world, person.orgId, { maxOtpAttempts: 0 });
    expect(await verdict(web1, page, app.code())).toBe('signed in');
    await setLockout(world, person.orgId, { maxOtpAttempts: 3 });
    world.clock.advance('1m');
    const other = web1.elsewhere();
    await verdicts(other, await afterPassword(other, person), times(2, app.wrong()));
    expect(await stateOf(person)).toBe('active');
  });

  it('proves nothing by the right code that comes while the account is locked, also not once it is unlocked', async () => {
    const page = await afterPassword(web1, person);
    const sending = await world.transaction(async (tx) => {
      await world.get(UserService).change(tx, person.id, { state: 'locked' }, 'user.state.locked', EDITOR);
      const answer = web1.browser.submit(page, { code: app.code() });
      const waiting =
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%factor_checked_at%'";
      const isWaiting = async (): Promise<void> => {
        for (let n = 0; n < 500 && (await world.rows(waiting)).length === 0; n += 1) await sleep(10);
      };
      await Promise.race([answer, isWaiting()]);
      return { answer };
    });
    await sending.answer;
    await world.transaction((tx) => world.get(UserService).changeState(tx, person.id, 'active', EDITOR));
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('interaction_required');
  });
});
