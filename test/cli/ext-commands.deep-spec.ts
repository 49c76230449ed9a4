import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConfigError } from '../../src/foundation/config/environment.js';
import { settingsBeside } from '../support/processes.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseApart, PROCESS_LIMIT_MS } from './command-apart.js';
import { gatehouseHere } from './command-here.js';

jest.setTimeout(PROCESS_LIMIT_MS);
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-own-commands-'));

/** As a compiler writes it: without decorators, which Node does not read. */
const HEAD = `
import { Module } from '@nestjs/common';
import { defineExtension, settings } from 'gatehouse';
`;

const HR = `${HEAD}
class HrSettings { constructor(key) { this.key = key; } }
class HrModule {}
Module({})(HrModule);

export default defineExtension({
  id: 'hr', version: '1.0.0', gatehouse: '>=0.1.0', module: HrModule,
  settings: settings(HrSettings, (env) => new HrSettings(env.required('HR_KEY', env.secret('HR_KEY'), 'Give the key.'))),
  permissions: [{ name: 'ext.hr.employee.read', level: 'org', heldBy: ['ORG_OWNER'] }],
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

/** Without a setting: neither a database nor what the extension needs. */
const nothing = { PATH: process.env['PATH'] };

describe('The commands about extensions', () => {
  it('are listed and explained without a database, beside those of the product', async () => {
    const { code, stdout } = await gatehouseHere(['--with', hr, '--help']);
    expect(code).toBe(0);
    for (const name of ['check', 'settings', 'openapi', 'permissions', 'proto', 'export'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(await gatehouseHere(['--with', hr, 'openapi', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^gatehouse --with EXTENSION openapi\n/),
    });
  });

  it('are all that there are', async () => {
    expect(await gatehouseHere(['--with', hr, 'hr:import'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/Unknown command "hr:import"/),
    });
  });
});

describe('Extensions are refused', () => {
  it('with a sentence and the exit code 2', async () => {
    const path = file('refused', HR.replace("gatehouse: '>=0.1.0'", "gatehouse: '^7.0.0'"));
    const refusal = gatehouseHere(['--with', path, '--help']);
    await expect(refusal).rejects.toBeInstanceOf(ConfigError);
    const { code, stdout, stderr } = await gatehouseApart(['--with', path, '--help'], { env: nothing });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/The extension hr 1\.0\.0 was made for gatehouse \^7\.0\.0/);
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

const ROUTES = `${HEAD.replace('{ Module }', '{ Controller, Get, Module }')}
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
  it('ends with lines for a person, also where the extension leaves a handle open', async () => {
    const leaky = file('leaky', `${HR}setInterval(() => {}, 1_000);`);
    const { code, stdout, stderr } = await gatehouseApart(['--with', leaky, 'check'], { env: settingsOf() });
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
