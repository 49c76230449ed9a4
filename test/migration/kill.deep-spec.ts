import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LOST_SECONDS } from '../../src/migration/job/job-under-way.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { Processes, settingsBeside } from '../support/processes.js';
import type { ServiceProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';
import { fullDocument } from './document.js';
import { contentsOf, Holder, MOMENTS, until } from './holding.js';

/** Looks on; the processes that are killed stand on its database. */
let world: World;
let token: string;
let holder: Holder;
let before: string;
const processes = new Processes(() => settingsBeside(world));

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  holder = new Holder(world);
  ({ token } = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api);
});
beforeEach(async () => {
  before = await contentsOf(world);
});
afterEach(() => holder.letGo());
afterAll(async () => {
  await processes.end();
  await world.close();
});

async function kill(service: ServiceProcess): Promise<void> {
  await service.kill();
  // Its backends notice that the client is gone, also while they wait: nothing continues in the background.
  await holder.untilNothingIsStaged();
}

interface Job {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
}

describe('kill -9 of the importing process: nothing is written, the job shows it, and running it again succeeds [EXP-025]', () => {
  it.each(MOMENTS)(
    'interrupted at: %s',
    async (moment) => {
      const document = fullDocument();
      await holder.hold(moment);
      const first = await processes.any(); // the one that stayed after the test before
      const reply = await new AdminApi(first.origin, token).ask(
        'POST',
        '/admin/v1/import',
        { data_orgs: document },
        { Prefer: 'respond-async' },
      );
      expect(reply.status).toBe(202);
      const { job } = reply.json<{ job: Job }>();
      await holder.waiting();
      await kill(first);
      await holder.letGo();
      expect(await contentsOf(world)).toBe(before);

      const second = await processes.start();
      const api = new AdminApi(second.origin, token);
      await world.rows(
        `UPDATE migration_job SET heartbeat_at = now() - interval '${LOST_SECONDS + 1} seconds' WHERE id = $1`,
        [job.id],
      ); // time passes
      expect((await api.call<{ job: Job }>('GET', `/admin/v1/jobs/${job.id}`)).job).toMatchObject({
        state: 'MIGRATION_JOB_STATE_FAILED',
        reason: 'job.lost',
      });
      expect((await api.ask('POST', '/admin/v1/import', { data_orgs: document })).status).toBe(200);
      expect(await world.rows('SELECT id FROM org WHERE id = $1', [document.orgs[0].orgId])).toHaveLength(1);
    },
    60_000,
  );

  it('interrupted while the document is still being sent', async () => {
    const document = fullDocument();
    const text = JSON.stringify({ data_orgs: document });
    const first = await processes.any(); // the one that stayed after the test before
    const { hostname, port } = new URL(first.origin);
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/admin/v1/import',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    });
    request.on('error', () => undefined);
    request.write(text.slice(0, text.length / 2));
    await until(async () => (await world.rows(`SELECT relname FROM pg_class WHERE relname LIKE 'staged%'`)).length > 0);
    await kill(first);
    expect(await contentsOf(world)).toBe(before);
    const second = await processes.start();
    expect((await new AdminApi(second.origin, token).ask('POST', '/admin/v1/import', text)).status).toBe(200);
  }, 60_000);
});
