import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { CALLS_PER_CLIENT } from '../../src/session/logout-queue.js';
import { SessionService } from '../../src/session/session.service.js';
import { LogoutWorker } from '../../src/token/logout/logout-worker.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { startProcess } from '../support/service-process.js';
import { openSink } from '../support/sink.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';
import { LogoutStage, type ToldApplication } from './logout-stage.js';

const OUTBOUND = { OUTBOUND_ALLOW: '127.0.0.0/8' };
/** What the outbound client opens to one host for one organization. */
const CALLS_PER_HOST = 8;

/** Its worker calls nobody: each test starts one of its own. */
let world: World;
let receiver: LogoutReceiver;
let stage: LogoutStage;
let owner: AdminApi;

beforeAll(async () => {
  receiver = await LogoutReceiver.open();
  world = await startWorld({ env: OUTBOUND });
  await world.get(LogoutWorker).onModuleDestroy();
  stage = new LogoutStage(world, receiver);
  owner = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER'])).api;
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

async function end(sid: string): Promise<void> {
  await world.transaction((tx) => world.get(SessionService).end(tx, [sid]));
}

async function run(at: World): Promise<void> {
  await at.get(LogoutWorker).run();
}

describe('A notice', () => {
  it('is sent again, with another jti and for another two minutes, if the process is killed after the call [BCL-006]', async () => {
    const application = await stage.application();
    const { tokens } = await stage.use(application, await stage.person());
    await end(decodeJwt(tokens.id_token)['sid'] as string);
    const settings = {
      DATABASE_URL: world.database.url,
      PUBLIC_URL: world.issuer,
      MASTER_KEY: world.config.secrets.masterKey!.reveal(),
    };
    const held: ServerResponse[] = [];
    receiver.will(application.name, (response) => held.push(response));
    const process = await startProcess({ ...OUTBOUND, ...settings });
    const [first] = await receiver.until(application.name);
    await process.kill();
    held[0]!.end();
    const successor = await startWorld({ replicaOf: world, env: OUTBOUND });
    await run(successor);
    expect(receiver.calls(application.name)).toHaveLength(1); // The claim has not expired.
    world.clock.advance('5m');
    await run(successor);
    const calls = receiver.calls(application.name);
    expect(calls).toHaveLength(2);
    const [before, after] = [decodeJwt(first!.token), decodeJwt(calls[1]!.token)];
    const { jti, iat, exp, ...same } = after;
    expect({ ...before, ...same }).toEqual(before);
    expect([iat, exp, jti === before.jti]).toEqual([world.now(), world.now() + 120, false]);
    expect(await stage.noticesOf(application)).toEqual([{ state: 'delivered', tries: 2, reason: '' }]);
    await successor.close();
    await process.close();
  });

  it('that meets no response is given up after the fourth call, and delays no other [BCL-005, BCL-007]', async () => {
    const hasty = await startWorld({ replicaOf: world, env: OUTBOUND, timeouts: new Timeouts(1_000) });
    const there = new LogoutStage(hasty, receiver);
    const applications = await Promise.all(Array.from({ length: 10 }, () => there.application()));
    const [hanging, ...others] = applications as [ToldApplication, ...ToldApplication[]];
    receiver.will(hanging.name, ...Array<() => void>(4).fill(() => undefined));
    const person = await there.person();
    const { rp, tokens } = await there.use(hanging, person);
    for (const other of others) await there.use(other, person, rp.browser);
    const back = 'https://told.test/out';
    const { redirect } = await rp.endSession({ id_token_hint: tokens.id_token, post_logout_redirect_uri: back });
    expect(redirect).toBe(back);
    await Promise.all(applications.map(({ name }) => receiver.until(name)));
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await run(hasty);
      const tries = Math.min(attempt, 4);
      expect(await there.noticesOf(hanging)).toEqual([
        {
          state: attempt < 4 ? 'waiting' : 'dead',
          tries,
          reason: expect.stringContaining('did not send a complete response'),
        },
      ]);
      expect(receiver.calls(hanging.name)).toHaveLength(tries);
      world.clock.advance('5m');
    }
    for (const other of others)
      expect(await there.noticesOf(other)).toEqual([{ state: 'delivered', tries: 1, reason: '' }]);
    await hasty.close();
  });

  it.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', 'fd00::1'])(
    'is never sent to a name that leads to %s [BCL-005]',
    async (address) => {
      const worker = await startWorld({ replicaOf: world });
      worker.get(NameResolver).addressesOf = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
      const sink = await openSink();
      const backChannelLogoutUri = `https://told.test:${new URL(sink.url).port}/out`;
      const application = await stage.application({ backChannelLogoutUri });
      const { tokens } = await stage.use(application, await stage.person());
      await end(decodeJwt(tokens.id_token)['sid'] as string);
      await run(worker);
      const reason = expect.stringContaining('not on the public internet');
      expect(await stage.noticesOf(application)).toEqual([{ state: 'dead', tries: 1, reason }]);
      expect(sink.connections).toBe(0);
      await sink.close();
      await worker.close();
    },
  );

  /** So many sessions of somebody who uses the application, added at once; answers their user. */
  async function sessionsOf(application: ToldApplication, count: number): Promise<{ id: string; orgId: string }> {
    const org = await world.add.org();
    const person = await world.add.person({ orgId: org.id });
    await stage.use(application, person);
    await world.rows(
      `WITH added AS (
         INSERT INTO session (id, browser_id, user_id, created_at)
         SELECT s.id || '-' || n, s.browser_id || '-' || n, s.user_id, s.created_at
         FROM session s, generate_series(2, $2) n
         WHERE s.user_id = $1
         RETURNING id)
       INSERT INTO session_client (session_id, client_id, client_epoch)
       SELECT added.id, c.client_id, c.client_epoch
       FROM added, session_client c JOIN session s ON s.id = c.session_id
       WHERE s.user_id = $1`,
      [person.id, count],
    );
    return { id: person.id, orgId: org.id };
  }

  it.each<readonly [string, (user: { id: string; orgId: string }) => Promise<unknown>]>([
    [
      'a user is deactivated',
      async ({ id, orgId }) => owner.about(orgId).call('POST', `/management/v1/users/${id}/_deactivate`, {}),
    ],
    ['an organization is removed', async ({ orgId }) => owner.call('DELETE', `/admin/v1/orgs/${orgId}`)],
  ])('is one of 10,000 of the same statement, when %s [BCL-012]', async (_, deed) => {
    const application = await stage.application();
    const [few, many] = [await sessionsOf(application, 2), await sessionsOf(application, 10_000)];
    const namesOf = async (user: { id: string; orgId: string }): Promise<string[]> =>
      (await statementsDuring(() => deed(user))).map((text) => text.split(':')[0]!).sort();
    const once = await namesOf(few);
    expect(once.filter((name) => name.startsWith('logout_notice.add'))).toHaveLength(1);
    expect(await namesOf(many)).toEqual(once);
    const { clientId } = application.client;
    const [count] = await world.rows('SELECT count(*)::int FROM logout_notice WHERE client_id = $1', [clientId]);
    expect(count).toEqual({ count: 10_002 });
    const search = { query: { limit: 10 }, state: 'LOGOUT_NOTICE_STATE_WAITING', clientId };
    const { result } = await owner.call('POST', '/admin/v1/logout_notices/_search', search);
    expect(result).toHaveLength(10);
    await world.rows('DELETE FROM logout_notice WHERE client_id = $1', [clientId]);
  });

  it('is one of few under way to the same host, however many applications wait there [BCL-012]', async () => {
    const projectId = await world.add.project({ orgId: (await world.cast.orgB).id });
    const otherHost = await LogoutReceiver.open();
    const elsewhere = await stage.application({ projectId, backChannelLogoutUri: otherHost.uri('other') });
    const busy = await Promise.all(Array.from({ length: 3 }, () => stage.application()));
    const held: ServerResponse[] = [];
    let isReleased = false;
    const hold = (response: ServerResponse): void => {
      if (isReleased) response.end();
      else held.push(response);
    };
    for (const { name } of busy) receiver.will(name, ...Array<typeof hold>(30).fill(hold));
    for (const { client } of [...busy, elsewhere])
      await world.rows(
        `INSERT INTO logout_notice (session_id, user_id, client_id, client_epoch, created_at, due_at)
         SELECT 'session-' || n, 'user', c.client_id, c.token_epoch, $2, $2
         FROM client c, generate_series(1, 30) n
         WHERE c.id = $1`,
        [client.id, world.clock.now()],
      );
    const worker = await startWorld({ replicaOf: world, env: OUTBOUND });
    const done = run(worker);
    await otherHost.until('other', 30);
    while (held.length < CALLS_PER_HOST) await setTimeout(5);
    expect(CALLS_PER_HOST).toBeLessThan(busy.length * CALLS_PER_CLIENT);
    expect(held).toHaveLength(CALLS_PER_HOST);
    isReleased = true;
    for (const response of held) response.end();
    await done;
    world.clock.advance('5m'); // For those that have waited for too long, on a slow machine.
    await run(worker);
    for (const application of [...busy, elsewhere])
      expect((await stage.noticesOf(application)).map(({ state }) => state)).toEqual(Array(30).fill('delivered'));
    await worker.close();
    await otherHost.close();
  });
});
