import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { settingsBeside } from '../support/processes.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseHere, type Outcome } from './command-here.js';

const NATIVE_REQUIRE: unique symbol = Symbol.for('gatehouse.nativeRequire');
/** The one that the service reads: test files have a copy. */
const nativeProcess = (globalThis as { [NATIVE_REQUIRE]?: (id: 'node:process') => NodeJS.Process })[NATIVE_REQUIRE]!(
  'node:process',
);
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-check-'));
let world: World;
beforeAll(async () => {
  world = await startWorld({ realTime: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

function file(name: string, code: string): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, code);
  return path;
}

/** As a compiler writes it: claims, a listener that hears nothing, a table, and settings of every form. */
const STAFF = `
import { Injectable, Module } from '@nestjs/common';
import { CLAIMS, defineExtension, EVENT_LISTENER, provide, settings } from 'gatehouse';

class StaffSettings { constructor(url, key) { this.url = new URL('/people', url); this.key = key; } }
class Staff {
  scopes = ['staff']; claims = ['A_CLAIM'];
  constructor(settings) { this.settings = settings; }
  async contribute() { return {}; }
}
Reflect.defineMetadata('design:paramtypes', [StaffSettings], Staff);
Injectable()(Staff);
class Hear { name = 'hear'; types = ['user.human.aded']; since = 'now'; async handle() {} }
Injectable()(Hear);
class M {}
Module({ providers: [Staff, Hear] })(M);
export default defineExtension({
  id: 'staff', version: '2.0.0', gatehouse: 'A_RANGE', module: M, required: true,
  settings: settings(StaffSettings, (env) => new StaffSettings(
    env.required('STAFF_URL', env.url('STAFF_URL'), 'Give the URL of the directory.'), env.secret('STAFF_KEY'),
    env.whole('STAFF_SIZE', { from: 1, to: 9 }), env.oneOf('STAFF_MODE', ['fast', 'slow']), env.list('STAFF_SITES'))),
  schemaChanges: [{ name: '1-desk', up: 'CREATE TABLE desk (id text PRIMARY KEY)' }],
  provides: [provide(CLAIMS, Staff), provide(EVENT_LISTENER, Hear)],
});
`;
/** Writes while it is made. */
const WRITER = `
import { Module } from '@nestjs/common';
import { Database, defineExtension } from 'gatehouse';

const insert = "INSERT INTO extension (id, version, seams, is_required, first_loaded_at, last_loaded_at) " +
  "VALUES ('written', '1.0.0', '{}', false, now(), now())";
class M {}
Module({ providers: [{ provide: 'WRITTEN', useFactory: async (database) => database.query(insert), inject: [Database] }] })(M);
export default defineExtension({ id: 'writer', version: '1.0.0', gatehouse: '>=0.1.0', module: M, provides: [] });
`;
const CLAIM = 'https://acme.example/desk';

interface Finding {
  readonly state: string;
  readonly subject: string;
  readonly finding: string;
}

describe('gatehouse --with EXTENSION check', () => {
  const staff = (name: string, { claim = CLAIM, range = '>=0.1.0' } = {}): string =>
    file(name, STAFF.replace('A_CLAIM', claim).replace('A_RANGE', range));
  const env = (): Record<string, string | undefined> => ({
    PATH: process.env['PATH'],
    ...settingsBeside(world),
    STAFF_URL: 'https://hr.example',
  });

  async function check(path: string, settings = env()): Promise<{ code: Outcome['code']; findings: string[] }> {
    const { code, stdout } = await gatehouseHere(['check', '--with', path, '--json'], settings);
    const findings = JSON.parse(stdout) as Finding[];
    return { code, findings: findings.map(({ state, subject, finding }) => `${state} ${subject}: ${finding}`) };
  }

  it('says that it would start, what the start would change, and what it would warn of; nothing is changed', async () => {
    const before = await world.contents();
    const { code, findings } = await check(staff('staff'));
    expect(findings).toEqual([
      'fine settings: Every setting is valid.',
      'fine extension: staff 2.0.0 (CLAIMS, EVENT_LISTENER; schema 1)',
      expect.stringContaining('note extension: '),
      'note database: The next start makes a schema change of the extension staff: 1-desk.',
    ]);
    expect(findings[2]).toContain('user.human.aded');
    expect(code).toBe(0);
    expect(await world.contents()).toBe(before);
    expect(await world.rows(`SELECT nspname FROM pg_namespace WHERE nspname = 'ext_staff'`)).toEqual([]);
  });

  it('says all mistakes of settings and extensions at once, and ends with 1', async () => {
    const settings = { ...env(), STAFF_URL: 'hr', STAFF_SIZE: '10', CODE_SECONDS: '0' };
    const { code, findings } = await check(staff('broken', { range: '^9.0.0' }), settings);
    expect(code).toBe(1);
    expect(findings).toEqual([
      expect.stringMatching(/^wrong settings: CODE_SECONDS is "0"/),
      expect.stringMatching(/^wrong settings: The extension staff 2\.0\.0 was made for gatehouse \^9\.0\.0/),
      expect.stringMatching(/^wrong settings: STAFF_URL is not an http or https URL/),
      expect.stringMatching(/^wrong settings: STAFF_SIZE is "10"\. Give an integer from 1 to 9/),
    ]);
  });

  it('says what its parts may not do, also where there is no database', async () => {
    const path = staff('parts', { claim: 'email' });
    const said = /^wrong extension: The extension staff may not make the claim email/;
    for (const settings of [env(), { PATH: process.env['PATH'], STAFF_URL: 'https://hr.example', DATA_DIR: folder }]) {
      const { code, findings } = await check(path, settings);
      expect(code).toBe(1);
      expect(findings).toContainEqual(expect.stringMatching(said));
    }
    expect(existsSync(join(folder, 'master.key'))).toBe(false);
  });

  it('says that the master key is another one, which a start would refuse', async () => {
    const { code, findings } = await check(staff('key'), {
      ...env(),
      MASTER_KEY: 'the key of another database, long enough',
    });
    expect(code).toBe(1);
    expect(findings).toContainEqual(expect.stringMatching(/^wrong keys: MASTER_KEY cannot decrypt this database/));
  });

  it('says that no embedded database can be made where its package is missing', async () => {
    const before = Object.getOwnPropertyDescriptor(nativeProcess, 'arch')!;
    Object.defineProperty(nativeProcess, 'arch', { ...before, value: 'pdp11' });
    try {
      const settings = { PATH: process.env['PATH'], STAFF_URL: 'https://hr.example', DATA_DIR: folder };
      const { code, findings } = await check(staff('nowhere'), settings);
      expect(code).toBe(1);
      expect(findings).toContainEqual(expect.stringMatching(/^wrong database: There is no embedded PostgreSQL/));
    } finally {
      Object.defineProperty(nativeProcess, 'arch', before);
    }
  });

  it('lets no extension write while it is made', async () => {
    const { code, findings } = await check(file('writer', WRITER));
    expect(code).toBe(1);
    expect(findings).toContainEqual(expect.stringMatching(/^wrong extension: The extensions cannot be made: /));
    expect(await world.rows(`SELECT id FROM extension WHERE id = 'written'`)).toEqual([]);
  });

  it('says which extension the database requires, and which of its changes was edited', async () => {
    const insert = `INSERT INTO extension (id, version, seams, is_required, first_loaded_at, last_loaded_at)
      VALUES ('gone', '1.0.0', '{}', true, now(), now())`;
    await world.rows(insert);
    await world.rows('CREATE SCHEMA ext_staff');
    await world.rows('CREATE TABLE ext_staff.schema_change (place integer, name text, digest text)');
    await world.rows(`INSERT INTO ext_staff.schema_change VALUES (1, '1-desk', 'other')`);
    const { code, findings } = await check(staff('edited'));
    expect(code).toBe(1);
    expect(findings.slice(-2)).toEqual([
      expect.stringMatching(/^wrong database: The schema change 1-desk of the extension staff was edited/),
      expect.stringMatching(/^wrong database: The extension gone 1\.0\.0 is not loaded, and this database requires it/),
    ]);
    await world.rows(`DELETE FROM extension WHERE id = 'gone'`);
    await world.rows('DROP SCHEMA ext_staff CASCADE');
  });
});

describe('gatehouse --with EXTENSION settings', () => {
  it('lists what the extensions read, what each accepts, and what is given; never a value', async () => {
    const env = { STAFF_KEY: 'a secret of staff', STAFF_SIZE_FILE: '/nowhere' };
    const path = file('listed', STAFF.replace('A_CLAIM', CLAIM).replace('A_RANGE', '>=0.1.0'));
    const { code, stdout } = await gatehouseHere(['--with', path, 'settings'], env);
    expect({ code, lines: stdout.trim().split('\n') }).toEqual({
      code: 0,
      lines: [
        '| Setting | Extension | Accepts | Required: what to give | Given by |',
        '|---|---|---|---|---|',
        '| `STAFF_URL` | staff | an http or https URL | Give the URL of the directory. |  |',
        '| `STAFF_KEY` | staff | a secret |  | `STAFF_KEY` |',
        '| `STAFF_SIZE` | staff | 1 to 9 |  | `STAFF_SIZE_FILE` |',
        '| `STAFF_MODE` | staff | fast, slow |  |  |',
        '| `STAFF_SITES` | staff | values, separated by commas |  |  |',
      ],
    });
  });
});
