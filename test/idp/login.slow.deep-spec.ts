import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import type { TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, comeBack, leave, link, OUTBOUND } from './external.js';

/** Ten seconds would make these tests wait as long. */
const TIMEOUTS = new Timeouts(3_000);
/** How many users wait for each silent provider at the same time. */
const EACH = 4;
const DOCUMENT = '/.well-known/openid-configuration';

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

describe('A provider that is slow from the start [IDP-021]', () => {
  const SILENT: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    'accepts and stays silent': () => undefined,
    'sends its head and stops': (_, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
    'sends one byte each second': (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 1000);
      response.once('close', () => clearInterval(timer));
    },
  };

  it('is given up after the timeout, and does not delay others', async () => {
    const others = new RelyingParty(world, await world.cast.web2);
    const silentOnes = await Promise.all(
      Object.values(SILENT).map(async (handler) => {
        const upstream = await startUpstream(world);
        upstreams.push(upstream);
        upstream.lies = { answer: { [DOCUMENT]: handler } };
        return upstream;
      }),
    );
    const ids: string[] = [];
    for (const { issuer } of silentOnes) {
      const id = await addOidc(world, issuer);
      await link(world, id, alice.id, alice.orgId, 'alice-there');
      ids.push(id);
    }
    const begin = performance.now();
    let ended = 0;
    const waiting = ids.flatMap((id) =>
      Array.from({ length: EACH }, async () =>
        leave(new RelyingParty(world, await world.cast.web1), id)
          .catch((error: Error) => error.message)
          .finally(() => (ended += 1)),
      ),
    );
    await expect(others.signIn(alice)).resolves.toMatchObject({ code: expect.any(String) });
    expect(ended).toBeLessThan(waiting.length);
    for (const message of await Promise.all(waiting)) expect(message).toMatch(/answered 502/);
    expect(performance.now() - begin).toBeLessThan(EACH * TIMEOUTS.outboundMs); // not one after the other
    for (const { asked } of silentOnes) expect(asked).toEqual([DOCUMENT]); // one question for all who wait
  }, 30_000);
});
