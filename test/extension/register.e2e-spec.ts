import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Client } from 'pg';
import { DomainError } from '../../src/foundation/error/domain-error.js';
import { EVENT_LISTENER, type EventListener } from '../../src/foundation/event/event-listener.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { createGatehouse } from '../../src/gatehouse.js';
import { type TestDatabase, workerDatabase } from '../support/database.js';
import { startProcess } from '../support/service-process.js';

const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;

@Injectable()
class Provision implements EventListener {
  readonly name = 'provision';
  readonly types = ['user.human.added'];
  readonly since = 'now';
  async handle(): Promise<void> {}
}

@Module({ providers: [Provision] })
class HrModule {}

@Module({})
class CrmModule {}

const hr = (version: string, required = false): Extension =>
  defineExtension({
    id: 'hr',
    version,
    gatehouse: '>=0.1.0',
    module: HrModule,
    provides: [provide(EVENT_LISTENER, Provision)],
    schemaChanges: [{ name: '1-employee', up: 'CREATE TABLE employee (id text PRIMARY KEY)' }],
    required,
  });

/** Leaves nothing in the database. */
const crm = defineExtension({ id: 'crm', version: '3.0.0', gatehouse: '>=0.1.0', module: CrmModule });

describe('The extensions that a database has seen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-register-'));
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

  const env = () => ({
    DATABASE_URL: database.url,
    DEMO_PORT: 'off',
    DATA_DIR: folder,
    MASTER_KEY: 'only for this test file',
    PUBLIC_URL: 'http://localhost:3000',
  });

  /** Why it does not start; undefined if it does. */
  async function refusal(...extensions: readonly Extension[]): Promise<string | undefined> {
    try {
      const gatehouse = await createGatehouse({ extensions, env: { ...env(), LOG_LEVEL: 'silent', PORT: '0' } });
      await gatehouse.stop();
      return undefined;
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      expect(error).toMatchObject({ kind: 'FailedPrecondition', reason: 'extension.missing' });
      return (error as Error).message;
    }
  }

  /** As an operator runs it. */
  async function command(...args: readonly string[]): Promise<string> {
    return promisify(execFile)(process.execPath, [CLI, 'extension', ...args], {
      env: { PATH: process.env['PATH'], ...env() },
    }).then(
      ({ stdout }) => stdout,
      (error: unknown) => String((error as { stderr: unknown }).stderr),
    );
  }

  async function events(): Promise<string[]> {
    const { rows } = await client.query<{ type: string; payload: object }>(
      "SELECT type, payload FROM event WHERE type LIKE 'instance.extension.%' ORDER BY position",
    );
    return rows.map(({ type, payload }) => `${type} ${Object.values(payload).join(' ')}`);
  }

  it('are recorded with version and seams, and the journal notes each version once', async () => {
    expect(await command('list')).toBe('This database has seen no extension.\n');
    expect(await refusal(hr('1.0.0'), crm)).toBeUndefined();
    expect(await refusal(hr('1.0.0'), crm)).toBeUndefined();
    expect(await refusal(hr('1.1.0'), crm)).toBeUndefined();
    const { rows } = await client.query('SELECT id, version, seams, is_required FROM extension ORDER BY id');
    expect(rows).toEqual([
      { id: 'crm', version: '3.0.0', seams: [], is_required: false },
      { id: 'hr', version: '1.1.0', seams: ['EVENT_LISTENER'], is_required: false },
    ]);
    expect(await events()).toEqual([
      'instance.extension.loaded hr 1.0.0',
      'instance.extension.loaded crm 3.0.0',
      'instance.extension.loaded hr 1.1.0',
    ]);
  });

  it('are noticed in the log of a process that lacks them if they have tables or listeners, with the remedy', async () => {
    const service = await startProcess({ ...env(), LOG_FORMAT: 'json' });
    try {
      expect(JSON.parse(await service.line('is not loaded'))).toMatchObject({
        level: 40,
        msg:
          'The extension hr 1.1.0 is not loaded, and the database keeps a table (employee) and a listener (hr/provision) of it. ' +
          'Load it again, and its listeners continue where they were; or remove what it left: gatehouse extension drop hr',
      });
      expect(service.text()).not.toContain('crm');
    } finally {
      await service.close();
    }
  });

  it('are listed by gatehouse extension list, loaded or not', async () => {
    expect((await command('list')).split('\n')).toEqual([
      expect.stringMatching(/^crm 3\.0\.0: no tables; last loaded \d{4}-\d\d-\d\d$/),
      expect.stringMatching(
        /^hr 1\.1\.0 \(EVENT_LISTENER\): 1 table \(employee\), \d+ kB; listeners hr\/provision; last loaded \d{4}-\d\d-\d\d$/,
      ),
      '',
    ]);
  });

  it('must be loaded if they are required, until they are retired', async () => {
    expect(await refusal(hr('2.0.0', true))).toBeUndefined();
    expect(await refusal(crm)).toBe(
      'The extension hr 2.0.0 is not loaded, and this database requires it. ' +
        'Load it; or, if processes may start without it from now on, run: gatehouse extension retire hr',
    );
    expect(await command('list')).toContain('hr 2.0.0 (EVENT_LISTENER), required: 1 table');

    expect(await command('retire', 'hr')).toBe('Processes start without hr from now on.\n');
    expect(await command('retire', 'hr')).toContain('The extension hr is not required');
    expect(await command('retire', 'erp')).toContain('The database has nothing of an extension "erp".');
    expect(await refusal(crm)).toBeUndefined();
    expect((await events()).slice(-2)).toEqual(['instance.extension.loaded hr 2.0.0', 'instance.extension.retired hr']);
  });

  it('are required again by the next process that loads them, and forgotten when they are dropped', async () => {
    expect(await refusal(hr('2.0.0', true))).toBeUndefined();
    expect(await refusal()).toContain('The extension hr 2.0.0 is not loaded');
    expect(await command('drop', 'hr', '--confirm', 'hr')).toBe('hr was removed from the database.\n');
    expect(await command('drop', 'crm', '--confirm', 'crm')).toBe('crm was removed from the database.\n');
    expect(await command('list')).toBe('This database has seen no extension.\n');
    expect(await refusal()).toBeUndefined();
  });
});
