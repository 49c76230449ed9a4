import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../src/foundation/database/database.js';
import { unprepared } from '../../src/foundation/database/statement.js';
import germanTexts from '../../src/page/catalogue/de.json' with { type: 'json' };
import { frame, type Method, methodsOf } from '../grpc/grpc-clients.js';
import { begin, pageOf } from '../login/turns.js';
import { callerWith } from '../support/admin-api.js';
import type { Page } from '../support/browser.js';
import { PASSWORD } from '../support/builders.js';
import { type Parameters, type Reply, sendUnchecked } from '../support/http.js';
import { sendHttp2 } from '../support/http2.js';
import { bearer, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const { AddProject } = methodsOf('service.management.v1.ManagementService') as Record<'AddProject', Method>;

let world: World;
let token: string;

beforeAll(async () => {
  world = await startWorld();
  ({
    api: { token },
  } = await callerWith(world, await world.add.org(), ['ORG_OWNER']));
  await Promise.all([world.cast.web1, world.cast.alice]); // before projects are slow
  await world.rows(
    'CREATE FUNCTION test_slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(30); RETURN NULL; END $$',
  );
  await world.rows(
    'CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON project DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_slow_commit()',
  );
});
afterAll(() => world.close());

/** Ends the connection of a request that has sent such a statement and waits. */
async function endWhileWaiting(words: string): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const ended = await world.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type IN ('Timeout', 'Lock') AND query LIKE $1 AND pid <> pg_backend_pid()",
      [`${words}%`],
    );
    if (ended.length > 0) return;
    await sleep(10);
  }
  throw new Error(`Nothing waits in ${words}.`);
}

describe('A connection to the database that is lost while a change is committed: the caller learns that it may have been made', () => {
  it('in JSON', async () => {
    const answer = sendUnchecked(world.origin, {
      method: 'POST',
      path: '/management/v1/projects',
      headers: { ...bearer(token), 'Content-Type': 'application/json' },
      body: '{"name":"Perhaps"}',
    });
    await endWhileWaiting('COMMIT');
    const reply = await answer;
    expect([reply.status, reply.header('retry-after'), reply.json()]).toMatchObject([
      503,
      '2',
      { code: 14, message: expect.stringContaining('may have been made') },
    ]);
    expect(reply.text).toContain('"database.outcome_unknown"');
  });

  it('over gRPC', async () => {
    const answer = sendHttp2(world.origin, {
      method: 'POST',
      path: AddProject.path,
      headers: { ...bearer(token), 'content-type': 'application/grpc', te: 'trailers' },
      body: frame(AddProject.requestSerialize({ name: 'Perhaps' })),
    });
    await endWhileWaiting('COMMIT');
    const { reply, trailers } = await answer;
    const status = { ...reply.headers, ...trailers };
    expect([status['grpc-status'], status['grpc-message'], status['retry-after']]).toEqual([
      '14',
      expect.stringContaining('may have been made'),
      '2',
    ]);
    expect(Buffer.from(String(status['grpc-status-details-bin']), 'base64').toString('latin1')).toContain(
      'database.outcome_unknown',
    );
  });

  it.each<[string, string, (client: RelyingParty) => Promise<{ page: Page; fields: Parameters }>]>([
    [
      'registers',
      'INSERT ON user_account',
      async (client) => ({
        page: await begin(client, { prompt: 'create' }),
        fields: {
          email: 'perhaps@mail.test',
          firstName: 'Per',
          lastName: 'Haps',
          userName: '',
          password: PASSWORD,
          passwordRepeat: PASSWORD,
        },
      }),
    ],
    [
      'signs out',
      'UPDATE ON session',
      async (client) => {
        await client.signIn(await world.cast.alice);
        return { page: pageOf(await client.browser.get('/oidc/v1/end_session')), fields: { decision: 'sign-out' } };
      },
    ],
  ])('on a page of its own, in the language of a user who %s', async (_, cause, open) => {
    const client = new RelyingParty(world, await world.cast.web1);
    client.browser.acceptLanguage = 'de';
    const { page, fields } = await open(client);
    await world.rows(
      `CREATE CONSTRAINT TRIGGER slow_page AFTER ${cause} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_slow_commit()`,
    );
    const form = page.formWith(Object.keys(fields)[0]!);
    const answer = sendUnchecked(world.origin, {
      method: 'POST',
      path: new URL(form.action, `${world.issuer}${page.path}`).pathname,
      body: { ...form.fields, ...fields },
      headers: {
        Cookie: [...client.browser.cookies].map((pair) => pair.join('=')).join('; '),
        'Accept-Language': 'de',
      },
    });
    await endWhileWaiting('COMMIT');
    const reply = await answer;
    await world.rows(`DROP TRIGGER slow_page ON ${cause.split(' ').at(-1)!}`);
    expect([reply.status, reply.header('retry-after')]).toEqual([503, '2']);
    for (const words of Object.values(germanTexts.error.outcomeUnknown)) expect(reply.text).toContain(words);
  });
});

describe('A connection that is lost in a question: nothing was done, and the caller may come again', () => {
  async function losing(ask: () => Promise<Reply>, table: string): Promise<Reply> {
    const holder = new pg.Client(world.database.connection);
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const answer = ask();
    await endWhileWaiting('');
    const reply = await answer;
    await holder.query('ROLLBACK');
    await holder.end();
    expect([reply.status, reply.header('retry-after')]).toEqual([503, '2']);
    return reply;
  }

  it('at the token endpoint: temporarily_unavailable', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x', scope: 'openid' };
    const reply = await losing(
      () => sendUnchecked(world.origin, { method: 'POST', path: '/oauth/v2/token', body: form }),
      'client',
    );
    expect(reply.json()).toMatchObject({ error: 'temporarily_unavailable' });
  });

  it('on a page', async () => {
    const reply = await losing(
      () => sendUnchecked(world.origin, { path: '/oauth/v2/authorize?client_id=nobody' }),
      'client',
    );
    expect(reply.header('content-type')).toMatch(/^text\/html/);
  });

  it('in JSON', async () => {
    const asked = { path: '/management/v1/projects/1', headers: bearer(token) };
    expect((await losing(() => sendUnchecked(world.origin, asked), 'project')).text).toContain(
      '"database.unavailable"',
    );
  });
});

it.each([
  ['before the next statement', 50],
  ['while the next statement is on its way', 0],
])('A connection that is lost between two statements, %s, undoes the first one and says so', async (_, waitMs) => {
  const database = world.get(Database);
  const orgName = `Undone ${waitMs}`;
  const change = database.transaction(async (tx) => {
    const [{ pid } = { pid: 0 }] = await tx.query(
      unprepared<Record<string, never>, { pid: number }>('SELECT pg_backend_pid() AS pid'),
      {},
    );
    await tx.query(unprepared<{ name: string }>('UPDATE org SET name = :name WHERE id = (SELECT min(id) FROM org)'), {
      name: orgName,
    });
    await world.rows('SELECT pg_terminate_backend($1)', [pid]);
    await sleep(waitMs);
    await tx.query(unprepared('SELECT 1'));
  });
  await expect(change).rejects.toMatchObject({ kind: 'Unavailable', reason: 'database.unavailable' });
  expect(await world.rows('SELECT 1 FROM org WHERE name = $1', [orgName])).toEqual([]);
  expect(await database.transaction((tx) => tx.query(unprepared('SELECT 1 AS one')))).toEqual([{ one: 1 }]);
});
