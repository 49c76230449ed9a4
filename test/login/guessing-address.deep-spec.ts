import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AttemptService } from '../../src/foundation/attempt/attempt.service.js';
import type { TestPerson } from '../support/builders.js';
import { freePort } from '../support/free-port.js';
import { sendUnchecked } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { attempt, BEHIND_PROXY, failuresIn, from, PER_ACCOUNT, PER_ADDRESS, REFUSED, WRONG } from './guesses.js';
import { beginPassword, occupyHashing, untilSomebodyWaits } from './turns.js';

const LIMITED = '429 Too many attempts. Try again in 15 minutes.';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld(BEHIND_PROXY);
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1h');
  web1 = from(new RelyingParty(world, await world.cast.web1));
});

const newPerson = async (): Promise<TestPerson> => world.add.person({ orgId: (await world.cast.orgA).id });
const failures = (): Promise<number[]> => failuresIn(world);

describe('Guessing a password from an address that others share', () => {
  it('is not what colleagues do who sign in at once: some are asked to come back in a moment, and none is counted', async () => {
    const people: TestPerson[] = [];
    while (people.length < PER_ADDRESS + 20) people.push(await newPerson());
    const colleagues = await Promise.all(
      people.map(async (person) => {
        const client = from(web1.elsewhere(), '203.0.113.7');
        return { person, client, page: await beginPassword(client, person.loginName) };
      }),
    );
    // So many that few of the colleagues get a turn before the last of them has asked.
    const occupation = occupyHashing(world, 300);
    const refused: typeof colleagues = [];
    const signIns = Promise.all(
      colleagues.map(async (colleague) => {
        const answer = await attempt(colleague.client, colleague.page, colleague.person.password);
        if (answer === '429 Too many attempts. Try again in 1 minute.') refused.push(colleague);
        return answer;
      }),
    );
    while (refused.length === 0) await sleep(10);
    await occupation.end();
    const signedIn = (await signIns).filter((answer) => answer === 'signed in');
    expect(signedIn).toHaveLength(colleagues.length - refused.length);
    expect(signedIn.length).toBeGreaterThanOrEqual(PER_ADDRESS);
    const again = refused.map(({ client, page, person }) => attempt(client, page, person.password));
    expect(await Promise.all(again)).toEqual(refused.map(() => 'signed in'));
    while ((await failures()).some((count) => count > 0)) await sleep(50);
  });

  it('of a crowd that guesses is stopped until the window ends [LOG-035]', async () => {
    const pages = await Promise.all(
      Array.from({ length: PER_ADDRESS }, async (_, n) => {
        const client = from(web1.elsewhere(), '203.0.113.8');
        return { client, page: await beginPassword(client, `somebody-${n}`) };
      }),
    );
    for (const { client, page } of pages) await attempt(client, page, WRONG);
    // One after the other: at once, a busy machine would ask some to come back in a moment.
    const answers: string[] = [];
    for (const { client, page } of pages.slice(0, 20)) answers.push(await attempt(client, page, WRONG));
    expect(new Set(answers)).toEqual(new Set([LIMITED]));
    while (Math.max(...(await failures())) > PER_ADDRESS) await sleep(50);
  });

  it('closes no account once its attempts are used up [LOG-034, LOG-035]', async () => {
    const crowd = await Promise.all(
      Array.from({ length: PER_ADDRESS }, async (_, n) => {
        const client = from(web1.elsewhere(), '203.0.113.9');
        return { client, page: await beginPassword(client, `somebody-else-${n}`) };
      }),
    );
    await Promise.all(crowd.map(({ client, page }) => attempt(client, page, WRONG)));
    const [hasty, besieged] = await Promise.all([newPerson(), newPerson()]);
    const client = from(web1.elsewhere(), '203.0.113.9');
    const page = await beginPassword(client, hasty.loginName);
    for (let n = 0; n < 2 * PER_ACCOUNT; n += 1) expect(await attempt(client, page, hasty.password)).toBe(LIMITED);
    const target = await beginPassword(client, besieged.loginName);
    const atOnce = Array.from({ length: 2 * PER_ACCOUNT }, () => attempt(client, target, WRONG));
    expect(new Set(await Promise.all(atOnce))).toEqual(new Set([LIMITED]));
    for (const { loginName, password } of [hasty, besieged]) {
      const own = from(web1.elsewhere());
      expect(await attempt(own, await beginPassword(own, loginName), password)).toBe('signed in');
    }
  });

  it('does not count what has succeeded, not even while its count is on the way back [LOG-035]', async () => {
    const counter = world.get(AttemptService);
    // Rows are locked in the order of their keys, which begin with what is attempted.
    const limits = ['trial 1', 'trial 2'].map((what) => ({ what, whom: 'all', failures: 1, windowSeconds: 60 }));
    await counter.count(limits);
    for (const limit of limits) counter.giveBack(limit);
    const counted = await world.transaction(async (tx) => {
      await tx.entities.query("SELECT 1 FROM attempt WHERE key LIKE 'trial 1:%' FOR UPDATE");
      await untilSomebodyWaits(world, '%FROM attempt%FOR UPDATE%UPDATE attempt%');
      const next = counter.count(limits.slice(1));
      await sleep(100); // so that it would be done if it did not wait
      return { next };
    });
    expect(await counted.next).toBe(false);
  });

  it('of one password for many names from many addresses is limited for none of them, and is seen as a whole [LOG-035]', async () => {
    const port = await freePort();
    const watched = await startWorld({
      loginLimits: 'on',
      env: { TRUSTED_PROXIES: '127.0.0.1', METRICS_PORT: String(port) },
      replicaOf: world,
    });
    try {
      const refusals = async (): Promise<number> => {
        const { text } = await sendUnchecked(`http://127.0.0.1:${port}`, { method: 'GET', path: '/metrics' });
        const counts = [...text.matchAll(/^gatehouse_sign_ins_total\{result="refused",reason="\w+"\} (\d+)$/gm)];
        return counts.reduce((sum, [, count]) => sum + Number(count), 0);
      };
      const before = await refusals();
      for (let n = 0; n < 50; n += 1) {
        const sprayer = from(web1.elsewhere());
        sprayer.browser.at = watched;
        const page = await beginPassword(sprayer, `sprayed-${n}`);
        expect(await attempt(sprayer, page, WRONG)).toBe(`400 ${REFUSED}`);
      }
      expect(await refusals()).toBe(before + 50);
    } finally {
      await watched.close();
    }
  });
});
