import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { declaredStatements } from '../../src/foundation/database/statement.js';
import { MyData } from '../../src/management/user/my-data.js';
import { paths } from '../../src/org/instance/paths.js';
import type { TestPerson } from '../support/builders.js';
import { Processes, settingsBeside } from '../support/processes.js';
import type { ServiceProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder } from './account-turns.js';

const ENTRIES = 100_000;
/** Entries of one statement. */
const PAGE = 1_000;
/** A document of 106 MB would take several times as much if it were built as a whole. */
const GROWTH_MB = 75;

interface Downloaded {
  readonly user: { readonly email: string };
  readonly metadata: ReadonlyArray<{ readonly key: string }>;
  readonly sessions: ReadonlyArray<{ readonly createdAt: string }>;
  readonly applications: ReadonlyArray<{ readonly createdAt: string }>;
  readonly events: ReadonlyArray<{ readonly details: { readonly n?: number } }>;
}

let world: World;
let person: TestPerson;
/** As the service is started, and with a heap that has no room for a document of this size. */
const NODE_OPTIONS = '--max-semi-space-size=4 --max-old-space-size=128';
const processes = new Processes(() => ({ ...settingsBeside(world), LOGIN_LIMITS: 'off', NODE_OPTIONS }));

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
});
afterEach(() => processes.end());
afterAll(() => world.close());

/** So many sessions, refresh tokens and events, several of each in the same moment. */
async function addMany(owner: TestPerson, count: number): Promise<void> {
  const AT_ONCE = 10_000;
  for (let from = 1; from <= count; from += AT_ONCE) await addRange(owner, from, Math.min(count, from + AT_ONCE - 1));
}

async function addRange({ id, orgId }: TestPerson, from: number, to: number): Promise<void> {
  const client = await world.cast.web1;
  await world.rows(
    `INSERT INTO session (id, browser_id, user_id, created_at, password_checked_at, ended_at)
     SELECT $1 || '-' || n, $1 || '-' || n, $1, now() - (n / 7) * interval '1 minute', now(), now()
     FROM generate_series($2::int, $3::int) n`,
    [id, from, to],
  );
  await world.rows(
    `INSERT INTO token_family (id, client_id, user_id, session_id, scopes, auth_time, amr, acr_requested, token_epoch, generation, created_at, spent_at, idle_expires_at, expires_at)
     SELECT $1 || '-' || n, $4, $1, $1 || '-' || n, '{openid}', now(), '{pwd}', false, 0, 1, now() - (n / 7) * interval '1 minute', now(), now() + interval '1 day', now() + interval '1 day'
     FROM generate_series($2::int, $3::int) n`,
    [id, from, to, client.clientId],
  );
  await world.rows(
    `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
     SELECT 'user', $1, 1000 + n, 'user.human.profile.changed', jsonb_build_object('n', n, 'displayName', repeat('x', 200)), $1, $4, now()
     FROM generate_series($2::int, $3::int) n`,
    [id, from, to, orgId],
  );
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** The most rows that a step of a page looks at, with the plan that the service has for everybody. */
async function lookedAt(name: string, given: Readonly<Record<string, string>>): Promise<number> {
  const declared = (wanted: string) => declaredStatements().find((statement) => statement.name === wanted)!;
  const page = declared(name);
  const values = page.bind(given).map((value) => `'${value as string}'`);
  return world.transaction(async (tx) => {
    await tx.query(declared('user.own_data_by_index'));
    await tx.entities.query(`PREPARE page AS ${page.text}`);
    const [row] = await tx.entities.query<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page(${values.join(', ')})`,
    );
    await tx.entities.query('DEALLOCATE page');
    return most(row['QUERY PLAN'][0].Plan);
  });
}

function most({ 'Actual Rows': rows, 'Rows Removed by Filter': removed = 0, Plans: below = [] }: Plan): number {
  return Math.max(rows + removed, ...below.map(most));
}

async function whole(pieces: AsyncGenerator<string>): Promise<{ data: Downloaded; longest: number }> {
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return { data: JSON.parse(texts.join('')) as Downloaded, longest: Math.max(...texts.map(({ length }) => length)) };
}

/** Sends the form of the download, and reads nothing of the answer. */
async function begin(
  { browser }: AccountHolder,
  { origin }: ServiceProcess,
  fields: Record<string, string>,
): Promise<IncomingMessage> {
  const body = new URLSearchParams(fields).toString();
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': body.length,
    Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${paths.accountData}`, { method: 'POST', headers }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe("The file with one's own data", () => {
  it('has every entry once, over all pages of a list, in their order', async () => {
    const many = await world.add.person({ orgId: person.orgId });
    await addMany(many, 12_003);
    for (let n = 0; n < 45; n += 1) await world.add.metadata(many.id, `key-${n}`, Buffer.alloc(1_000));
    const { data, longest } = await whole(await world.get(MyData).of(many.id));
    expect([data.sessions.length, data.applications.length, data.metadata.length]).toEqual([12_003, 12_003, 45]);
    expect(new Set(data.metadata.map(({ key }) => key)).size).toBe(45);
    for (const list of [data.sessions, data.applications]) {
      const moments = list.map(({ createdAt }) => createdAt);
      expect(moments).toEqual([...moments].sort());
    }
    const numbers = data.events.flatMap(({ details }) => details.n ?? []);
    expect(numbers).toEqual(Array.from({ length: 12_003 }, (_, index) => index + 1));
    expect(longest).toBeLessThan(4_000_000);
  });

  it.each(['before', 'after'])(
    'looks for each page at its own entries only, %s PostgreSQL has statistics',
    async (when) => {
      const many = await world.add.person({ orgId: person.orgId });
      await addMany(many, 12_003);
      if (when === 'after') await world.rows('ANALYZE session, token_family, event');
      const userId = many.id;
      const nearTheEnd = new Date(Date.now() - 5 * 3_600_000).toISOString();
      for (const at of ['-infinity', nearTheEnd])
        for (const name of ['user.own_sessions', 'user.own_applications'])
          expect([name, at, await lookedAt(name, { userId, at, id: '' })]).toEqual([name, at, PAGE]);
      for (const sequence of ['0', '10000'])
        expect([sequence, await lookedAt('user.own_events', { userId, sequence })]).toEqual([sequence, PAGE]);
    },
  );

  it(`is sent with bounded memory to a user with ${ENTRIES} sessions, refresh tokens and events, however slowly it is read`, async () => {
    await addMany(person, ENTRIES);
    const service = await processes.start();
    const holder = new AccountHolder(world, person);
    holder.browser.at = service;
    const page = await holder.open(paths.accountData);
    const before = service.peakMegabytes();
    const slow = await begin(holder, service, page.formWith('csrf').fields);
    expect(slow.statusCode).toBe(200);
    await sleep(1_000);
    // It waits for its reader, and holds no connection of the database meanwhile.
    expect(
      await world.rows(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'
           AND state_change < clock_timestamp() - interval '0.5 s'`,
      ),
    ).toEqual([]);
    slow.destroy();
    await world.rows('DELETE FROM attempt');
    const reply = await holder.browser.submitOnce(page, page.formWith('csrf').fields);
    const growth = service.peakMegabytes() - before;
    const data = reply.json<Downloaded>();
    expect(data.user.email).toBe(person.email);
    expect(data.sessions.length).toBeGreaterThanOrEqual(ENTRIES);
    expect(data.applications).toHaveLength(ENTRIES);
    expect(data.events.length).toBeGreaterThanOrEqual(ENTRIES);
    expect(growth).toBeLessThan(GROWTH_MB);
    expect(service.text()).not.toContain('"level":50');
  }, 240_000);
});
