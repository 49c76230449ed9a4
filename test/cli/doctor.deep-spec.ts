import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionSettings } from '../../src/foundation/database/connection-settings.js';
import { dataSourceOptions } from '../../src/foundation/database/data-source.js';
import { callerWith } from '../support/admin-api.js';
import { workerDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { MailServer } from '../support/mail-server.js';
import { settingsBeside } from '../support/processes.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseApart } from './command-apart.js';
import { gatehouseHere, type Outcome } from './command-here.js';

interface Finding {
  readonly state: 'fine' | 'note' | 'wrong';
  readonly subject: string;
  readonly finding: string;
  readonly remedy?: string;
}

let world: World;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
});
afterAll(() => world.close());

interface Examined {
  readonly code: Outcome['code'];
  readonly findings: Finding[];
  readonly output: string;
}

async function doctor(over: Record<string, string> = {}): Promise<Examined> {
  const { code, stdout } = await gatehouseHere(['doctor', '--json'], { ...settingsBeside(world), ...over });
  return { code, output: stdout, findings: JSON.parse(stdout) as Finding[] };
}

/** In a process of its own, as an operator runs it; its exit code is 0. */
async function doctorAlone(): Promise<Finding[]> {
  const { code, stdout } = await gatehouseApart(['doctor', '--json'], { env: settingsBeside(world) });
  expect(code).toBe(0);
  return JSON.parse(stdout) as Finding[];
}

const wrong = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ state }) => state === 'wrong')
    .map(({ subject, finding, remedy = '' }) => `${subject}: ${finding} ${remedy}`);

describe('gatehouse doctor', () => {
  it('finds nothing wrong with a service that runs, and changes nothing', async () => {
    const before = await world.contents();
    const findings = await doctorAlone();
    expect(wrong(findings)).toEqual([]);
    expect([...new Set(findings.map(({ subject }) => subject))].sort()).toEqual(
      ['PUBLIC_URL', 'clock', 'database', 'e-mail', 'keys', 'settings'].sort(),
    );
    expect(await world.contents()).toBe(before);
  });

  it('says what the next start will make of the schema, and makes nothing', async () => {
    const database = await workerDatabase();
    const client = new pg.Client(database.connection);
    await client.connect();
    try {
      await client.query("DELETE FROM schema_change WHERE name <> 'Baseline1795219200100'");
      await client.query("UPDATE schema_change SET name = 'Text1795219200002'");
      expect((await doctor({ DATABASE_URL: database.url })).findings).toContainEqual({
        state: 'wrong',
        subject: 'database',
        finding: expect.stringMatching(/made by an older build .* First start the build of commit b7c689a6 of 0\.1\.0/),
      });
      expect((await client.query('SELECT name FROM schema_change')).rows).toEqual([{ name: 'Text1795219200002' }]);
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      expect((await doctor({ DATABASE_URL: database.url })).findings).toContainEqual({
        state: 'note',
        subject: 'database',
        finding: 'The database is empty.',
        remedy: 'Start the service once.',
      });
      expect((await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).rows).toEqual([]);
    } finally {
      await client.end();
      await database.release();
    }
  });

  it('takes a database of a build before the first release for one that lacks nothing, and leaves it so', async () => {
    const [first, last] = ['Baseline1795219200100', 'LongLists1795219200066'];
    const rename = (from: string, to: string): Promise<unknown> =>
      world.rows('UPDATE schema_change SET name = $2 WHERE name = $1', [from, to]);
    await rename(first, last);
    try {
      const { findings } = await doctor();
      expect(wrong(findings)).toEqual([]);
      expect(findings.map(({ finding }) => finding).join()).not.toMatch(/schema|empty/);
      expect(await world.rows('SELECT name FROM schema_change WHERE name = $1', [last])).toHaveLength(1);
      expect(await world.rows('SELECT name FROM schema_change WHERE name = $1', [first])).toEqual([]);
    } finally {
      await rename(last, first);
    }
  });

  it('finds a DATABASE_DIRECT_URL that leads to another database', async () => {
    const database = await workerDatabase();
    try {
      const { code, findings } = await doctor({ DATABASE_DIRECT_URL: database.url });
      expect(code).toBe(1);
      expect(wrong(findings).join()).toMatch(/connections: .* lead to different databases\. Set DATABASE_DIRECT_URL/);
    } finally {
      await database.release();
    }
  });

  it('has the server refuse whatever would write', async () => {
    const names = await world.rows<{ name: string }>(
      `SELECT setting AS name FROM pg_settings WHERE name = 'default_transaction_read_only'`,
    );
    expect(names).toEqual([{ name: 'off' }]); // not of the database, but of the sessions of the doctor
    const options = dataSourceOptions(new ConnectionSettings(world.database.connection, 'test'), { readsOnly: true });
    const source = await new DataSource(options).initialize();
    try {
      await expect(source.query('CREATE TABLE a_change (id integer)')).rejects.toThrow('read-only transaction');
    } finally {
      await source.destroy();
    }
  });

  it.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    [
      'another master key',
      async () => ({ MASTER_KEY: 'the key of another database' }),
      /keys: MASTER_KEY cannot decrypt/,
    ],
    [
      'nothing behind PUBLIC_URL',
      async () => ({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }),
      /PUBLIC_URL: .*ECONNREFUSED.*Start/,
    ],
    [
      'another issuer behind PUBLIC_URL',
      async () => ({ PUBLIC_URL: world.issuer.replace('127.0.0.1', 'localhost') }),
      /says that it is http/,
    ],
    [
      'an https PUBLIC_URL without trusted proxies',
      async () => ({ PUBLIC_URL: 'https://id.invalid' }),
      /settings: .*TRUSTED_PROXIES is empty.*Set TRUSTED_PROXIES/,
    ],
    [
      'a name that nobody resolves',
      async () => ({ PUBLIC_URL: 'https://id.invalid' }),
      /PUBLIC_URL: .*(ENOTFOUND|EAI_AGAIN).*DNS/,
    ],
    [
      'a mail server that does not answer',
      async () => ({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: 'a@b.test' }),
      /e-mail: .*SMTP_URL/,
    ],
    ['a misspelled setting', async () => ({ PUBLIC_ULR: 'x' }), /settings: PUBLIC_ULR is not a setting.*PUBLIC_URL/],
    ['an invalid setting', async () => ({ PORT: 'x' }), /settings: PORT is "x"/],
    [
      'a database that cannot be reached',
      async () => ({ DATABASE_URL: 'postgres://x:secret-word@127.0.0.1:1/x' }),
      /database: The database cannot be reached/,
    ],
  ])('says what to do about %s', async (_, settings, expected) => {
    const { code, findings, output } = await doctor(await settings());
    expect(code).toBe(1);
    expect(wrong(findings).join('\n')).toMatch(expected);
    expect(output).not.toContain('secret-word');
  });

  it('signs in at the mail server that counts: the active SMTP configuration before SMTP_URL', async () => {
    const server = await MailServer.open();
    const { api } = await callerWith(world, await world.cast.orgA, ['IAM_OWNER']);
    const { id } = await api.call<{ id: string }>('POST', '/admin/v1/smtp', {
      senderAddress: 'a@b.test',
      host: `localhost:${server.port}`,
    });
    await api.call('POST', `/admin/v1/smtp/${id}/_activate`, {});
    const elsewhere = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: 'a@b.test' };
    const { findings } = await doctor({ ...elsewhere, OUTBOUND_ALLOW: '127.0.0.1,::1' });
    expect(findings).toContainEqual({
      state: 'fine',
      subject: 'e-mail',
      finding: `The mail server of the active SMTP configuration, localhost:${server.port}, accepts the connection.`,
    });
    expect(wrong((await doctor(elsewhere)).findings).join()).toMatch(/e-mail: .*not contacted.*OUTBOUND_ALLOW/);
    await api.call('DELETE', `/admin/v1/smtp/${id}`);
    await server.close();
  });

  it('notices a signing key that is not rotated, and e-mails that wait', async () => {
    await world.rows("UPDATE signing_key SET activated_at = now() - interval '100 days' WHERE state = 'active'");
    const person = await world.add.person({ orgId: world.firstStart.orgId });
    await world.rows(
      `INSERT INTO outbox (id, user_id, org_id, kind, recipient, recipient_key, due_at, created_at)
       VALUES ('waiting', $1, $2, 'init', 'a@b.test', 'a@b.test', now() + interval '1 day', now() - interval '1 hour')`,
      [person.id, world.firstStart.orgId],
    );
    const found = wrong((await doctor()).findings).join('\n');
    expect(found).toMatch(/keys: The signing key has been signing for 100 days/);
    expect(found).toMatch(/e-mail: 1 e-mail waits, the oldest for 60 minutes/);
  });
});
