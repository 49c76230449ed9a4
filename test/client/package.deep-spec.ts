import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type { ApiDocument } from '../../src/docs/site/document.js';
import { routesOf } from '../../src/docs/site/document.js';
import { exampleCall, toTypeScript } from '../../src/docs/site/typescript.js';
import { closeWindows, openChromium } from '../browser/chromium.js';
import { Window } from '../browser/window.js';
import { ROOT, Team } from '../extension/team.js';
import { callerWith } from '../support/admin-api.js';
import { codeBlocksOf } from '../support/code-blocks.js';
import { startWorld, type World } from '../support/world.js';

const LIMIT_MS = 300_000;
const LIMIT_BYTES = 20_000;
const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as ApiDocument;
const routes = routesOf(document);

/** What a program about the users of an organization needs. */
const DOZEN = [
  ...['addHumanUser', 'addMachineUser', 'deactivateUser', 'getUserByID', 'listUsers', 'listUserMetadata', 'lockUser'],
  ...['reactivateUser', 'removeUser', 'setUserMetadata', 'unlockUser', 'updateHumanProfile'],
];

/** Adds a person, and says who is there: the same in Node and in a page. */
const PROGRAM = `
import { addHumanUser, connect, each, getUserByID, isRefusal, listUsers } from 'gatehouse/client';
export async function people(url, token, organization, userName) {
  const gatehouse = connect({ url, token, organization });
  const email = { email: 'ilse@birkenhof.example', isEmailVerified: true };
  const person = { userName, profile: { firstName: 'Ilse', lastName: 'Brandt' }, email };
  const outcomes = [];
  for (let time = 1; time <= 2; time += 1)
    outcomes.push(await addHumanUser(gatehouse, person).then(() => 'added', (error) => isRefusal(error, addHumanUser, 'user.name_taken')));
  const unknown = await getUserByID(gatehouse, { id: '404' }).catch(({ name, status, reason }) => ({ name, status, reason }));
  const names = [];
  for await (const { userName } of each(gatehouse, listUsers, { query: { limit: 1 } })) names.push(userName);
  return { outcomes, unknown, names };
}
`;
const SAID = {
  outcomes: ['added', true],
  unknown: { name: 'GatehouseError', status: 404, reason: 'user.not_found' },
};

let team: Team;
let world: World;
let token: string;

beforeAll(async () => {
  team = Team.withPackage();
  world = await startWorld({ realTime: true });
  token = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api.token;
}, LIMIT_MS);
afterAll(async () => {
  await closeWindows();
  await world.close();
  team.remove();
});

/** For browsers, as bundlers do it. */
async function bundled(contents: string): Promise<Buffer> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: team.folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return Buffer.from(outputFiles[0]!.contents);
}

/** @returns the errors */
async function compile(folder: string, settings: object): Promise<string[]> {
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...settings,
  };
  writeFileSync(team.path(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(team.path(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  const tsc = team.path('node_modules', 'typescript', 'bin', 'tsc');
  const told = await promisify(execFile)(process.execPath, [tsc, '-p', team.path(folder)], { cwd: team.folder }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
  return told.split('\n').filter((line) => line !== '');
}

describe('The types of the package', () => {
  it('know calls, and refuse wrong ones, with the declarations of Node or of browsers', async () => {
    for (const [folder, settings] of [
      ['for-node', { types: ['node'], lib: ['es2024'] }],
      ['for-browsers', { types: [], lib: ['es2024', 'dom'] }],
    ] as const) {
      mkdirSync(team.path(folder));
      copyFileSync(join(ROOT, 'test/client/typed-calls.ts'), team.path(folder, 'typed-calls.ts'));
      expect(await compile(folder, settings)).toEqual([]);
    }
  });

  it('fit the program that /docs shows for each operation', async () => {
    mkdirSync(team.path('shown'));
    for (const route of routes) {
      const text = toTypeScript(route, world.origin, exampleCall(document, route.operation));
      writeFileSync(team.path('shown', `${route.operation.operationId}.ts`), text);
    }
    expect(routes.length).toBeGreaterThan(700);
    expect(await compile('shown', { types: ['node'] })).toEqual([]);
  });

  it('fit the code of README.md and docs/client.md, with the settings that the page has', async () => {
    mkdirSync(team.path('pages'));
    const blocks = ['README.md', 'docs/client.md'].flatMap((page) => codeBlocksOf(join(ROOT, page)));
    const written = blocks.filter(({ language }) => language === 'ts');
    for (const [index, { prelude, code }] of written.entries())
      writeFileSync(team.path('pages', `block-${index}.ts`), prelude + code);
    expect(written.length).toBeGreaterThan(5);
    const settings = blocks.find(({ name }) => name === 'tsconfig.json')!.code;
    const { compilerOptions } = JSON.parse(settings) as { compilerOptions: object };
    expect(await compile('pages', compilerOptions)).toEqual([]);
  });
});

describe('A bundle', () => {
  it('contains what is used: below 20 kB for the dozen calls of one service, and for all of a service', async () => {
    const used = `import { connect, each, isRefusal, ${DOZEN.join(', ')} } from 'gatehouse/client';`;
    const dozen = await bundled(`${used}\nconsole.log(connect, each, isRefusal, ${DOZEN.join(', ')});`);
    expect(dozen.length).toBeLessThan(LIMIT_BYTES);
    expect(dozen.toString()).toContain('/management/v1/users/{id}/_lock');
    expect(dozen.toString()).not.toContain('/admin/v1/');

    const largest = routes.filter(({ operation }) => operation.tags[0] === 'Identity providers');
    const names = largest.map(({ operation: { operationId: id } }) => id.charAt(0).toLowerCase() + id.slice(1));
    const whole = await bundled(
      `import { connect, ${names.join(', ')} } from 'gatehouse/client';\nconsole.log(connect, ${names.join(', ')});`,
    );
    expect(names.length).toBeGreaterThan(30);
    expect(whole.length).toBeLessThan(LIMIT_BYTES);

    const all = await bundled("import * as all from 'gatehouse/client';\nconsole.log(all);");
    // As docs/client.md says: 7 and 75 kB, compressed 3 and 15.
    const [own, every] = [dozen, all].map((one) => [one.length, gzipSync(one).length] as const);
    expect([own![0] < 8_000, own![1] < 4_000, every![0] < 90_000, every![1] < 20_000]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('works in Node, and from the package as it is', async () => {
    const org = await world.add.org();
    writeFileSync(team.path('bundle.mjs'), await bundled(PROGRAM));
    writeFileSync(team.path('program.mjs'), PROGRAM);
    for (const [index, file] of ['bundle.mjs', 'program.mjs'].entries()) {
      const about = index === 0 ? org.id : (await world.add.org()).id;
      const values = [world.origin, token, about, file].map((value) => JSON.stringify(value)).join(', ');
      const code = `const { people } = await import('./${file}'); console.log(JSON.stringify(await people(${values})));`;
      const args = ['--input-type=module', '-e', code];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: team.folder });
      expect(JSON.parse(stdout)).toEqual({ ...SAID, names: [file] });
    }
  });

  it('works in a page of another origin', async () => {
    const bundle = await bundled(`${PROGRAM}\nglobalThis.people = people;`);
    const server = createServer(({ url }, response) => {
      response.setHeader('Content-Type', url === '/bundle.js' ? 'text/javascript' : 'text/html');
      response.end(url === '/bundle.js' ? bundle : '<!doctype html><title>People</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const window = await Window.open(await openChromium());
    try {
      const { page } = window;
      await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
      const org = await world.add.org();
      const said = await page.evaluate(
        async ({ url, pat, about }) => {
          const path = '/bundle.js';
          const { people } = (await import(path)) as { people(...values: readonly string[]): Promise<unknown> };
          return { said: await people(url, pat, about, 'page'), origin: location.origin };
        },
        { url: world.origin, pat: token, about: org.id },
      );
      expect(said.said).toEqual({ ...SAID, names: ['page'] });
      expect(said.origin).not.toBe(world.origin);
      // The browser notes the two refusals that the program asks for.
      expect(window.complaints.every((one) => /status of (404|409)/.test(one))).toBe(true);
    } finally {
      await window.close();
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('The program that /docs shows', () => {
  it.each([
    ['GetMyUser', 0],
    ['ListUsers', 0],
    ['ListUsersV2', 0],
    ['AddProject', 0],
    ['GetUserByID', 1],
    ['GetLoginSettingsV2', 0],
    ['ListEvents', 0],
    ['GetProviderMetadata', 0],
  ] as const)('runs: %s', async (id, status) => {
    const route = routes.find(({ operation }) => operation.operationId === id)!;
    const text = toTypeScript(route, world.origin, exampleCall(document, route.operation));
    writeFileSync(team.path(`run-${id}.ts`), text);
    writeFileSync(team.path('package.json'), '{ "type": "module" }');
    const ended = await promisify(execFile)(process.execPath, [team.path(`run-${id}.ts`)], {
      cwd: team.folder,
      env: { ...process.env, TOKEN: token },
    }).then(
      ({ stdout }) => ({ status: 0, said: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ status: code, said: stderr }),
    );
    expect(ended).toMatchObject({ status });
    if (status === 1) expect(ended.said).toContain("reason: 'user.not_found'");
    expect(ended.said).not.toContain(token);
  });
});
