import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import {
  type Begun,
  type ConnectionError,
  connect,
  type Fetch,
  type Gatehouse,
  getMigrationJob,
  getMyUser,
  importData,
  JobError,
  wait,
  watch,
} from '../../src/client/index.js';
import { fullDocument } from '../migration/document.js';
import { callerWith } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';

const headers = { Prefer: 'respond-async' };

let world: World;
let gatehouse: Gatehouse;

beforeAll(async () => {
  world = await startWorld();
  const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
  gatehouse = connect({ url: world.origin, token: api.token });
});
afterAll(() => world.close());

const begin = async (document = fullDocument()): Promise<Begun> =>
  importData(gatehouse, { dataOrgs: document }, { headers });

/** Keeps imports from going on. */
async function heldImports(): Promise<AsyncDisposable> {
  const holder = new Client(world.database.connection);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('import', 0))`);
  return { [Symbol.asyncDispose]: () => holder.end() };
}

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

it('A job is awaited to its end, and tells how far it is', async () => {
  const seen: string[] = [];
  const job = await wait(gatehouse, await begin(), { onProgress: ({ state }) => void seen.push(state) });
  expect(job).toMatchObject({ state: 'MIGRATION_JOB_STATE_SUCCEEDED', errorTotal: 0 });
  expect([seen[0], seen.at(-1)]).toEqual(['MIGRATION_JOB_STATE_RUNNING', 'MIGRATION_JOB_STATE_SUCCEEDED']);
  await expect(wait(gatehouse, await getMigrationJob(gatehouse, { id: job.id }))).resolves.toMatchObject({
    id: job.id,
  });
});

it('A job that fails is an error with what is wrong', async () => {
  const document = fullDocument();
  await wait(gatehouse, await begin(document));
  (document.orgs[0].humanUsers[0]!['user'] as { userName: string }).userName = 'changed';
  const error = await thrownBy(begin(document).then((begun) => wait(gatehouse, begun)));
  expect(error).toBeInstanceOf(JobError);
  const { job, message } = error as JobError;
  expect([job.state, message]).toEqual(['MIGRATION_JOB_STATE_FAILED', job.message]);
  expect(job.errors.length).toBeGreaterThan(0);
});

it('A job whose signal is aborted goes on, or is cancelled and still awaited', async () => {
  let left: Begun;
  {
    await using _held = await heldImports();
    const reason = new Error('enough');
    const stop = new AbortController();
    const begun = await begin();
    setTimeout(() => stop.abort(reason), 50);
    const error = await thrownBy(wait(gatehouse, begun, { signal: stop.signal, cancel: true }));
    expect(error).toBeInstanceOf(JobError);
    expect((error as JobError).job.state).toBe('MIGRATION_JOB_STATE_CANCELLED');

    left = await begin();
    expect(await thrownBy(wait(gatehouse, left, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  }
  await expect(wait(gatehouse, left)).resolves.toMatchObject({ state: 'MIGRATION_JOB_STATE_SUCCEEDED' });
});

it('A job is followed through a time in which the service is out of reach', async () => {
  let isAway = false;
  const shaky: Fetch = async (url, init) => {
    if (isAway) throw new TypeError('fetch failed');
    return fetch(url, init);
  };
  const said: string[] = [];
  const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
  const away = connect({ url: world.origin, token: api.token, fetch: shaky });
  const held = await heldImports();
  const begun = await begin();
  const states: string[] = [];
  setTimeout(() => (isAway = true), 100);
  setTimeout(() => (isAway = false), 1_500);
  setTimeout(() => void held[Symbol.asyncDispose](), 2_000);
  const onTrouble = (error: ConnectionError | Error | undefined): void => void said.push(error?.name ?? 'again');
  for await (const { state } of watch(away, begun, { onTrouble })) states.push(state);
  expect(said).toEqual(['ConnectionError', 'again']);
  expect(states.at(-1)).toBe('MIGRATION_JOB_STATE_SUCCEEDED');

  isAway = true;
  const gone = wait(away, begun, { patienceMs: 0 });
  await sleep(0);
  await expect(gone).rejects.toMatchObject({ name: 'ConnectionError', problem: 'unreachable' });
});

it('An answer without a job is no job to wait for', async () => {
  await expect(wait(gatehouse, (await getMyUser(gatehouse)) as Begun)).rejects.toThrow('names no job');
});
