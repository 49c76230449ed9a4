import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import type { TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, comeBack, leave, link, OUTBOUND } from './external.js';

/** Ten seconds would make this test wait as long. */
const TIMEOUTS = new Timeouts(3_000);

let world: World;
let alice: TestPerson;
const upstreams: Upstream[] = [];

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND, timeouts: TIMEOUTS });
  alice = await world.cast.alice;
});
afterAll(async () => {
  await Promise.all(upstreams.map((upstream) => upstream.close()));
  await world.close();
});

/**
 * Somebody is back from a provider that is silent at one of its addresses: how it ends for them, and after how many
 * seconds.
 */
async function backFrom(path: string): Promise<{ end: string; seconds: number }> {
  const upstream = await startUpstream(world);
  upstreams.push(upstream);
  const id = await addOidc(world, upstream.issuer, { autoRegister: true });
  const rp = new RelyingParty(world, await world.cast.web1);
  const answer = upstream.answerTo(await leave(rp, id), {
    sub: 'somebody',
    email: 'somebody@mail.test',
    email_verified: true,
  });
  upstream.lies = { answer: { [path]: silent } };
  const begin = performance.now();
  const end = await comeBack(rp.browser, answer).then(
    ({ redirect = '' }) => (redirect.includes('code=') ? 'signed in' : redirect),
    (error: Error) => error.message,
  );
  return { end, seconds: (performance.now() - begin) / 1000 };
}

let silences = 0;

function silent(_: IncomingMessage, response: ServerResponse): void {
  silences += 1;
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
}

describe('A provider that falls silent on the way back [IDP-021]', () => {
  it('is given up after the timeout, keeps no transaction open, and does not delay others', async () => {
    const waiting = Promise.all(['/token', '/keys', '/userinfo'].map(backFrom));
    const upstream = await startUpstream(world);
    upstreams.push(upstream);
    const good = await addOidc(world, upstream.issuer);
    await link(world, good, alice.id, alice.orgId, 'alice-there');
    const rp = new RelyingParty(world, await world.cast.web2);
    expect(
      rp.toAnswer(await comeBack(rp.browser, upstream.answerTo(await leave(rp, good), { sub: 'alice-there' }))).code,
    ).toBeDefined();
    while (silences < 3) await sleep(10);
    const open = await world.rows(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(open).toEqual([]);
    const [token, keys, userInfo] = await waiting;
    for (const { end, seconds } of [token!, keys!]) {
      expect(end).toMatch(/answered 502/);
      expect(seconds).toBeGreaterThan(2.5);
      expect(seconds).toBeLessThan(7);
    }
    // It only describes: the account is made of what the token says.
    expect(userInfo!.end).toBe('signed in');
    expect(userInfo!.seconds).toBeLessThan(7);
  }, 30_000);
});
