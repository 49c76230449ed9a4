import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../../src/extension/facade/database.js';
import { GatehouseServices } from '../../../src/extension/facade/gatehouse-services.js';
import type { TestPerson } from '../../../src/extension/testing/builders.js';
import {
  type ExtensionContractInput,
  extensionContract,
} from '../../../src/extension/testing/contract/extension.contract.js';
import { defineExtension, type Extension } from '../../../src/foundation/extension/extension.js';
import { settings } from '../../../src/foundation/extension/extension-settings.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

/** What the extension does wrong next. */
let leaks: (() => NodeJS.Timeout) | undefined;
const leaked: NodeJS.Timeout[] = [];
let stopping: Promise<void> | undefined;
let fails = false;

@Injectable()
class Employees implements OnModuleDestroy {
  constructor(private readonly database: Database) {
    if (fails) throw new Error('HR_COMPANY is odd.');
    // More than earlier files may have left in this process, whose timers end meanwhile.
    if (leaks) leaked.push(...Array.from({ length: 6 }, leaks));
  }

  async add(userId: string): Promise<void> {
    await this.database.query('INSERT INTO ext_hr.employee (user_id, cost_centre) VALUES (:userId, :costCentre)', {
      userId,
      costCentre: `K-${userId}`,
    });
    await this.find(userId);
  }

  async note(text: string): Promise<void> {
    await this.database.query('INSERT INTO ext_hr.note (text) VALUES (:text)', { text });
  }

  async find(userId: string): Promise<unknown[]> {
    return this.database.query('SELECT cost_centre FROM ext_hr.employee WHERE user_id = :userId', { userId });
  }

  async findByCostCentre(costCentre: string): Promise<unknown[]> {
    return this.database.query('SELECT user_id FROM ext_hr.employee WHERE cost_centre = :costCentre', { costCentre });
  }

  /** In the order of the primary key, whose index finds nothing here. */
  async listByCostCentre(costCentre: string): Promise<unknown[]> {
    return this.database.query(
      'SELECT user_id FROM ext_hr.employee WHERE cost_centre = :costCentre ORDER BY user_id LIMIT 10',
      { costCentre },
    );
  }

  async first(): Promise<unknown[]> {
    return this.database.query('SELECT user_id FROM ext_hr.employee ORDER BY user_id LIMIT 10');
  }

  async onModuleDestroy(): Promise<void> {
    await stopping;
  }
}

@Module({ imports: [GatehouseServices], providers: [Employees] })
class HrModule {}

class HrSettings {
  constructor(readonly company: string) {}
}

const EMPLOYEE = `CREATE TABLE employee (
  user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
  cost_centre text NOT NULL
)`;
const NOTE = 'CREATE TABLE note (text text NOT NULL)';

const version = (name: string, ...changes: string[]): Extension =>
  defineExtension({
    id: 'hr',
    version: name,
    gatehouse: '>=0.1.0',
    module: HrModule,
    schemaChanges: changes.map((up, index) => ({ name: `${index + 1}-change`, up })),
    settings: settings(HrSettings, (env) => {
      const company = env.text('HR_COMPANY') ?? 'Acme';
      if (company.length > 10) env.mistake('HR_COMPANY is too long.');
      return new HrSettings(company + String(env.whole('HR_SIZE', { from: 1, to: 9 }) ?? ''));
    }),
  });

const before = version('1.0.0', EMPLOYEE);
const hr = version('1.1.0', EMPLOYEE, NOTE);
const world = await startWorld({ extensions: [hr] });
afterAll(() => world.close());

const employees = () => world.get(Employees);
const input: ExtensionContractInput = {
  use: ({ id }: TestPerson) => employees().add(id),
  before,
  wrongEnv: { HR_COMPANY: 'much too long', HR_SIZE: '12' },
};

describe('An extension with a table and settings keeps the contract', () => {
  for (const { name, run } of extensionContract(world, hr, input)) it(name, run);
});

describe('The contract tells what is wrong with an extension', () => {
  afterEach(() => {
    leaks = undefined;
    stopping = undefined;
    fails = false;
    for (const timer of leaked.splice(0)) clearInterval(timer);
  });
  const brokenOf = async (only: RegExp, over: ExtensionContractInput = {}, one: Extension = hr): Promise<string[]> =>
    Object.values(await brokenIn(extensionContract(world, one, { ...input, ...over }), only));

  it('that leaves a timer running', async () => {
    leaks = () => setInterval(() => undefined, 60_000);
    expect(await brokenOf(/leaves nothing open/)).toEqual([
      expect.stringMatching(/^5 s after its stop, hr keeps the process from ending: Timeout/),
    ]);
  });

  it('that does not stop', async () => {
    let release: () => void = () => undefined;
    stopping = new Promise((resolve) => (release = resolve));
    expect(await brokenOf(/leaves nothing open/)).toEqual(['A process with hr has not stopped within 5 s.']);
    release();
  });

  it('that keeps what belongs to a user who is removed', async () => {
    expect(await brokenOf(/leaves no row/, { use: ({ email }) => employees().note(email) })).toEqual([
      expect.stringMatching(/^A user who is removed leaves a row in ext_hr\.note of hr\./),
    ]);
  });

  it('that reads a whole table', async () => {
    const use = async ({ id }: TestPerson): Promise<unknown> => employees().findByCostCentre(id);
    expect(await brokenOf(/by an index/, { use })).toEqual([
      expect.stringMatching(/^A statement of hr reads all of ext_hr\.employee: it needs an index\. SELECT user_id/),
    ]);
  });

  it('that reads a whole table in the order of an index', async () => {
    const use = async ({ id }: TestPerson): Promise<unknown> => employees().listByCostCentre(id);
    expect(await brokenOf(/by an index/, { use })).toEqual([
      expect.stringMatching(/^A statement of hr reads all of ext_hr\.employee: it needs an index\. SELECT user_id/),
    ]);
    expect(await brokenOf(/by an index/, { use: () => employees().first() })).toEqual([]);
  });

  it('that says nothing about settings that are wrong', async () => {
    expect(await brokenOf(/settings are reported/, { wrongEnv: { HR_COMPANY: 'Acme' } })).toEqual([
      'hr starts with settings that are wrong.',
    ]);
    expect(await brokenOf(/settings are reported/, { wrongEnv: { HR_SIZE: '12', HR_OTHER: '1' } })).toEqual([
      expect.stringMatching(/^The start with wrong settings of hr does not name HR_OTHER: /),
    ]);
  });

  it('whose start fails because of its settings, without a list', async () => {
    fails = true;
    expect(await brokenOf(/settings are reported/, { wrongEnv: { HR_COMPANY: 'Odd' } })).toEqual([
      'With wrong settings, the start of hr has no list of mistakes, but: Error: HR_COMPANY is odd.',
    ]);
  });

  it('whose version before cannot run on its tables', async () => {
    const gone = defineExtension({ ...before, schemaChanges: [{ name: '1-other', up: EMPLOYEE }] });
    expect(await brokenOf(/version before/, { before: gone })).toEqual([
      expect.stringMatching(/^The start of 1\.1\.0 on the tables of 1\.0\.0 throws: /),
    ]);
  });

  it('that was not defined as one', async () => {
    expect(await brokenOf(/documentation/, {}, { id: 'hr', version: '1' } as Extension)).toEqual([
      '"hr" was not made by defineExtension.',
    ]);
  });
});
