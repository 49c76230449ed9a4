import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Client } from 'pg';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import type { SchemaChange } from '../../src/foundation/database/schema-change/ext-schema.js';
import { DomainError } from '../../src/foundation/error/domain-error.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { createGatehouse } from '../../src/process/start/gatehouse.js';
import { CLAIMS, type ClaimsContributor, type ClaimsQuestion } from '../../src/token/claims/claims-contributor.js';
import { gatehouseHere } from '../cli/command-here.js';
import { callerWith, type Json } from '../support/admin-api.js';
import { type TestDatabase, workerDatabase } from '../support/database.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const COST_CENTRE = 'https://acme.example/cost_centre';

const EMPLOYEE: SchemaChange = {
  name: '1-employee',
  up: `CREATE TABLE employee (
    user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
    cost_centre text NOT NULL
  );
  CREATE INDEX employee_cost_centre_idx ON employee (cost_centre)`,
};
const GRADE: SchemaChange = { name: '2-grade', up: 'ALTER TABLE employee ADD COLUMN grade integer NOT NULL DEFAULT 1' };

@Injectable()
class EmployeeClaims implements ClaimsContributor {
  readonly scopes = ['hr'];
  readonly claims = [COST_CENTRE];

  constructor(private readonly database: Database) {}

  async contribute({ userId }: ClaimsQuestion): Promise<Record<string, string>> {
    const [employee] = await this.database.query<{ costCentre: string }>(
      'SELECT cost_centre AS "costCentre" FROM ext_hr.employee WHERE user_id = :userId',
      { userId },
    );
    return employee ? { [COST_CENTRE]: employee.costCentre } : {};
  }
}

@Module({ imports: [GatehouseServices], providers: [EmployeeClaims] })
class HrModule {}

@Module({})
class CrmModule {}

const hrWith = (...schemaChanges: SchemaChange[]): Extension =>
  defineExtension({
    id: 'hr',
    version: '1.0.0',
    gatehouse: '>=0.1.0',
    module: HrModule,
    provides: [provide(CLAIMS, EmployeeClaims)],
    schemaChanges,
  });

describe('Tables of an extension', () => {
  let world: World;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-exports-'));
    world = await startWorld({ extensions: [hrWith(EMPLOYEE, GRADE)], env: { OBJECT_STORE_DIR: folder } });
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('are not exported, which the document and the job say, also of an extension that is not loaded', async () => {
    const org = await world.add.org();
    const { api } = await callerWith(world, org, ['IAM_OWNER']);
    await world.rows('CREATE SCHEMA ext_gone');
    const leftOut = async () =>
      (await api.call('POST', '/admin/v1/export', { orgIds: [org.id] }))['leftOut'].filter((kind: string) =>
        kind.startsWith('ext_'),
      );
    expect(await leftOut()).toEqual(['ext_hr']);
    await world.rows('CREATE TABLE ext_gone.badge (id text PRIMARY KEY)');
    expect(await leftOut()).toEqual(['ext_gone', 'ext_hr']);
    const reply = await api.ask('POST', '/admin/v1/export', { orgIds: [org.id], localOutput: { path: 'hr.json' } });
    let { job } = reply.json<{ job: Json }>();
    expect(job['leftOut']).toEqual(expect.arrayContaining(['ext_gone', 'ext_hr']));
    while (job['state'] === 'MIGRATION_JOB_STATE_RUNNING') {
      await sleep(20);
      ({ job } = await api.call('GET', `/admin/v1/jobs/${String(job['id'])}`));
    }
    expect(JSON.parse(readFileSync(join(folder, 'hr.json'), 'utf8'))['leftOut']).toEqual(job['leftOut']);
    await world.rows('DROP SCHEMA ext_gone CASCADE');
    expect(await leftOut()).toEqual(['ext_hr']);
  });

  it('are read by its parts, and several processes use them', async () => {
    const alice = await world.cast.alice;
    await world.rows(`INSERT INTO ext_hr.employee (user_id, cost_centre) VALUES ('${alice.id}', 'K-100')`);
    const replica = await startWorld({ extensions: [hrWith(EMPLOYEE, GRADE)], replicaOf: world });
    const rp = new RelyingParty(world, await world.cast.web1);
    const { access_token } = await rp.tokens(alice, { scope: 'openid hr' });
    for (const at of [world, replica]) {
      expect((await rp.userinfo(access_token, at)).json()).toMatchObject({ [COST_CENTRE]: 'K-100' });
    }
    await replica.close();
  });

  it('are noted with their history, each change once', async () => {
    expect(await world.rows('SELECT place, name FROM ext_hr.schema_change ORDER BY place')).toEqual([
      { place: 1, name: '1-employee' },
      { place: 2, name: '2-grade' },
    ]);
  });

  it('lose the rows of a user with the user', async () => {
    const { id } = await world.add.person({ orgId: (await world.cast.orgA).id });
    await world.rows(`INSERT INTO ext_hr.employee (user_id, cost_centre) VALUES ('${id}', 'K-200')`);
    await world.rows(`DELETE FROM user_account WHERE id = '${id}'`);
    expect(await world.rows(`SELECT 1 FROM ext_hr.employee WHERE user_id = '${id}'`)).toEqual([]);
  });
});

const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const MASTER_KEY = 'only for this test file';

describe('A start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-extension-'));
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await workerDatabase();
    client = new Client(database.connection);
    await client.connect();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await client.end();
    await database.release();
  });

  /** The reason and the message with which it is refused; undefined if it is not. */
  async function refusal(
    ...extensions: readonly Extension[]
  ): Promise<{ reason: string | undefined; message: string } | undefined> {
    return refusalAs(database.url, ...extensions);
  }

  async function refusalAs(
    url: string,
    ...extensions: readonly Extension[]
  ): Promise<{ reason: string | undefined; message: string } | undefined> {
    try {
      const gatehouse = await createGatehouse({
        extensions,
        env: {
          DATABASE_URL: url,
          DEMO_PORT: 'off',
          LOG_LEVEL: 'silent',
          PORT: '0',
          PUBLIC_URL: 'http://localhost:3000',
          DATA_DIR: folder,
          MASTER_KEY,
        },
      });
      await gatehouse.stop();
      return undefined;
    } catch (error) {
      return {
        reason: error instanceof DomainError ? error.reason : undefined,
        message: (error as Error).message,
      };
    }
  }

  it('applies what is new', async () => {
    expect(await refusal(hrWith(EMPLOYEE))).toBeUndefined();
    expect(await refusal(hrWith(EMPLOYEE, GRADE))).toBeUndefined();
    expect(await refusal(hrWith(EMPLOYEE, GRADE))).toBeUndefined();
  });

  it('is refused if a change was edited after it had been applied', async () => {
    const edited = { ...EMPLOYEE, up: EMPLOYEE.up.replace('NOT NULL', '') };
    expect(await refusal(hrWith(edited, GRADE))).toEqual({
      reason: 'extension.schema_edited',
      message:
        'The schema change 1-employee of the extension hr was edited after it had been applied. Restore it, and add another one.',
    });
  });

  it('is refused if the database was changed by a later version of the extension', async () => {
    expect(await refusal(hrWith(EMPLOYEE))).toMatchObject({
      reason: 'extension.database_newer',
      message: expect.stringContaining('that this version of it does not know (2-grade)'),
    });
  });

  it('is refused if the order of changes differs', async () => {
    expect(await refusal(hrWith(GRADE, EMPLOYEE))).toMatchObject({ reason: 'extension.schema_order' });
  });

  it('reports the names of changes with all other mistakes', async () => {
    const misnamed = { name: 'Employee!', up: 'SELECT 1' };
    const { message } = (await refusal(hrWith(EMPLOYEE, EMPLOYEE, misnamed)))!;
    expect(message).toContain('"Employee!" cannot be the name of a schema change of the extension hr.');
    expect(message).toContain('The extension hr has several schema changes named 1-employee.');
  });

  it.each([
    ['fails', 'CREATE TABLE extra (id text); SELECT nothing', 'column "nothing" does not exist'],
    [
      'changes a table of the product',
      'ALTER TABLE user_account ADD COLUMN salary integer',
      'changes tables, functions or',
    ],
    [
      'puts a trigger on a table of the product',
      `CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
       CREATE TRIGGER spy BEFORE INSERT ON user_account FOR EACH ROW EXECUTE FUNCTION spy()`,
      'changes tables, functions or triggers of the product',
    ],
    [
      'refers to another table of the product',
      'CREATE TABLE extra (session_id text REFERENCES session (id) ON DELETE CASCADE)',
      'Only the id of user_account, user_group, org, project, client, idp may be referred to.',
    ],
    [
      'keeps users from being removed',
      'CREATE TABLE extra (user_id text PRIMARY KEY REFERENCES user_account (id))',
      'lacks ON DELETE CASCADE: nothing in user_account could be removed any more.',
    ],
    [
      'makes the removal of a user read a whole table',
      'CREATE TABLE extra (user_id text REFERENCES user_account (id) ON DELETE CASCADE)',
      'lacks an index: each removal in user_account would read the whole table.',
    ],
    ['ends its transaction', 'CREATE TABLE extra (id text); ROLLBACK', 'ends the transaction in which it runs'],
  ])('is refused if a change %s, and nothing of it remains', async (_, up, message) => {
    expect(await refusal(hrWith(EMPLOYEE, GRADE, { name: '3-extra', up }))).toEqual({
      reason: 'extension.schema_failed',
      message: expect.stringContaining(message),
    });
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'ext_hr' ORDER BY 1");
    expect(rows).toEqual([{ tablename: 'employee' }, { tablename: 'schema_change' }]);
  });

  it('is refused, with the statements that mend it, if the role may not create the schema; each of them does', async () => {
    const { database: name } = database.connection;
    const role = `${name}_narrow`;
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'narrow'];
    const crm = defineExtension({
      id: 'crm',
      version: '1.0.0',
      gatehouse: '>=0.1.0',
      module: CrmModule,
      schemaChanges: [{ name: '1-customer', up: EMPLOYEE.up.replaceAll('employee', 'customer') }],
    });
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'narrow'`);
    await client.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    await client.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
    try {
      expect(await refusalAs(url.href, crm)).toEqual({
        reason: 'extension.schema_failed',
        message:
          `The schema ext_crm for the tables of the extension crm cannot be created: permission denied for database ${name}. ` +
          `Let the role of the service create schemas: GRANT CREATE ON DATABASE ${name} TO ${role}. ` +
          `Or create this one for it: CREATE SCHEMA ext_crm AUTHORIZATION ${role}.`,
      });
      await client.query('CREATE SCHEMA ext_crm');
      expect((await refusalAs(url.href, crm))?.message).toMatch(
        new RegExp(`permission denied for schema ext_crm. .*ALTER SCHEMA ext_crm OWNER TO ${role}\\.$`),
      );
      for (const remedy of [
        `ALTER SCHEMA ext_crm OWNER TO ${role}`,
        `CREATE SCHEMA ext_crm AUTHORIZATION ${role}`,
        `GRANT CREATE ON DATABASE ${name} TO ${role}`,
      ]) {
        await client.query(remedy);
        expect([remedy, await refusalAs(url.href, crm)]).toEqual([remedy, undefined]);
        await client.query('DROP SCHEMA ext_crm CASCADE');
      }
    } finally {
      await client.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}; DROP SCHEMA IF EXISTS ext_crm CASCADE`);
      await client.query("DELETE FROM extension WHERE id = 'crm'");
    }
  });

  describe('gatehouse extension', () => {
    const settingsOf = () => ({
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      MASTER_KEY,
      PUBLIC_URL: 'http://localhost:3000',
    });

    /** As an operator runs it. @returns what it writes */
    async function command(...args: readonly string[]): Promise<string> {
      const { code, stdout, stderr } = await gatehouseHere(['extension', ...args], settingsOf());
      return code === 0 ? stdout : stderr;
    }

    it('lists what is in the database', async () => {
      // In a process of its own, with all that there is to load.
      const env = { PATH: process.env['PATH'], ...settingsOf() };
      const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'extension', 'list'], { env });
      expect(stdout).toMatch(/^hr 1\.0\.0 \(CLAIMS\): 1 table \(employee\), \d+ kB; last loaded/);
    });

    it('removes nothing without the id a second time', async () => {
      expect(await command('drop', 'hr')).toContain('Give --confirm hr: its tables are removed');
      expect(await command('drop', 'hr', '--confirm', 'crm')).toContain('"crm" is not the id of the extension, hr.');
      const { rows } = await client.query("SELECT to_regclass('ext_hr.employee')::text AS found");
      expect(rows).toEqual([{ found: 'ext_hr.employee' }]);
    });

    it('removes the tables of an extension, which begins anew if it is loaded again', async () => {
      expect(await command('drop', 'hr', '--confirm', 'hr')).toBe('hr was removed from the database.\n');
      expect(await command('drop', 'hr')).toContain('The database has nothing of an extension "hr".');
      const { rows } = await client.query("SELECT payload FROM event WHERE type = 'instance.extension.dropped'");
      expect(rows).toEqual([{ payload: { extension: 'hr' } }]);
      expect(await refusal(hrWith(EMPLOYEE))).toBeUndefined();
    });
  });
});
