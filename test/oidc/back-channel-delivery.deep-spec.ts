import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { CALLS_PER_CLIENT, LogoutQueue } from '../../src/session/logout-queue.js';
import { SessionService } from '../../src/session/session.service.js';
import { KeyService } from '../../src/token/key/key.service.js';
import { LogoutWorker } from '../../src/token/logout/logout-worker.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { EDITOR } from '../support/builders.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { uncommitted } from '../support/uncommitted.js';
import { startWorld, type World } from '../support/world.js';
import { LogoutStage, type ToldApplication } from './logout-stage.js';

let world: World;
/** Another process on the same database, whose worker calls nobody by itself. */
let replica: World;
let receiver: LogoutReceiver;
let stage: LogoutStage;
let owner: AdminApi;

beforeAll(async () => {
  receiver = await LogoutReceiver.open();
  world = await startWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  replica = await startWorld({ replicaOf: world, env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  await replica.get(LogoutWorker).onModuleDestroy();
  stage = new LogoutStage(world, receiver);
  owner = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER'])).api;
});
afterAll(async () => {
  await replica.close();
  await world.close();
  await receiver.close();
});
beforeEach(() => {
  world.clock.advance('1m');
});

/** The `sid` of a session in which somebody uses the applications. */
async function sessionOf(...applications: readonly ToldApplication[]): Promise<string> {
  const person = await stage.person();
  const first = await stage.use(applications[0]!, person);
  for (const application of applications.slice(1)) await stage.use(application, person, first.rp.browser);
  return decodeJwt(first.tokens.id_token)['sid'] as string;
}

async function end(sid: string, at = world): Promise<void> {
  await at.transaction((tx) => at.get(SessionService).end(tx, [sid]));
}

async function change(application: ToldApplication, backChannelLogoutUri: string): Promise<void> {
  await world.transaction((tx) =>
    world.get(ClientService).changeSettings(tx, application.client.id, { backChannelLogoutUri }, EDITOR),
  );
  await world.changesToArrive();
}

describe('A notice', () => {
  it('is delivered again after 10 seconds, a minute and five minutes, until it is accepted [BCL-005]', async () => {
    const application = await stage.application();
    receiver.will(application.name, 500, 'close', 503);
    await end(await sessionOf(application));
    const attempts: number[] = [];
    for (const pause of ['9s', '1s', '59s', '1s', '299s', '1s'] as const) {
      attempts.push((await stage.callsOf(application)).length);
      world.clock.advance(pause);
    }
    expect(attempts).toEqual([1, 1, 2, 2, 3, 3]);
    expect(await stage.callsOf(application)).toHaveLength(4);
    expect(await stage.noticesOf(application)).toEqual([{ state: 'delivered', tries: 4, reason: '' }]);
    const ids = receiver.calls(application.name).map(({ token }) => decodeJwt(token).jti);
    expect(new Set(ids).size).toBe(4);
  });

  it('is given up after the fourth attempt, until a manager requests another one [BCL-005]', async () => {
    const application = await stage.application();
    receiver.will(application.name, 500, 404, 'close', 503);
    await end(await sessionOf(application));
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await stage.deliver();
      world.clock.advance('5m');
    }
    const reason = 'The application responded with status 503.';
    expect(await stage.noticesOf(application)).toEqual([{ state: 'dead', tries: 4, reason }]);
    const search = { state: 'LOGOUT_NOTICE_STATE_DEAD', clientId: application.client.clientId };
    const { result } = await owner.call('POST', '/admin/v1/logout_notices/_search', search);
    expect(result).toMatchObject([{ tries: 4, reason, settledDate: expect.any(String) }]);
    await owner.call('POST', `/admin/v1/logout_notices/${result[0].id}/_retry`, {});
    expect(await stage.callsOf(application)).toHaveLength(5);
    expect(await stage.noticesOf(application)).toMatchObject([{ state: 'delivered' }]);
    const verdict = await owner.verdict('POST', `/admin/v1/logout_notices/${result[0].id}/_retry`, {});
    expect(verdict).toBe('400 logout_notice.not_waiting');
  });

  it.each([
    ['is refused with 400', 400, 'The application responded with status 400.'],
    ['meets a redirect, which is not followed', 302, expect.stringContaining('redirect')],
  ])('is given up at once when it %s [BCL-005]', async (_, status, reason) => {
    const application = await stage.application();
    receiver.will(application.name, status);
    await end(await sessionOf(application));
    expect(await stage.callsOf(application)).toHaveLength(1);
    expect(await stage.noticesOf(application)).toEqual([{ state: 'dead', tries: 1, reason }]);
    expect(receiver.calls('elsewhere')).toEqual([]);
  });

  it.each(['https://10.0.0.1/out', 'https://169.254.169.254/out', 'https://[::ffff:10.0.0.1]/out'])(
    'is never sent to %s [BCL-005]',
    async (uri) => {
      const application = await stage.application({ backChannelLogoutUri: uri });
      await end(await sessionOf(application));
      await stage.deliver();
      const reason = expect.stringContaining('not on the public internet');
      expect(await stage.noticesOf(application)).toEqual([{ state: 'dead', tries: 1, reason }]);
    },
  );

  it('is accepted by any response without a refusal, however large its body is', async () => {
    const application = await stage.application();
    receiver.will(
      application.name,
      (response) => response.writeHead(204).end(),
      (response) => {
        response.writeHead(200).write('x'.repeat(2_000_000));
      },
    );
    await end(await sessionOf(application));
    await end(await sessionOf(application));
    expect(await stage.callsOf(application)).toHaveLength(2);
    expect(await stage.noticesOf(application)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  it('is delivered again when the process ends during the call [BCL-006]', async () => {
    const application = await stage.application();
    await world.get(LogoutWorker).run();
    // As a process that is killed after the call: it has claimed the notice, and never says what became of it.
    const claim = replica.get(LogoutQueue).claim.bind(replica.get(LogoutQueue));
    const sid = await sessionOf(application);
    await end(sid, replica);
    const claimed = await claim(10, []);
    await stage.deliver();
    expect([claimed.length, (await stage.callsOf(application)).length]).toEqual([1, 0]);
    world.clock.advance('30s');
    expect(await stage.callsOf(application)).toHaveLength(1);
    expect(await stage.noticesOf(application)).toMatchObject([{ state: 'delivered', tries: 2 }]);
  });

  it('of one application that hangs delays neither the sign-out nor any other [BCL-005, BCL-007]', async () => {
    const applications = await Promise.all(Array.from({ length: 10 }, () => stage.application()));
    const [hanging, ...others] = applications as [ToldApplication, ...ToldApplication[]];
    const held: ServerResponse[] = [];
    receiver.will(hanging.name, (response) => held.push(response));
    const person = await stage.person();
    const { rp, tokens } = await stage.use(hanging, person);
    for (const application of others) await stage.use(application, person, rp.browser);
    const back = 'https://told.test/out';
    const { redirect } = await rp.endSession({ id_token_hint: tokens.id_token, post_logout_redirect_uri: back });
    await Promise.all(applications.map(({ name }) => receiver.until(name)));
    const waiting = { state: 'waiting', tries: 1, reason: '' };
    expect([redirect, held.length, await stage.noticesOf(hanging)]).toEqual([back, 1, [waiting]]);
    held[0]!.end();
    await stage.deliver();
    for (const application of [hanging, ...others])
      expect(await stage.noticesOf(application)).toMatchObject([{ state: 'delivered', tries: 1 }]);
  });

  it('takes turns with those of other organizations, however many applications of one organization wait [BCL-007]', async () => {
    const many = await Promise.all(Array.from({ length: 3 }, () => stage.application()));
    const projectId = await world.add.project({ orgId: (await world.cast.orgB).id });
    const other = await stage.application({ projectId });
    await uncommitted(world, async (tx, within) => {
      const now = world.clock.now();
      for (const { client } of [...many, other])
        await tx.entities.query(
          `INSERT INTO logout_notice (session_id, user_id, client_id, client_epoch, created_at, due_at)
           SELECT 'session-' || n, 'user', $1, 0, $2, $2
           FROM generate_series(1, 10) n`,
          [client.clientId, client === other.client ? now : new Date(now.getTime() - 60_000)],
        );
      const claimed = await new LogoutQueue(within, world.clock).claim(8, []);
      expect(claimed.map(({ clientId }) => clientId)).toContain(other.client.clientId);
    });
  });

  it('is one for each application, however often and wherever the session is ended [BCL-009]', async () => {
    const applications = [await stage.application(), await stage.application()];
    for (let round = 0; round < 5; round += 1) {
      const sid = await sessionOf(...applications);
      await Promise.all(Array.from({ length: 20 }, (_, index) => end(sid, index % 2 === 0 ? world : replica)));
      const notices = await world.rows('SELECT 1 FROM logout_notice WHERE session_id = $1', [sid]);
      const events = await world.rows(`SELECT 1 FROM event WHERE aggregate_id = $1 AND type = 'session.ended'`, [sid]);
      expect([notices.length, events.length]).toEqual([2, 1]);
    }
    for (const application of applications) expect(await stage.callsOf(application)).toHaveLength(5);
  });

  it('is sent to the address of the moment, and to none that was removed [BCL-010]', async () => {
    const [moved, silent, removed] = [await stage.application(), await stage.application(), await stage.application()];
    for (const { name } of [moved, silent, removed]) receiver.will(name, 500);
    await end(await sessionOf(moved, silent, removed));
    await stage.deliver();
    await change(moved, receiver.uri('new-place'));
    await change(silent, '');
    await world.transaction((tx) => world.get(ClientService).remove(tx, removed.client.id, EDITOR));
    await world.changesToArrive();
    world.clock.advance('10s');
    await stage.deliver();
    expect(receiver.calls('new-place')).toHaveLength(1);
    for (const { token } of receiver.calls('new-place')) world.plant(token);
    for (const application of [silent, removed]) {
      expect(await stage.callsOf(application)).toHaveLength(1);
      expect(await stage.noticesOf(application)).toMatchObject([{ state: 'withdrawn', tries: 2 }]);
    }
  });

  it('is signed by the key that is active when it is sent [BCL-011]', async () => {
    const application = await stage.application();
    receiver.will(application.name, 500);
    await end(await sessionOf(application));
    await stage.deliver();
    await world.get(KeyService).requestRotation(EDITOR);
    world.clock.advance('10m');
    await world.get(KeyService).maintain();
    await world.changesToArrive();
    const kids = (await stage.callsOf(application)).map(({ token }) => decodeProtectedHeader(token).kid);
    const { keyId } = await world.get(KeyService).signer();
    expect([kids[1], kids[0] === kids[1]]).toEqual([keyId, false]);
  });

  it('is one of few under way to the same application, however many wait [BCL-012]', async () => {
    const [busy, other] = [await stage.application(), await stage.application()];
    const held: ServerResponse[] = [];
    const hold = (response: ServerResponse): void => void held.push(response);
    receiver.will(busy.name, ...Array<typeof hold>(CALLS_PER_CLIENT).fill(hold));
    const sid = await sessionOf(busy, other);
    const [{ epoch } = { epoch: '0' }] = await world.rows<{ epoch: string }>(
      'SELECT token_epoch AS epoch FROM client WHERE id = $1',
      [busy.client.id],
    );
    await world.rows(
      `INSERT INTO logout_notice (session_id, user_id, client_id, client_epoch, created_at, due_at)
       SELECT 'session-' || n, 'user', $1, $2, $3, $3
       FROM generate_series(1, 50) n`,
      [busy.client.clientId, epoch, world.clock.now()],
    );
    await end(sid);
    await receiver.until(busy.name, CALLS_PER_CLIENT);
    await receiver.until(other.name);
    expect(receiver.calls(busy.name)).toHaveLength(CALLS_PER_CLIENT);
    for (const response of held) response.end();
    await stage.deliver();
    expect(await stage.callsOf(busy)).toHaveLength(51);
  });

  it('is forgotten a day after its delivery, and a week after it was given up', async () => {
    const [good, bad] = [await stage.application(), await stage.application()];
    receiver.will(bad.name, 400);
    await end(await sessionOf(good, bad));
    await stage.deliver();
    const count = async (): Promise<number[]> => {
      await world.get(HousekeepingService).run();
      return [(await stage.noticesOf(good)).length, (await stage.noticesOf(bad)).length];
    };
    const counts = [await count()];
    world.clock.advance('25h');
    counts.push(await count());
    world.clock.advance('6d');
    counts.push(await count());
    expect(counts).toEqual([
      [1, 1],
      [0, 1],
      [0, 0],
    ]);
  });
});

describe('The notices', () => {
  it('are for those who may read the instance, and are retried by those who may write it', async () => {
    const viewer = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER_VIEWER'])).api;
    const stranger = (await callerWith(world, await world.cast.orgA, ['ORG_OWNER'])).api;
    const search = '/admin/v1/logout_notices/_search';
    expect(await viewer.verdict('POST', search, {})).toBe('200');
    expect(await stranger.verdict('POST', search, {})).toMatch(/^403/);
    expect(await viewer.verdict('POST', '/admin/v1/logout_notices/1/_retry', {})).toMatch(/^403/);
    for (const id of ['0', '999999999999999999', '9999999999999999999', 'x', '1%00'])
      expect(await owner.verdict('POST', `/admin/v1/logout_notices/${id}/_retry`, {})).toMatch(/^40[04] /);
  });
});
