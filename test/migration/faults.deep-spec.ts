import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json, verdictOf } from '../support/admin-api.js';
import { type Reply, sendUnchecked } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { fullDocument } from './document.js';
import { contentsOf, Holder, MOMENTS, until } from './holding.js';

const world = await startWorld();
const holder = new Holder(world);
let api: AdminApi;
let before: string;

beforeAll(async () => {
  ({ api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']));
});
beforeEach(async () => {
  before = await contentsOf(world);
});
afterEach(() => holder.letGo());
afterAll(() => world.close());

const sendFailing = (body: Json): Promise<Reply> =>
  sendUnchecked(world.origin, {
    method: 'POST',
    path: '/admin/v1/import',
    headers: { ...bearer(api.token), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

interface Job {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
}

async function beginJob(body: Json): Promise<string> {
  const reply = await api.ask('POST', '/admin/v1/import', body, { Prefer: 'respond-async' });
  expect(reply.status).toBe(202);
  return reply.json<{ job: Job }>().job.id;
}

async function endOf(id: string): Promise<Job> {
  let job: Job | undefined;
  await until(async () => {
    ({ job } = await api.call<{ job: Job }>('GET', `/admin/v1/jobs/${id}`));
    return job.state !== 'MIGRATION_JOB_STATE_RUNNING';
  });
  return job!;
}

async function expectAsBefore(): Promise<void> {
  await holder.letGo();
  await holder.untilNothingIsStaged();
  expect(await contentsOf(world)).toBe(before);
}

describe('The connection to the database is lost: nothing is written, the caller gets an error, and repeating it succeeds [EXP-026]', () => {
  it.each(MOMENTS)('interrupted at: %s', async (moment) => {
    const document = fullDocument();
    await holder.hold(moment);
    const answer = sendFailing({ data_orgs: document });
    await world.rows('SELECT pg_terminate_backend($1)', [await holder.waiting()]);
    expect(verdictOf(await answer)).toBe('503 database.unavailable');
    await expectAsBefore();

    await holder.hold(moment);
    const id = await beginJob({ data_orgs: document });
    await world.rows('SELECT pg_terminate_backend($1)', [await holder.waiting()]);
    expect(await endOf(id)).toMatchObject({ state: 'MIGRATION_JOB_STATE_FAILED', reason: 'database.unavailable' });
    await expectAsBefore();

    expect((await api.ask('POST', '/admin/v1/import', { data_orgs: document })).status).toBe(200);
  });
});

describe('The timeout expires: nothing is written, nothing continues in the background, and repeating it succeeds [EXP-024]', () => {
  it.each(MOMENTS)('interrupted at: %s', async (moment) => {
    const document = fullDocument();
    await holder.hold(moment);
    const reply = await holder.expiring((timeout) => sendFailing({ data_orgs: document, timeout }));
    expect(verdictOf(reply)).toBe('504 migration.timeout');
    await holder.untilNothingIsStaged();
    await expectAsBefore();
    expect((await api.ask('POST', '/admin/v1/import', { data_orgs: document })).status).toBe(200);
  });

  it('while the document is still being sent', async () => {
    const body = JSON.stringify({ timeout: '1s', data_orgs: fullDocument() });
    const { hostname, port } = new URL(world.origin);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(
        {
          hostname,
          port,
          method: 'POST',
          path: '/admin/v1/import',
          headers: { ...bearer(api.token), 'Content-Type': 'application/json' },
        },
        (response) => resolve(response.statusCode),
      );
      request.on('error', reject);
      request.write(body.slice(0, 200));
      const timer = setInterval(() => request.write(' '), 100); // between two members: white space is allowed there
      request.once('response', () => {
        clearInterval(timer);
        request.destroy();
      });
    });
    expect(status === 504 || status === 400).toBe(true);
    await expectAsBefore();
  });
});

describe('The caller goes away [EXP-027]', () => {
  it.each([0.1, 0.5, 0.99])('after a share of %d of the document: nothing is written', async (share) => {
    const body = JSON.stringify({ data_orgs: fullDocument() });
    const { hostname, port } = new URL(world.origin);
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/admin/v1/import',
      headers: { ...bearer(api.token), 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    });
    request.on('error', () => undefined);
    request.write(Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) * share)));
    await until(async () => (await world.rows(`SELECT relname FROM pg_class WHERE relname LIKE 'staged%'`)).length > 0);
    request.destroy();
    await expectAsBefore();
  });

  it('after the whole document: everything is written, and the log says so', async () => {
    const document = fullDocument();
    const body = JSON.stringify({ data_orgs: document });
    await holder.hold('user_account');
    const { hostname, port } = new URL(world.origin);
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/admin/v1/import',
      headers: { ...bearer(api.token), 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    });
    request.on('error', () => undefined);
    request.end(body);
    await holder.waiting();
    request.destroy();
    await holder.letGo();
    await holder.untilNothingIsStaged();
    expect(
      await world.rows('SELECT id FROM org WHERE id = ANY($1)', [document.orgs.map(({ orgId }) => orgId)]),
    ).toHaveLength(2);
    expect(world.logText()).toContain('imported a document');
    expect((await api.ask('POST', '/admin/v1/import', body)).status).toBe(200);
  });
});

describe('The database is full or read-only: nothing is written, and it recovers without a restart [EXP-030]', () => {
  it.each(['53100', '25006'])('SQLSTATE %s in the middle', async (state) => {
    const document = fullDocument();
    for (const table of ['org', 'user_account', 'message_text', 'member']) {
      await world.rows(
        `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '${state}'; END $$`,
      );
      await world.rows(`CREATE TRIGGER fail BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`);
      const reply = await sendFailing({ data_orgs: document });
      await world.rows('DROP FUNCTION fail() CASCADE');
      expect([table, verdictOf(reply)]).toEqual([table, '503 database.unavailable']);
      await expectAsBefore();
    }
    expect((await api.ask('POST', '/admin/v1/import', { data_orgs: document })).status).toBe(200);
  });
});
