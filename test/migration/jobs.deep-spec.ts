import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { LOST_SECONDS } from '../../src/migration/job/job-under-way.js';
import { AdminApi, callerWith, type Json, verdictOf } from '../support/admin-api.js';
import { type Reply, sendUnchecked } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { fullDocument } from './document.js';

const world = await startWorld();
const replica = await startWorld({ replicaOf: world });
let api: AdminApi;
let onReplica: AdminApi;
let viewer: AdminApi;
let before: string;
/** A document with an organization that is there, and nothing else. */
let nothingNew: Json;

interface Job {
  readonly id: string;
  readonly state: string;
  readonly phase: string;
  readonly reason: string;
  readonly message: string;
  readonly cancelling: boolean;
  readonly dryRun: boolean;
  readonly objects: ReadonlyArray<{ type: string; count: string }>;
  readonly done: string;
  readonly errors: ReadonlyArray<{ type: string; id: string; path: string; message: string }>;
  readonly errorTotal: number;
  readonly endDate?: string;
}

const contents = async (): Promise<string> => (await world.contents()).replace(/^migration_job .*$/gm, '');

beforeAll(async () => {
  const home = await world.add.org();
  nothingNew = { orgs: [{ orgId: home.id }] };
  ({ api } = await callerWith(world, home, ['IAM_OWNER']));
  onReplica = new AdminApi(replica.origin, api.token);
  viewer = (await callerWith(world, home, ['IAM_OWNER_VIEWER'])).api;
});
beforeEach(async () => {
  before = await contents();
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

const begin = (data: unknown, more: Json = {}, prefer = 'respond-async'): Promise<Reply> =>
  api.ask('POST', '/admin/v1/import', { data_orgs: data, ...more }, { Prefer: prefer });
const look = async (id: string, as = api): Promise<Job> =>
  (await as.call<{ job: Job }>('GET', `/admin/v1/jobs/${id}`)).job;

async function begun(data: unknown, more: Json = {}): Promise<string> {
  const reply = await begin(data, more);
  expect(reply.status).toBe(202);
  return reply.json<{ job: Job }>().job.id;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await isSo()); await sleep(20)) {
    if (Date.now() > deadline) throw new Error('It never came so far.');
  }
}

/** As it ended. */
async function ended(id: string): Promise<Job> {
  let job = await look(id);
  await until(async () => (job = await look(id)).state !== 'MIGRATION_JOB_STATE_RUNNING');
  return job;
}

/** A job with the least timeout in which the document can be read: how much that is depends on the machine. */
async function acceptedInTime(): Promise<Reply> {
  for (let seconds = 1; ; seconds *= 2) {
    const reply = await sendUnchecked(world.origin, {
      method: 'POST',
      path: '/admin/v1/import',
      headers: { ...bearer(api.token), 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: JSON.stringify({ data_orgs: fullDocument(), timeout: `${seconds}s` }),
    });
    if (reply.status === 202) return reply;
    expect(verdictOf(reply)).toBe('504 migration.timeout');
  }
}

const renamed = (human: Json): Json => ({ ...human, user: { ...(human['user'] as Json), userName: 'changed' } });

let holder: Client | undefined;

/** Keeps every import from going on until `letGo`. */
async function holdImports(): Promise<void> {
  holder = new Client(world.database.connection);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('import', 0))`);
}

async function letGo(): Promise<void> {
  await holder?.end();
  holder = undefined;
}
afterEach(letGo);

const untilImportWaits = (): Promise<void> =>
  until(
    async () =>
      (
        await world.rows(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
        )
      ).length > 0,
  );
const untilNothingIsStaged = (): Promise<void> =>
  until(async () => (await world.rows(`SELECT relname FROM pg_class WHERE relname LIKE 'staged%'`)).length === 0);

describe('An import with Prefer: respond-async (RFC 7240 §4.1)', () => {
  it('is answered with 202 and the address of the job, which finally shows how many objects of each kind are new', async () => {
    const reply = await begin(fullDocument());
    const { job } = reply.json<{ job: Job }>();
    expect([reply.status, reply.headers['location'], reply.headers['preference-applied']]).toEqual([
      202,
      `/admin/v1/jobs/${job.id}`,
      'respond-async',
    ]);
    const end = await ended(job.id);
    expect(end).toMatchObject({
      state: 'MIGRATION_JOB_STATE_SUCCEEDED',
      phase: 'MIGRATION_JOB_PHASE_WRITING',
      reason: '',
      errors: [],
      errorTotal: 0,
    });
    expect(end.objects).toContainEqual({ type: 'human_user', count: '3' });
    expect(end.endDate).toBeDefined();
  });

  it.each(['respond-async', 'wait=1, respond-async', 'handling="a, b"; x=1, Respond-Async'])(
    'understands Prefer: %s',
    async (prefer) => {
      expect((await begin(nothingNew, {}, prefer)).status).toBe(202);
    },
  );

  it.each(['wait=10', 'x-respond-async', 'handling="respond-async"'])('waits with Prefer: %s', async (prefer) => {
    expect((await begin(nothingNew, {}, prefer)).status).toBe(200);
  });

  it('is refused at once for a fault of the request or of a single entry', async () => {
    const reply = await begin({ orgs: [{ orgId: '', humanUsers: [{}] }] });
    expect(reply.status).toBe(400);
    expect((await begin(nothingNew, { timeout: 'soon' })).status).toBe(400);
  });

  it('names every conflict with its path, and their number', async () => {
    const document = fullDocument();
    await ended(await begun(document));
    before = await contents();
    document.orgs[0].humanUsers[0] = renamed(document.orgs[0].humanUsers[0]!);
    const job = await ended(await begun(document));
    expect(job).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason: 'import.conflict', errorTotal: 1 });
    expect(job.errors.map(({ path }) => path)).toEqual(['orgs[0].humanUsers[0]']);
    expect(await contents()).toBe(before);
  });

  it('names what it left out with on_conflict skip', async () => {
    const document = fullDocument();
    await ended(await begun(document));
    const human = renamed(document.orgs[0].humanUsers[0]!);
    document.orgs[0].humanUsers[0] = human;
    const job = await ended(await begun(document, { on_conflict: 'skip' }));
    expect([job.state, job.errorTotal]).toEqual(['MIGRATION_JOB_STATE_SUCCEEDED', 1]);
    expect(job.errors).toEqual([
      {
        type: 'human_user',
        id: human['userId'],
        path: 'orgs[0].humanUsers[0]',
        message: 'conflicts with an existing user',
      },
    ]);
  });

  it('writes nothing when it is a dry run', async () => {
    const job = await ended(await begun(fullDocument(), { dry_run: true }));
    expect(job).toMatchObject({ state: 'MIGRATION_JOB_STATE_SUCCEEDED', dryRun: true });
    expect(job.objects).toContainEqual({ type: 'org', count: '2' });
    expect(await contents()).toBe(before);
  });

  it('ends when the timeout of the request expires [EXP-024]', async () => {
    await holdImports();
    const { job } = (await acceptedInTime()).json<{ job: Job }>();
    expect(await ended(job.id)).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason: 'migration.timeout' });
    await letGo();
    expect(await contents()).toBe(before);
  });
});

describe('A job that is cancelled', () => {
  it('ends at once, also if another process cancels it, and writes nothing', async () => {
    await holdImports();
    const id = await begun(fullDocument());
    await untilImportWaits();
    const { job } = await onReplica.call<{ job: Job }>('POST', `/admin/v1/jobs/${id}/_cancel`);
    expect(job.cancelling || job.state === 'MIGRATION_JOB_STATE_CANCELLED').toBe(true);
    expect(await ended(id)).toMatchObject({
      state: 'MIGRATION_JOB_STATE_CANCELLED',
      reason: 'job.cancelled',
      message: 'The job was cancelled. Nothing was written.',
      cancelling: false,
    });
    await letGo();
    expect(await contents()).toBe(before);
    await untilNothingIsStaged();
    expect(
      await world.rows(`SELECT editor_id FROM event WHERE type = 'iam.job.cancelled' AND payload->>'jobId' = $1`, [id]),
    ).toHaveLength(1);
  });

  it('cannot be cancelled after its end', async () => {
    const id = await begun(nothingNew);
    await ended(id);
    expect(await api.verdict('POST', `/admin/v1/jobs/${id}/_cancel`)).toBe('400 job.ended');
  });
});

describe('A job whose process is gone', () => {
  it('has failed, and stays failed if the process turns out to be alive: nothing is written', async () => {
    await holdImports();
    const id = await begun(fullDocument());
    await untilImportWaits();
    await world.rows(
      `UPDATE migration_job SET heartbeat_at = now() - interval '${LOST_SECONDS + 1} seconds' WHERE id = $1`,
      [id],
    );
    expect(await look(id, onReplica)).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason: 'job.lost' });
    await letGo();
    await untilNothingIsStaged();
    expect(await contents()).toBe(before);
    expect(await look(id)).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason: 'job.lost' });
  });

  it('keeps running as long as its process reports it', async () => {
    await holdImports();
    const id = await begun(nothingNew);
    const heard = async (): Promise<Date> =>
      (await world.rows<{ at: Date }>('SELECT heartbeat_at AS at FROM migration_job WHERE id = $1', [id]))[0]!.at;
    const first = await heard();
    await until(async () => (await heard()) > first);
    await letGo();
    expect((await ended(id)).state).toBe('MIGRATION_JOB_STATE_SUCCEEDED');
  });

  it('fails when the service is stopped', async () => {
    const third = await startWorld({ replicaOf: world });
    await holdImports();
    const { job } = (
      await new AdminApi(third.origin, api.token).ask(
        'POST',
        '/admin/v1/import',
        { data_orgs: fullDocument() },
        { Prefer: 'respond-async' },
      )
    ).json<{ job: Job }>();
    await untilImportWaits();
    await third.close();
    expect(await look(job.id)).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason: 'job.stopped' });
    await letGo();
    expect(await contents()).toBe(before);
  });
});

describe('Jobs', () => {
  it('are listed, filtered by their state on request', async () => {
    const id = await begun(nothingNew);
    await ended(id);
    const { result } = await api.call<{ result: Job[] }>('POST', '/admin/v1/jobs/_search', {
      query: { limit: 1 },
      state: 'MIGRATION_JOB_STATE_SUCCEEDED',
    });
    expect(result.map((job) => job.id)).toEqual([id]);
    const failed = await api.call<{ result: Job[] }>('POST', '/admin/v1/jobs/_search', {
      state: 'MIGRATION_JOB_STATE_FAILED',
    });
    expect(failed.result.map((job) => job.id)).not.toContain(id);
    expect(failed.result.length).toBeGreaterThan(0);
  });

  it('are listed newest first, unless the request says otherwise', async () => {
    const ids: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      ids.push(await begun(nothingNew));
      await ended(ids.at(-1)!);
    }
    const listed = async (body: Json): Promise<string[]> =>
      (await api.call<{ result: Job[] }>('POST', '/admin/v1/jobs/_search', body)).result.map(({ id }) => id);
    const newestFirst = [...ids].reverse();
    expect((await listed({})).slice(0, 3)).toEqual(newestFirst);
    expect((await listed({ state: 'MIGRATION_JOB_STATE_SUCCEEDED' })).slice(0, 3)).toEqual(newestFirst);
    expect((await listed({ query: { asc: true } })).slice(-3)).toEqual(ids);
  });

  it('are not found under other ids, and only IAM_OWNER sees them', async () => {
    expect(await api.verdict('GET', '/admin/v1/jobs/nobody')).toBe('404 job.not_found');
    expect(await api.verdict('POST', '/admin/v1/jobs/nobody/_cancel')).toBe('404 job.not_found');
    expect(await viewer.verdict('GET', '/admin/v1/jobs/nobody')).toBe('403 permission.missing');
    expect(await viewer.verdict('POST', '/admin/v1/jobs/_search', {})).toBe('403 permission.missing');
    expect(await viewer.verdict('POST', '/admin/v1/jobs/nobody/_cancel')).toBe('403 permission.missing');
  });

  it('are limited to four at a time in a process: sign-ins need connections as well', async () => {
    await holdImports();
    const ids = await Promise.all([1, 2, 3, 4].map(() => begun(nothingNew)));
    const reply = await begin(nothingNew);
    expect([verdictOf(reply), reply.headers['retry-after']]).toEqual(['429 migration.busy', '30']);
    await letGo();
    for (const id of ids) expect((await ended(id)).state).toBe('MIGRATION_JOB_STATE_SUCCEEDED');
    expect((await begin(nothingNew, {}, 'wait=1')).status).toBe(200);
  });
});
