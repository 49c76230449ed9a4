import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { EVENT_LISTENER, type EventListener } from '../../src/foundation/event/event-listener.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { ExtensionRegister } from '../../src/process/setup/extension-register.js';
import { ExtensionRemainsService } from '../../src/process/setup/extension-remains.service.js';
import { settingsBeside } from '../support/processes.js';
import { startProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';

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

let world: World;
let register: ExtensionRegister;

beforeAll(async () => {
  world = await startWorld({ extensions: [hr('1.0.0'), crm] });
  register = world.get(ExtensionRegister);
});
afterAll(() => world.close());

/** The settings of other processes on the same database. */
const env = () => ({
  ...settingsBeside(world),
  DEMO_PORT: 'off',
});

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
  const rows = await world.rows<{ event: string }>(
    `SELECT concat_ws(' ', type, payload ->> 'extension', payload ->> 'version') AS event
     FROM event
     WHERE type LIKE 'instance.extension.%'
     ORDER BY position`,
  );
  return rows.map(({ event }) => event);
}

const MISSING =
  'The extension hr 1.1.0 is not loaded, and the database keeps a table (employee) and a listener (hr/provision) of it. ' +
  'Load it again, and its listeners continue where they were; or remove what it left: gatehouse extension drop hr';

describe('The extensions that a database has seen', () => {
  it('are recorded with version and seams, and the journal notes each version once', async () => {
    expect(await register.enter([hr('1.0.0'), crm])).toEqual([]);
    expect(await register.enter([hr('1.1.0'), crm])).toEqual([]);
    expect(await world.rows('SELECT id, version, seams, is_required FROM extension ORDER BY id')).toEqual([
      { id: 'crm', version: '3.0.0', seams: [], is_required: false },
      { id: 'hr', version: '1.1.0', seams: ['EVENT_LISTENER'], is_required: false },
    ]);
    expect(await events()).toEqual([
      'instance.extension.loaded hr 1.0.0',
      'instance.extension.loaded crm 3.0.0',
      'instance.extension.loaded hr 1.1.0',
    ]);
  });

  it('are noticed by a process that lacks them if they have tables or listeners, with the remedy', async () => {
    expect(await register.enter([])).toEqual([MISSING]);
    expect(await register.enter([crm])).toEqual([MISSING]);
    expect(await register.enter([hr('1.1.0')])).toEqual([]);
  });

  it('are named in the log of such a process', async () => {
    const service = await startProcess(env());
    try {
      expect(JSON.parse(await service.line('is not loaded'))).toMatchObject({ level: 40, msg: MISSING });
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
});

describe('An extension that is required', () => {
  const REFUSAL =
    'The extension hr 2.0.0 is not loaded, and this database requires it. ' +
    'Load it; or, if processes may start without it from now on, run: gatehouse extension retire hr';

  it('refuses a process that lacks it, until it is retired', async () => {
    await register.enter([hr('2.0.0', true)]);
    await expect(register.enter([crm])).rejects.toMatchObject({ reason: 'extension.missing', message: REFUSAL });
    await expect(startWorld({ replicaOf: world })).rejects.toMatchObject({ reason: 'extension.missing' });
    expect(await command('retire', 'hr')).toBe('Processes start without hr from now on.\n');
    expect(await register.enter([crm])).toHaveLength(1);
    expect((await events()).slice(-2)).toEqual(['instance.extension.loaded hr 2.0.0', 'instance.extension.retired hr']);
  });

  it('cannot be retired twice, and is required again by the next process that loads it', async () => {
    const remains = world.get(ExtensionRemainsService);
    await expect(remains.retire('hr')).rejects.toMatchObject({ reason: 'extension.not_required' });
    await expect(remains.retire('erp')).rejects.toMatchObject({ reason: 'extension.not_found' });
    await register.enter([hr('2.0.0', true)]);
    await expect(register.enter([])).rejects.toMatchObject({ reason: 'extension.missing' });
  });

  it('is forgotten when it is dropped', async () => {
    await world.get(ExtensionRemainsService).drop('hr');
    expect(await register.enter([])).toEqual([]);
    expect(await world.rows('SELECT id FROM extension')).toEqual([{ id: 'crm' }]);
  });
});
