import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { gatehouseApart, PROCESS_LIMIT_MS } from '../cli/command-apart.js';
import { Processes } from '../support/processes.js';
import { START_LIMIT_MS } from '../support/service-process.js';

jest.setTimeout(PROCESS_LIMIT_MS);
const ROOT = new URL('../../', import.meta.url);
const MAIN = new URL('dist/main.js', ROOT);
const NPM_START = new URL('scripts/start.mjs', ROOT);
const GATEHOUSE = new URL('scripts/gatehouse.mjs', ROOT);
const RECORDER = new URL('test/operation/loaded-modules.mjs', ROOT).href;

/** As a compiler writes it: without decorators, which Node does not read. */
function sourceOf(id: string): string {
  return `
    import { Module } from '@nestjs/common';
    import { defineExtension, settings } from 'gatehouse';
    class Settings {}
    class Seen { onApplicationBootstrap() { process.stdout.write('${id} seen in ' + process.pid + '\\n'); } }
    Module({ providers: [Seen] })(Seen);
    export default defineExtension({
      id: '${id}', version: '1.0.0', gatehouse: '*', module: Seen,
      settings: settings(Settings, (env) => {
        if (env.text('${id.toUpperCase()}_KEY') === 'wrong') env.mistake('${id.toUpperCase()}_KEY is wrong.');
        return new Settings();
      }),
    });`;
}

/** The folder of an operator: with packages, of which one is not compiled, a file, and settings. */
let folder: string;
const processes = new Processes();

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-named-')));
  write('node_modules/gatehouse-desk/package.json', manifest({ main: 'dist/desk.js' }));
  write('node_modules/gatehouse-desk/dist/desk.js', sourceOf('desk'));
  write('node_modules/@acme/hr/package.json', manifest({ exports: { '.': { import: './dist/hr.js' } } }));
  write('node_modules/@acme/hr/dist/hr.js', sourceOf('hr'));
  write('node_modules/gatehouse-raw/package.json', manifest({ main: 'dist/raw.js' }));
  write('node_modules/gatehouse-bare/package.json', manifest({ exports: './dist/bare.js' }));
  write('last.mjs', sourceOf('last'));
  write('.env', 'EXTENSIONS=desk, ./last.mjs');
});
afterAll(async () => {
  await processes.end();
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function manifest(more: object): string {
  return JSON.stringify({ version: '1.0.0', type: 'module', ...more });
}

/** The line of the start block, such as `desk 1.0.0, last 1.0.0`. */
const loadedBy = (text: string): string | undefined => /^ {2}Extensions +(.*)$/m.exec(text)?.[1];

describe('EXTENSIONS', () => {
  it('is read from .env by npm start, and loads packages and files in their order in each of several processes', async () => {
    const service = await processes.start({ WORKERS: '2' }, NPM_START, [], folder);
    expect(loadedBy(service.text())).toMatch(/^desk 1\.0\.0.*last 1\.0\.0/);
    const seen = (id: string): number =>
      new Set([...service.text().matchAll(new RegExp(`^${id} seen in (\\d+)$`, 'gm'))].map(([, pid]) => pid)).size;
    for (const deadline = Date.now() + START_LIMIT_MS; seen('last') < 2 && Date.now() < deadline; ) await sleep(20);
    expect([seen('desk'), seen('last')]).toEqual([2, 2]);
    service.signal('SIGTERM');
    expect(await service.exit).toEqual({ code: 0, signal: null });
  });

  it('is read by node dist/main.js, which then takes Nest from where extensions find it', async () => {
    const record = join(folder, 'modules');
    const env = { EXTENSIONS: '@acme/hr', NODE_OPTIONS: `--import ${RECORDER}`, LOADED_MODULES: record };
    const service = await processes.start(env, MAIN, [], folder);
    expect(loadedBy(service.text())).toBe('hr 1.0.0');
    const modules = readFileSync(record, 'utf8').split('\n');
    expect(modules.filter((url) => url.includes('/lib/shared/'))).toEqual([]);
    expect(modules.some((url) => url.includes('/node_modules/@nestjs/core/'))).toBe(true);
  });

  it('comes before --with, and an extension that is named twice is loaded once', async () => {
    const env = { EXTENSIONS: 'last.mjs,desk,gatehouse-desk' };
    const args = ['start', '--with', '@acme/hr', '--with', 'desk', '--with', './node_modules/@acme/hr/dist/hr.js'];
    const service = await processes.start(env, GATEHOUSE, args, folder);
    expect(loadedBy(service.text())).toMatch(/^last 1\.0\.0.*desk 1\.0\.0.*hr 1\.0\.0$/);
    expect(service.text().match(/desk seen in/g)).toHaveLength(1);
  });

  it("comes before the list of a program of one's own", async () => {
    mkdirSync(join(folder, 'team/node_modules'), { recursive: true });
    symlinkSync(fileURLToPath(ROOT), join(folder, 'team/node_modules/gatehouse'));
    symlinkSync(fileURLToPath(new URL('node_modules/@nestjs', ROOT)), join(folder, 'team/node_modules/@nestjs'));
    write('team/own.mjs', sourceOf('own'));
    write(
      'team/main.mjs',
      `import { runGatehouse } from 'gatehouse';
       import own from './own.mjs';
       await runGatehouse({ extensions: [own] });`,
    );
    const program = pathToFileURL(join(folder, 'team/main.mjs'));
    const service = await processes.start({ EXTENSIONS: 'desk' }, program, [], join(folder, 'team'));
    expect(loadedBy(service.text())).toMatch(/^desk 1\.0\.0.*own 1\.0\.0$/);
  });

  it('is enough for --watch, which starts again when a file of the package changes', async () => {
    const service = await processes.start({ EXTENSIONS: 'desk' }, GATEHOUSE, ['start', '--watch'], folder);
    const path = 'node_modules/gatehouse-desk/dist/desk.js';
    write(path, sourceOf('desk').replace('1.0.0', '1.0.1'));
    await service.line('desk 1.0.1', START_LIMIT_MS);
    write(path, sourceOf('desk'));
    service.signal('SIGTERM');
    await service.exit;
  });

  it('lets nothing start while one is missing or not compiled: a sentence says what was looked for, where, and the remedy', async () => {
    const service = await processes.begin({ EXTENSIONS: 'desk,nope,raw,@acme/none,no.js' }, MAIN, [], folder);
    expect(await service.exit).toEqual({ code: 1, signal: null });
    const [nope, raw, none, file, ...more] = service.text().trim().split('\n').slice(-4);
    expect(nope).toContain('There is no package gatehouse-nope, for which "nope" stands.');
    for (const place of [folder, ROOT.pathname.replace(/\/$/, '')]) expect(nope).toContain(`${place} `);
    expect(nope).toContain('"npm pack -w packages/nope"');
    expect(raw).toContain(
      `gatehouse-raw in ${folder}/node_modules/gatehouse-raw is not compiled: it lacks dist/raw.js.`,
    );
    expect(raw).toContain('npm run build');
    expect(none).toContain('There is no package @acme/none. ');
    expect(file).toContain(`There is no file ${folder}/no.js.`);
    expect([more, service.text()]).toEqual([[], expect.not.stringMatching(/^\s+at /m)]);
  });

  it('is reported with the other settings if its file cannot be read, or its name is misspelt', async () => {
    const unread = await processes.begin({ EXTENSIONS_FILE: '/nowhere', PORT: 'x' }, MAIN, [], folder);
    expect(await unread.exit).toEqual({ code: 1, signal: null });
    expect(unread.text()).toContain('EXTENSIONS_FILE names "/nowhere", which cannot be read.');
    const misspelt = await processes.begin({ EXTENSION: 'desk', PORT: 'x' }, MAIN, [], folder);
    expect(await misspelt.exit).toEqual({ code: 1, signal: null });
    expect(misspelt.text()).toContain('EXTENSION is not a setting and has no effect. Did you mean EXTENSIONS?');
  });

  it("has the extension's settings checked, as --with has", async () => {
    const service = await processes.begin({ EXTENSIONS: 'desk', DESK_KEY: 'wrong' }, MAIN, [], folder);
    expect(await service.exit).toEqual({ code: 1, signal: null });
    expect(service.text()).toContain('DESK_KEY is wrong.');
  });
});

describe('The command', () => {
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    gatehouseApart(args, { cwd: folder, env });

  it('has what extensions add by EXTENSIONS alone, before those of --with', async () => {
    const { code, stdout } = await run(['settings', '--with', './last.mjs'], { EXTENSIONS: 'desk' });
    expect([code, [...stdout.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)]).toEqual([
      0,
      ['DESK_KEY', 'LAST_KEY'],
    ]);
  });

  it('says what is missing and what is not compiled, in a sentence for each', async () => {
    const outcome = await run(['--with', 'raw', '--with=bare', 'check'], { EXTENSIONS: 'nope' });
    expect({ ...outcome, stderr: outcome.stderr.trim().split('\n') }).toEqual({
      code: 1,
      stdout: '',
      stderr: [
        expect.stringContaining('There is no package gatehouse-nope'),
        expect.stringContaining('is not compiled: it lacks dist/raw.js'),
        expect.stringContaining('is not compiled: it lacks what its package.json exports'),
      ],
    });
  });

  it('finds the packages that are beside Gatehouse, those of the workspace, from whatever folder', async () => {
    const words = readdirSync(new URL('packages', ROOT));
    const { stderr } = await run([...words.flatMap((word) => ['--with', word]), 'settings']);
    expect(words).toContain('scim');
    expect(stderr).not.toContain('There is no');
  });

  it('is the way back in also while one of EXTENSIONS is missing', async () => {
    const { code, stdout } = await run(['admin', '--help'], { EXTENSIONS: 'nope' });
    expect([code, stdout]).toEqual([0, expect.stringContaining('reset-password')]);
  });
});
