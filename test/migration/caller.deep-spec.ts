import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { startWorld } from '../support/world.js';

const world = await startWorld();
const { port, hostname } = new URL(world.origin);
const observer = new Client(world.database.connection);
let api: AdminApi;

beforeAll(async () => {
  await observer.connect();
  ({ api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']));
});
afterAll(async () => {
  await observer.end();
  await world.close();
});

/** Once it is so; a test that waits in vain ends by its own time limit. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

async function count(sql: string): Promise<number> {
  return Number((await observer.query<{ count: string }>(sql)).rows[0]?.count);
}
const openTransactions = (): Promise<number> =>
  count(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
  );
/** Transactions that read rows for an export. */
const exporting = (): Promise<number> =>
  count(
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND xact_start IS NOT NULL AND query LIKE 'FETCH % FROM migration_rows'`,
  );
/** In this database: other files have theirs on the same server. */
const waitingForLocks = (): Promise<number> =>
  count(
    `SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE d.datname = current_database() AND locktype = 'advisory' AND NOT granted`,
  );
const stagingTables = (): Promise<number> => count(`SELECT count(*) FROM pg_class WHERE relname LIKE 'staged%'`);

describe('A caller who goes away', () => {
  it('during an import leaves no connection behind, and the import is complete [EXP-027]', async () => {
    await observer.query(`SELECT pg_advisory_lock(hashtextextended('import', 0))`);
    const body = JSON.stringify({ data_orgs: { orgs: [{ orgId: 'gone', org: { name: 'x' } }] } });
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/admin/v1/import',
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    });
    request.on('error', () => undefined);
    request.end(body);
    await until(async () => (await waitingForLocks()) === 1);
    request.destroy();
    await sleep(200); // the service learns of it
    await observer.query(`SELECT pg_advisory_unlock(hashtextextended('import', 0))`);
    await until(async () => (await openTransactions()) === 0 && (await stagingTables()) === 0);
    expect(await world.rows(`SELECT id FROM org WHERE id = 'gone'`)).toHaveLength(1);
    expect(world.logText()).not.toContain('"msg":"defect"');
  });

  it('or does not read an export holds its connection no longer than the timeout of the request', async () => {
    const url = `https://a.example/${'x'.repeat(1_900)}`;
    const people = Array.from({ length: 4_000 }, (_, index) => ({
      userId: `slow-${index}`,
      user: {
        userName: `slow-${index}`,
        profile: { firstName: 'A', lastName: 'B', profileUrl: url, website: url, pictureUrl: url },
      },
    }));
    expect(
      (
        await api.ask('POST', '/admin/v1/import', {
          data_orgs: { orgs: [{ orgId: 'slow', org: { name: 'x' }, humanUsers: people }] },
        })
      ).status,
    ).toBe(200);
    const body = JSON.stringify({ orgIds: ['slow'], timeout: '2s' });
    const startedAt = performance.now();
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).pause();
    socket.write(
      `POST /admin/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await until(async () => (await exporting()) > 0);
    await until(async () => (await openTransactions()) === 0);
    // Otherwise the sockets would have taken the whole answer.
    expect(performance.now() - startedAt).toBeGreaterThan(2_000);
    socket.destroy();
    expect(world.logText()).not.toContain('"msg":"defect"');
  }, 60_000);
});

describe('POST /admin/v1/import: a request that could be read in two ways', () => {
  it.each([
    ['import.member_twice', '{"data_orgs":{"orgs":[{"orgId":"a","orgId":"b"}]}}'],
    ['import.member_twice', '{"data_orgs":{"orgs":[{"orgId":"a","org_id":"b"}]}}'],
    ['import.member_twice', '{"data_orgs":{"orgs":[]},"data_orgs":{"orgs":[]}}'],
    ['import.member_twice', '{"data_orgs":{"orgs":[],"orgs":[]}}'],
    ['import.member_twice', '{"data_orgs":{"orgs":[{"orgId":"a","org":{"name":"a","name":"b"}}]}}'],
    ['import.member_twice', '{"data_orgs":{"orgs":[]},"dry_run":true,"dryRun":false}'],
    [
      'orgs[0].machineUsers[0].user.userName',
      '{"data_orgs":{"orgs":[{"orgId":"a","org":{"name":"a"},"machineUsers":[{"user":{"userName":"a","user_name":"b"}}]}]}}',
    ],
  ])('is refused with %s: %s', async (told, body) => {
    expect(await api.verdict('POST', '/admin/v1/import', body)).toBe(`400 ${told}`);
  });

  it('reads a document that is sent as a string in many pieces, whatever characters it contains', async () => {
    const name = 'Ü "🚚" \\ é';
    const people = Array.from({ length: 3_000 }, (_, index) => ({
      userId: `piece-${index}`,
      user: { userName: `piece-${index}`, profile: { firstName: name, lastName: 'B' } },
    }));
    expect(
      (
        await api.ask('POST', '/admin/v1/import', {
          data_orgsv1: JSON.stringify({ orgs: [{ orgId: 'pieces', org: { name: 'x' }, humanUsers: people }] }),
        })
      ).status,
    ).toBe(200);
    expect(
      await world.rows(
        `SELECT first_name, count(*)::int AS count FROM user_account WHERE org_id = 'pieces' GROUP BY 1`,
      ),
    ).toEqual([{ first_name: name, count: 3_000 }]);
  });

  it('answers a request with more settings than exist', async () => {
    expect(
      await api.verdict(
        'POST',
        '/admin/v1/import',
        JSON.stringify({ data_orgs: { orgs: [] }, note: 'x'.repeat(300_000) }),
      ),
    ).toBe('400 import.document_too_large');
    expect(
      await api.verdict(
        'POST',
        '/admin/v1/import',
        `{${Array.from({ length: 1_001 }, (_, index) => `"a${index}":0`).join(',')}}`,
      ),
    ).toBe('400 import.document_too_large');
  });
});
