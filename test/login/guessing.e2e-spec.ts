import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AttemptLimit, AttemptService } from '../../src/foundation/attempt/attempt.service.js';
import type { DomainError } from '../../src/foundation/error/domain-error.js';
import { ownNamesOf } from '../oidc/own-statements.js';
import type { TestPerson } from '../support/builders.js';
import { type Headers, type Reply, sendUnchecked } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';
import {
  attempt,
  attempts,
  BEHIND_PROXY,
  failuresIn,
  from,
  PER_ACCOUNT,
  PER_ADDRESS,
  REFUSED,
  WRONG,
} from './guesses.js';
import { beginPassword, errorsOf, occupyHashing, pageOf } from './turns.js';

const LIMITED = 'Too many attempts. Try again in 15 minutes.';

let world: World;
let replica: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld(BEHIND_PROXY);
  replica = await startWorld({ ...BEHIND_PROXY, replicaOf: world });
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

beforeEach(async () => {
  world.clock.advance('1h');
  web1 = from(new RelyingParty(world, await world.cast.web1));
});

const newPerson = async (): Promise<TestPerson> => world.add.person({ orgId: (await world.cast.orgA).id });
const failures = (): Promise<number[]> => failuresIn(world);

describe('Guessing a password', () => {
  it('is stopped after ten failures, for the right password too, until the window has passed, and the page says when that is [LOG-030]', async () => {
    const person = await newPerson();
    const page = await beginPassword(web1, person.loginName);
    expect(await attempts(web1, page, PER_ACCOUNT)).toEqual(
      Array.from({ length: PER_ACCOUNT }, () => `400 ${REFUSED}`),
    );
    expect(await attempts(web1, page, 2)).toEqual([`429 ${LIMITED}`, `429 ${LIMITED}`]);
    const limited = pageOf(await web1.browser.submit(page, { password: person.password }));
    expect([limited.status, errorsOf(limited), limited.reply.header('retry-after')]).toEqual([429, [LIMITED], '900']);
    world.clock.advance('14m');
    expect(await attempt(web1, page, person.password)).toBe('429 Too many attempts. Try again in 1 minute.');
    world.clock.advance('61s');
    expect(await attempt(web1, page, person.password)).toBe('signed in');
  });

  it('starts anew after a success [LOG-030]', async () => {
    const person = await newPerson();
    for (let round = 0; round < 3; round += 1) {
      const client = from(web1.elsewhere());
      const page = await beginPassword(client, person.loginName);
      expect(await attempts(client, page, PER_ACCOUNT - 1)).not.toContain(`429 ${LIMITED}`);
      expect(await attempt(client, page, person.password)).toBe('signed in');
    }
  });

  it('is stopped for an unknown name as for an existing one [LOG-028]', async () => {
    const person = await newPerson();
    const [known, unknown] = await Promise.all(
      [person.loginName, 'nobody-at-all@orga.test'].map(async (loginName) => {
        const client = from(web1.elsewhere());
        return attempts(client, await beginPassword(client, loginName), 15);
      }),
    );
    expect(unknown).toEqual(known);
    expect(unknown?.slice(-5)).toEqual(Array.from({ length: 5 }, () => `429 ${LIMITED}`));
  });

  it('is limited for an account, not for each way to write its name [LOG-030]', async () => {
    const person = await newPerson();
    const spellings = [person.userName, person.loginName, person.loginName.toUpperCase()];
    for (let n = 0; n < PER_ACCOUNT; n += 1) {
      const client = from(web1.elsewhere());
      expect(await attempt(client, await beginPassword(client, spellings[n % 2]!), WRONG)).toBe(`400 ${REFUSED}`);
    }
    for (const spelling of spellings) {
      const client = from(web1.elsewhere());
      expect(await attempt(client, await beginPassword(client, spelling), person.password)).toBe(`400 ${REFUSED}`);
    }
    world.clock.advance('16m');
    expect(await attempt(web1, await beginPassword(web1, person.userName), person.password)).toBe('signed in');
  });

  it('does not reveal that two names are one account [LOG-028]', async () => {
    const person = await newPerson();
    const [known, unknown] = await Promise.all(
      [
        [person.userName, person.loginName],
        ['nobody-here', 'nobody-here@orga.test'],
      ].map(async ([name = '', atDomain = '']) => {
        const client = from(web1.elsewhere());
        const first = await attempts(client, await beginPassword(client, name), 9);
        return [...first, ...(await attempts(client, await beginPassword(client, atDomain), 12))];
      }),
    );
    expect(known).toEqual(unknown);
    expect(known?.filter((answer) => answer === `429 ${LIMITED}`)).toHaveLength(2);
  });

  it('does not reveal it by what a refusal asks of the database either [LOG-025]', async () => {
    const person = await newPerson();
    const refusalOf = async (name: string, atDomain: string): Promise<string[]> => {
      const client = from(web1.elsewhere());
      await attempts(client, await beginPassword(client, name), PER_ACCOUNT - 1);
      const page = await beginPassword(client, atDomain);
      expect(await attempts(client, page, 2)).toEqual([`400 ${REFUSED}`, `400 ${REFUSED}`]);
      const names = await ownNamesOf(world, async () => attempt(client, page, WRONG));
      // Settings and organizations are read again whenever what is kept of them has expired.
      return names.filter((each) => /^(?:attempt|session|user|event|password_mix)\./.test(each));
    };
    const known = await refusalOf(person.userName, person.loginName);
    expect(known).toEqual(await refusalOf('nobody-here-either', 'nobody-here-either@orga.test'));
    expect(known).toContain('event.append');
  });

  it('takes a fault of ours or a busy service for no guess', async () => {
    const person = await newPerson();
    const page = await beginPassword(web1, person.loginName);
    const { action, fields } = page.forms[0]!;
    const Cookie = [...web1.browser.cookies].map((pair) => pair.join('=')).join('; ');
    const failing = async (): Promise<number> => {
      const sent = {
        method: 'POST',
        path: action,
        headers: { Cookie },
        body: { ...fields, password: person.password },
      };
      return (await sendUnchecked(world.origin, sent)).status;
    };
    const [stored] = await world.rows<{ hash: string }>(
      'SELECT password_hash AS hash FROM user_account WHERE id = $1',
      [person.id],
    );
    await world.rows("UPDATE user_account SET password_hash = '$argon2id$broken' WHERE id = $1", [person.id]);
    expect(await failing()).toBe(500);
    expect(await failures()).toEqual([]);
    await world.rows('UPDATE user_account SET password_hash = $2 WHERE id = $1', [person.id, stored!.hash]);
    // The password is right, and the session fails.
    await world.rows('ALTER TABLE session ADD CONSTRAINT broken CHECK (false) NOT VALID');
    expect(await failing()).toBe(500);
    expect(await failures()).toEqual([]);
    await world.rows('ALTER TABLE session DROP CONSTRAINT broken');
    await using _ = occupyHashing(world, 500);
    expect(await failing()).toBe(503);
    expect(await failures()).toEqual([]);
  }, 60_000);

  it('lets sign-ins of one account from one address at once wait for one another, never in a circle', async () => {
    const counter = world.get(AttemptService);
    const limits = Array.from({ length: 8 }, (_, n) => ({
      what: 'order',
      whom: `${n}`,
      failures: 1_000_000,
      windowSeconds: 60,
    }));
    for (const limit of limits) await counter.count([limit]); // so that the rows lie in another order than their keys
    await Promise.all(
      Array.from({ length: 300 }, async (_, n) =>
        n % 2 === 0 ? counter.count(limits) : counter.forgive(limits.slice(0, 4), limits.slice(4)),
      ),
    );
    const [deadlocks] = await world.rows<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(deadlocks?.deadlocks).toBe('0');
  });

  it('is counted by one statement for all tries of a moment, each as if they came one after the other [LOG-031]', async () => {
    const limits = (at: number): AttemptLimit[] => [
      { what: 'trial', whom: 'all of them', failures: 5, windowSeconds: 60 },
      { what: 'trial', whom: `pair ${at >> 1}`, failures: 1, windowSeconds: 60, isSilent: true },
    ];
    const count = async (): Promise<string[]> =>
      Promise.all(
        Array.from({ length: 8 }, async (_, at) =>
          world
            .get(AttemptService)
            .count(limits(at))
            .then(
              (isSilentExceeded) => `counted ${isSilentExceeded}`,
              (error: DomainError) => error.reason,
            ),
        ),
      );
    let outcomes: string[] = [];
    const statements = await statementsDuring(async () => {
      outcomes = await count();
    });
    expect(outcomes).toEqual([
      'counted false',
      'counted true',
      'counted false',
      'counted true',
      'counted false',
      ...Array(3).fill('attempt.too_many'),
    ]);
    expect(statements.filter((text) => text.startsWith('attempt.count:'))).toHaveLength(1);
    expect(await count()).toEqual(Array(8).fill('attempt.too_many'));
    world.clock.advance('61s');
    expect((await count()).slice(0, 2)).toEqual(['counted false', 'counted true']);
  });

  it('does not help by firing 60 tries at once at two processes [LOG-031]', async () => {
    const person = await newPerson();
    const pages = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const client = from(web1.elsewhere());
        client.browser.at = n % 2 === 0 ? world : replica;
        return { client, page: await beginPassword(client, person.loginName) };
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => pages[n % pages.length]!).map(({ client, page }) =>
        attempt(client, page, WRONG),
      ),
    );
    expect(answers.filter((answer) => answer === `400 ${REFUSED}`)).toHaveLength(PER_ACCOUNT);
    expect(answers.filter((answer) => answer === `429 ${LIMITED}`)).toHaveLength(60 - PER_ACCOUNT);
    expect((await failures()).sort((a, b) => b - a)[0]).toBe(60);
  });

  it('is counted and recorded although each try is refused [LOG-032]', async () => {
    const person = await newPerson();
    const page = await beginPassword(web1, person.loginName);
    for (let count = 1; count <= 3; count += 1) {
      await attempt(web1, page, WRONG);
      expect(await failures()).toEqual([count, count, count]); // the name, the account and the address
      const events = await world.rows(
        `SELECT 1 FROM event WHERE type = 'sign_in.password.check.failed' AND payload->>'userId' = $1`,
        [person.id],
      );
      expect(events).toHaveLength(count);
    }
  });

  it('locks no user out for longer than the window, the administrator included [LOG-034]', async () => {
    const { adminLoginName, adminPassword } = world.firstStart;
    const attacker = from(web1.elsewhere());
    const page = await beginPassword(attacker, adminLoginName);
    for (let n = 0; n < 3; n += 1) {
      await attempts(attacker, page, 15);
      world.clock.advance('15m');
    }
    expect(await attempt(web1, await beginPassword(web1, adminLoginName), adminPassword.reveal())).toBe('signed in');
  });

  it('of one password for many names is only stopped for the address [LOG-035]', async () => {
    const person = await newPerson();
    const sprayer = from(web1.elsewhere());
    const page = await beginPassword(sprayer, 'x');
    const spray = async (loginName: string): Promise<Reply> =>
      sprayer.browser.submitOnce(page, { password: WRONG, loginName });
    const statuses: number[] = [];
    for (let n = 0; n < PER_ADDRESS + 5; n += 1) statuses.push((await spray(`name-${n}`)).status);
    expect(statuses.slice(0, PER_ADDRESS)).not.toContain(429);
    expect(statuses.slice(PER_ADDRESS)).toEqual([429, 429, 429, 429, 429]);
    expect(await attempt(web1, await beginPassword(web1, person.loginName), person.password)).toBe('signed in');
  });

  it.each<[string, (n: number) => Headers]>([
    ['a new one each time', (n) => ({ 'X-Forwarded-For': `203.0.113.${n}, 192.0.2.7` })],
    ['no address at all', (n) => ({ 'X-Forwarded-For': `foo${n}, 192.0.2.7` })],
    ['an empty one', () => ({ 'X-Forwarded-For': ', 192.0.2.7' })],
    ['1,400 entries', (n) => ({ 'X-Forwarded-For': `${'10.0.0.1, '.repeat(1400)}203.0.113.${n}, 192.0.2.7` })],
    ['addresses of one IPv6 network', (n) => ({ 'X-Forwarded-For': `2001:db8:1:2:${n.toString(16)}::1` })],
    ['an IPv6 address with a zone', (n) => ({ 'X-Forwarded-For': `fe80::${n.toString(16)}%eth0` })],
  ])('counts the peer that our proxy saw, whatever the header before it claims: %s [LOG-036]', async (_, headers) => {
    const page = await beginPassword(web1, 'x');
    for (let n = 1; n <= 4; n += 1) {
      web1.browser.headers = headers(n);
      await web1.browser.submit(page, { password: WRONG, loginName: `name-${n}` });
    }
    expect(await failures()).toEqual(expect.arrayContaining([4]));
  });

  it('counts the peer itself when no proxy is trusted [LOG-036]', async () => {
    const alone = await startWorld({ loginLimits: 'on', replicaOf: world });
    try {
      web1.browser.at = alone;
      const page = await beginPassword(web1, 'x');
      for (let n = 1; n <= 4; n += 1) {
        web1.browser.headers = { 'X-Forwarded-For': `203.0.113.${n}` };
        await web1.browser.submit(page, { password: WRONG, loginName: `name-${n}` });
      }
      expect(await failures()).toEqual(expect.arrayContaining([4]));
    } finally {
      await alone.close();
    }
  });
});
