import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConfigError } from '../../src/foundation/config/environment.js';
import { settingsBeside } from '../support/processes.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseApart, PROCESS_LIMIT_MS } from './command-apart.js';
import { gatehouseHere, type Outcome } from './command-here.js';

jest.setTimeout(PROCESS_LIMIT_MS);
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-own-commands-'));

/** As a compiler writes it: without decorators, which Node does not read. */
const HEAD = `
import { Injectable, Module } from '@nestjs/common';
import { Database, defineExtension, DomainError, GatehouseServices, provide, Secret, settings } from 'gatehouse';
import { command, COMMAND } from 'gatehouse/experimental';
`;

const HR = `${HEAD}
class HrSettings { constructor(key) { this.key = key; } }

class Commands {
  constructor(database, settings) { this.database = database; this.settings = settings; }
}
Reflect.defineMetadata('design:paramtypes', [Database, HrSettings], Commands);
Injectable()(Commands);

class Import extends Commands {
  async run(given, around) {
    let lines = 0;
    for await (const chunk of around.input) lines += String(chunk).split('\\n').length - 1;
    const [row] = await this.database.query('SELECT count(*)::int AS count FROM org');
    around.output.write(JSON.stringify({ given: given.positionals, dry: given.flag('dry-run'), as: given.text('as'), tags: given.texts('tag'), lines, orgs: row.count }) + '\\n');
    around.errors.write('done\\n');
    return given.flag('partly') ? 3 : undefined;
  }
}
class Refuse extends Commands {
  async run(given) {
    const kind = given.flag('usage') ? 'InvalidArgument' : 'FailedPrecondition';
    throw new DomainError(kind, 'hr.closed', 'The books are closed.');
  }
}
class Break extends Commands {
  run() { throw new TypeError('no such employee'); }
}
class Babble extends Commands {
  async run() { return 'fine'; }
}
class Hang extends Commands {
  async run(given, around) { around.errors.write('hanging\\n'); setInterval(() => {}, 1000); await new Promise(() => {}); }
}
class Leak extends Commands {
  async run() { setInterval(() => {}, 1000); }
}
const all = [Import, Refuse, Break, Babble, Hang, Leak];
for (const one of all) { Reflect.defineMetadata('design:paramtypes', [Database, HrSettings], one); Injectable()(one); }
class HrModule {}
Module({ imports: [GatehouseServices], providers: all })(HrModule);

export default defineExtension({
  id: 'hr', version: '1.0.0', gatehouse: '>=0.1.0', module: HrModule,
  settings: settings(HrSettings, (env) => new HrSettings(env.required('HR_KEY', env.secret('HR_KEY'), 'Give the key.'))),
  permissions: [{ name: 'ext.hr.employee.read', level: 'org', heldBy: ['ORG_OWNER'] }],
  provides: [
    command({ name: 'import', summary: 'reads employees', help: '  --as NAME   on whose behalf', takes: ['a file'],
      options: { 'dry-run': { type: 'boolean', short: 'n' }, as: { type: 'string' }, tag: { type: 'string', multiple: true }, partly: { type: 'boolean' } } }, Import),
    command({ name: 'refuse', summary: 'refuses', options: { usage: { type: 'boolean' } } }, Refuse),
    command({ name: 'break', summary: 'throws' }, Break),
    command({ name: 'babble', summary: 'answers nonsense' }, Babble),
    command({ name: 'hang', summary: 'does not end' }, Hang),
    command({ name: 'leak', summary: 'leaves a handle open' }, Leak),
  ],
});
`;

let world: World;
let hr: string;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  hr = file('hr', HR);
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

const settingsOf = (): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  ...settingsBeside(world),
  HR_KEY: 'a key of hr',
});

async function gatehouse(args: readonly string[], env = settingsOf()): Promise<Outcome> {
  return gatehouseApart(args, { env, input: 'one\ntwo\n' });
}

/** Without a setting: neither a database nor what the extension needs. */
const nothing = { PATH: process.env['PATH'] };

describe('A command of an extension', () => {
  it.concurrent('runs on the database of the service, with its settings and what was given, and decides on its exit code', async () => {
    const args = ['hr:import', 'people.csv', '-n', '--as', 'ilse', '--tag', 'a', '--tag', 'b', '--partly'];
    const outcome = await gatehouse([`--with=${hr}`, ...args]);
    expect(outcome).toMatchObject({ code: 3, stderr: 'done\n' });
    expect(JSON.parse(outcome.stdout)).toEqual({
      given: ['people.csv'],
      dry: true,
      as: 'ilse',
      tags: ['a', 'b'],
      lines: 2,
      orgs: expect.any(Number),
    });
  });

  it('is listed and explained without a database', async () => {
    const { code, stdout } = await gatehouseHere(['--with', hr, '--help']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ {2}hr:import +reads employees$/m),
    });
    expect(stdout).toMatch(/^ {2}export /m);
    expect(await gatehouseHere(['--with', hr, 'hr:import', '--help'])).toEqual({
      code: 0,
      stdout:
        'gatehouse --with EXTENSION hr:import <a file> [options]: reads employees\n\n  --as NAME   on whose behalf\n',
      stderr: '',
    });
  });

  it.each([
    [['hr:import'], /gatehouse hr:import takes a file\./],
    [['hr:import', 'a', 'b'], /takes a file\./],
    [['hr:import', 'a', '--dry'], /Unknown option '--dry'/],
    [['hr:import', 'a', '--as'], /--as/],
    [['hr:nothing'], /Unknown command "hr:nothing"/],
  ] as const)('refuses %j before it asks for a database', async (args, message) => {
    const outcome = await gatehouseHere(['--with', hr, ...args]);
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('is told in a sentence which setting it lacks', async () => {
    const { HR_KEY: _, ...env } = settingsOf();
    const outcome = gatehouseHere(['--with', hr, 'hr:leak'], env);
    await expect(outcome).rejects.toBeInstanceOf(ConfigError);
    await expect(outcome).rejects.toThrow('HR_KEY is missing. Give the key.');
  });

  it('that refuses says why, and nothing else', async () => {
    expect(await gatehouseHere(['--with', hr, 'hr:refuse'], settingsOf())).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The books are closed.\n',
    });
    expect(await gatehouseHere(['--with', hr, 'hr:refuse', '--usage'], settingsOf())).toMatchObject({ code: 2 });
  });

  it('that throws is named, with the place of the defect', async () => {
    const { code, stdout, stderr } = await gatehouseHere(['--with', hr, 'hr:break'], settingsOf());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^hr:break failed, which is a defect of its extension\.\n {2}TypeError: no such employee\n.*hr\.mjs/s,
    );
    expect(stderr).not.toContain('a key of hr');
  });

  it('that answers nonsense fails', async () => {
    expect(await gatehouseHere(['--with', hr, 'hr:babble'], settingsOf())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('hr:babble returned what is no exit code from 0 to 125.'),
    });
  });

  it.concurrent('that leaves a handle open ends nevertheless', async () => {
    expect((await gatehouse(['--with', hr, 'hr:leak'])).code).toBe(0);
  });

  it.concurrent('that hangs ends 5 s after it was interrupted', async () => {
    const { code } = await gatehouseApart(['--with', hr, 'hr:hang'], {
      env: settingsOf(),
      meanwhile: async (child) => {
        await new Promise<void>((resolve) =>
          child.stderr!.on('data', (text) => {
            if (String(text).includes('hanging')) resolve();
          }),
        );
        child.kill('SIGINT');
      },
    });
    expect(code).toBe(130);
  });

  it('does not run on tables of another version of the extension', async () => {
    const other = HR.replace("version: '1.0.0'", "version: '1.0.0', schemaChanges: [{ name: '1-a', up: 'SELECT 1' }]");
    expect(await gatehouseHere(['--with', file('tables', other), 'hr:leak'], settingsOf())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The tables of the extension hr are not those of this version of it.'),
    });
  });
});

describe('Extensions are refused', () => {
  const extension = (provides: string, classes = ''): string => `${HEAD}
    class A { async run() {} }
    Injectable()(A);
    ${classes}
    class M {}
    Module({ providers: [A] })(M);
    export default defineExtension({ id: 'hr', version: '1.0.0', gatehouse: '>=0.1.0', module: M, provides: [${provides}] });`;

  it.each([
    ['whose command has no name', `command({ name: 'Im port', summary: 's' }, A)`, /"Im port" cannot be the name/],
    [
      'whose command says nothing',
      `command({ name: 'a', summary: '' }, A)`,
      /The command a of the extension hr needs a summary/,
    ],
    [
      'whose command has our option',
      `command({ name: 'a', summary: 's', options: { help: { type: 'boolean' } } }, A)`,
      /cannot have the option "help"/,
    ],
    [
      'whose command has our short option',
      `command({ name: 'a', summary: 's', options: { host: { type: 'string', short: 'h' } } }, A)`,
      /cannot have the option "host"/,
    ],
    [
      'with two commands of one name',
      `command({ name: 'a', summary: 's' }, A), command({ name: 'a', summary: 's' }, A)`,
      /has several commands named a\./,
    ],
    ['whose command is not declared', 'provide(COMMAND, A)', /fills COMMAND with A without saying how it is called/],
  ])('%s', async (name, provides, message) => {
    const path = file(name.replaceAll(' ', '-'), extension(provides));
    const refusal = gatehouseHere(['--with', path, '--help']);
    await expect(refusal).rejects.toBeInstanceOf(ConfigError);
    await expect(refusal).rejects.toThrow(message);
  });

  it('with a sentence and the exit code 2', async () => {
    const path = file('refused', extension('provide(COMMAND, A)'));
    const { code, stdout, stderr } = await gatehouse(['--with', path, '--help'], nothing);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/fills COMMAND with A without saying how it is called/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('if their file does not exist', async () => {
    expect(await gatehouseHere(['--with', join(folder, 'none.mjs'), '--help'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no file'),
    });
    expect(await gatehouseHere(['--with'])).toMatchObject({ code: 2 });
  });
});

const ROUTES = `${HEAD.replace('Injectable, Module', 'Controller, Get, Injectable, Module')}
import { AdminRoutes, Operation, Requires, Text } from 'gatehouse/admin';
class Desk {}
Object.defineProperty(Desk.prototype, 'room', { writable: true, value: undefined });
Reflect.defineMetadata('design:type', String, Desk.prototype, 'room');
Text(1, { description: 'Where the desk is.' })(Desk.prototype, 'room');
class Desks {
  get() { return { room: 'r' }; }
}
const got = Object.getOwnPropertyDescriptor(Desks.prototype, 'get');
Reflect.defineMetadata('design:paramtypes', [], Desks.prototype, 'get');
Get('first')(Desks.prototype, 'get', got);
Requires('ext.desk.read')(Desks.prototype, 'get', got);
Operation({ id: 'GetFirstDesk', summary: 'Get the first desk', returns: Desk })(Desks.prototype, 'get', got);
Controller('admin/v1/ext/desk')(Desks);
class DeskModule {}
Module({ imports: [AdminRoutes], controllers: [Desks] })(DeskModule);
export default defineExtension({
  id: 'desk', version: '1.0.0', gatehouse: '>=0.1.0', module: DeskModule,
  permissions: [{ name: 'ext.desk.read', level: 'instance', heldBy: ['IAM_OWNER_VIEWER'] }],
});
`;

describe('Of an extension with operations, gatehouse --with', () => {
  let desk: string;
  beforeAll(() => {
    desk = file('desk', ROUTES);
  });

  it('writes them into the OpenAPI document, and leaves the rest as it is', async () => {
    const document = JSON.parse((await gatehouseHere(['--with', desk, 'openapi'])).stdout) as Described;
    const ours = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Described;
    const { '/admin/v1/ext/desk/first': own, ...others } = document.paths;
    expect(own).toMatchObject({
      get: {
        operationId: 'desk.GetFirstDesk',
        summary: 'Get the first desk',
        description: expect.stringContaining('ext.desk.read'),
      },
    });
    expect(others).toEqual(ours.paths);
  });

  it('lists their permissions, with the operations and who holds them', async () => {
    const { stdout } = await gatehouseHere(['--with', desk, 'permissions']);
    expect(stdout).toMatch(/^\| desk\.GetFirstDesk +\| GET \/admin\/v1\/ext\/desk\/first \| ext\.desk\.read \|/m);
    expect(stdout).toMatch(/^\| iam\.read /m);
  });

  it('writes a gRPC package of their own, and leaves the one of the product as it is', async () => {
    const [to, plain] = [join(folder, 'own-proto'), join(folder, 'plain-proto')];
    expect(await gatehouseHere(['--with', desk, 'proto', '--output', to, '--urn-word', 'acme'])).toMatchObject({
      code: 0,
    });
    await gatehouseHere(['--with', hr, 'proto', '--output', plain, '--urn-word', 'acme']);
    const [files, known] = [to, plain].map((path) => new Map(filesIn(path)));
    const own = [...files!].filter(([path]) => !known!.has(path));
    expect(own.map(([, text]) => text).join('\n')).toMatch(
      /package acme\.ext\.desk\..*rpc GetFirstDesk.*string room = 1;/s,
    );
    expect([...files!].filter(([path]) => known!.has(path))).toEqual([...known!]);
  });
});

interface Described {
  readonly paths: Readonly<Record<string, unknown>>;
}

/** The texts of all files below, by their paths. */
function filesIn(at: string): Array<[string, string]> {
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path): [string, string] => [relative(at, path), readFileSync(path, 'utf8')])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

describe('gatehouse --with EXTENSION check', () => {
  it('ends with lines for a person', async () => {
    const { code, stdout, stderr } = await gatehouse(['--with', hr, 'check']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ok {5}settings +Every setting is valid\.$/m);
  });
});

describe('Without a database, gatehouse --with', () => {
  it('writes the OpenAPI document, which is that of the product but for what is added, and the table of permissions', async () => {
    const { stdout } = await gatehouseHere(['--with', hr, 'openapi']);
    const ours = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    expect(stdout).toBe(ours); // this extension adds no operation
    expect((await gatehouseHere(['--with', hr, 'permissions'])).stdout).toMatch(/^\| ext\.hr\.employee\.read /m);
  });

  it('writes the .proto files into a folder', async () => {
    const to = join(folder, 'proto');
    expect(await gatehouseHere(['--with', hr, 'proto', '-o', to, '--urn-word', 'acme'])).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(to, 'acme'))).toBe(true);
    expect(await gatehouseHere(['--with', hr, 'proto'])).toMatchObject({ code: 2 });
  });
});
