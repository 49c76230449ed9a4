import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startIdp } from '../../src/extension/test-idp/start-idp.js';
import { atDatabase, runSql, toUrl } from '../../src/extension/testing/test-database.js';
import { fastFolder } from '../../src/extension/testing/test-server.js';
import { workerDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { testServer } from '../support/test-server.js';
import { complaintOf } from './stage.js';

const COMMAND = fileURLToPath(new URL('../../scripts/gatehouse.mjs', import.meta.url));
const ENTRY = new URL('../../lib/extension/entry/test-idp.js', import.meta.url).href;
const LIMIT_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'test-idp-spec-'));
const running: ChildProcess[] = [];

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Ready {
  readonly issuer: string;
  readonly controlUrl: string;
  readonly pid: number;
}

/** A program, and what it says. */
function run(args: readonly string[], env: Record<string, string> = {}): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { child, said: () => text };
}

async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (let waited = 0; waited < LIMIT_MS; waited += 20) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await sleep(20);
  }
  throw new Error('It did not happen.');
}

async function ready({ said }: ReturnType<typeof run>): Promise<Ready> {
  return JSON.parse(await until(() => /^\{.*\}$/m.exec(said())?.[0])) as Ready;
}

/** The data of a process, and the number of its server. */
function dataOf(pid: number): { readonly path: string; readonly server: number } | undefined {
  const name = readdirSync(fastFolder()).find((entry) => entry.startsWith(`gatehouse-test-${pid}-`));
  if (name === undefined) return undefined;
  const path = join(fastFolder(), name);
  const file = join(path, 'postgres', 'postmaster.pid');
  return { path, server: existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : 0 };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('An identity provider for tests', () => {
  it('shares nothing with another one of the same process, and leaves nothing behind', async () => {
    const [one, other] = await Promise.all([
      startIdp(),
      startIdp({ fixture: { users: { zoe: {} } }, host: '127.0.0.1' }),
    ]);
    expect(one.issuer).toMatch(/^http:\/\/localhost:\d+$/);
    expect(other.issuer).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(Object.keys(one.users)).toEqual(['alice', 'bob']);
    expect(Object.keys(other.users)).toEqual(['zoe']);
    const answer = await fetch(`${other.issuer}/admin/v1/orgs/default`, {
      headers: { Authorization: `Bearer ${one.admin.token}` },
    });
    expect(answer.status).toBe(401);
    await one.reset();
    expect(Object.keys(other.users)).toEqual(['zoe']);
    await Promise.all([one.stop(), other.stop()]);
    await one.stop(); // and again
    expect(await complaintOf(one.reset())).toContain('does not answer');
  });

  it('says on one line of JSON where it is, with users and applications of a file', async () => {
    const file = join(folder, 'people.yaml');
    writeFileSync(file, 'users:\n  zoe: { email: zoe@acme.test }\napplications:\n  shop: { secret: shop-secret }\n');
    const port = await freePort();
    const program = run([COMMAND, 'test-idp', '--json', '--fixture', file, '--port', String(port)]);
    const { issuer, controlUrl } = await ready(program);
    expect([issuer, controlUrl]).toEqual([`http://localhost:${port}`, `http://localhost:${port}/_test`]);
    const signedIn = await fetch(`${controlUrl}/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"user":"zoe"}',
    });
    // What fetch of Node adds is not what a browser adds.
    expect([signedIn.status, await signedIn.json()]).toEqual([
      200,
      expect.objectContaining({ accessToken: expect.stringMatching(/^gta_/) }),
    ]);
    program.child.kill('SIGTERM');
    expect(await once(program.child, 'exit')).toEqual([0, null]);
    expect(dataOf(program.child.pid!)).toBeUndefined();
  });

  it('tells people what there is', async () => {
    const program = run([COMMAND, 'test-idp']);
    await until(() => program.said().includes('Ready in'));
    expect(program.said()).toMatch(/Users +alice@acme\.test \/ Correct-Horse-7, bob@acme\.test/);
    expect(program.said()).toMatch(/Applications +web \/ web-secret, spa, native, api \/ api-secret/);
    program.child.kill('SIGINT');
    expect(await once(program.child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [
      'a mistake in the fixture',
      ['--fixture', 'bad.yaml'],
      1,
      'bad.yaml:2: users.zoe.mail is not known: did you mean email?',
    ],
    ['no such file', ['--fixture', 'none.yaml'], 1, 'The fixture none.yaml cannot be read (ENOENT).'],
    ['an unknown option', ['--coffee'], 2, "Unknown option '--coffee'"],
    ['an address for others', ['--host', '0.0.0.0'], 2, 'it serves this machine alone'],
    ['a setting that it is made of', ['--setting', 'PUBLIC_URL=https://x'], 2, 'PUBLIC_URL cannot be set here'],
    ['a setting that is wrong', ['--setting', 'REFRESH_GRACE_SECONDS=soon'], 1, 'REFRESH_GRACE_SECONDS'],
  ])('refuses %s in words', async (_, args, status, words) => {
    writeFileSync(join(folder, 'bad.yaml'), 'users:\n  zoe: { mail: x }\n');
    const { child, said } = run([
      COMMAND,
      'test-idp',
      ...args.map((arg) => arg.replace('bad.yaml', join(folder, 'bad.yaml'))),
    ]);
    expect((await once(child, 'exit'))[0]).toBe(status);
    expect(said()).toContain(words);
    expect(said()).not.toContain('    at ');
  });

  it('refuses a port that is taken', async () => {
    const idp = await startIdp();
    const { port } = new URL(idp.issuer);
    expect(await complaintOf(startIdp({ port: Number(port) }))).toContain(
      `The port ${port} cannot be used (EADDRINUSE)`,
    );
    await idp.stop();
  });

  it('does not start in production, neither as a program nor by import [TST-004]', async () => {
    const program = run([COMMAND, 'test-idp'], { NODE_ENV: 'production' });
    expect((await once(program.child, 'exit'))[0]).toBe(1);
    expect(program.said()).toContain('does not start with NODE_ENV=production');
    const importing = run(['--input-type=module', '-e', `await (await import('${ENTRY}')).startIdp()`], {
      NODE_ENV: 'production',
    });
    expect((await once(importing.child, 'exit'))[0]).toBe(1);
    expect(importing.said()).toContain('does not start with NODE_ENV=production');
  });
});

describe('The end of a test run', () => {
  const script = (more: string): string[] => [
    ...['--input-type=module', '-e'],
    `const idp = await (await import('${ENTRY}')).startIdp(); process.stdout.write(JSON.stringify({ issuer: idp.issuer, controlUrl: idp.controlUrl }) + '\\n'); ${more}`,
  ];
  /** The service of a script: the process that was started last with data of its own. */
  const serviceOf = async (parent: number): Promise<number> =>
    until(() =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .find((pid) => statOf(pid)?.parent === parent && dataOf(pid) !== undefined),
    );

  it('that forgets to stop ends all the same, and everything with it', async () => {
    const program = run(script(''));
    const [status] = await once(program.child, 'exit');
    expect(status).toBe(0);
    expect(program.said()).toContain('issuer');
  });

  it('by kill -9 ends the service, its database and its files [TST-006]', async () => {
    const program = run(script('setInterval(() => {}, 1000)'));
    await ready(program);
    const service = await serviceOf(program.child.pid!);
    const { path, server } = dataOf(service)!;
    expect([isAlive(service), isAlive(server)]).toEqual([true, true]);
    program.child.kill('SIGKILL');
    await until(() => !isAlive(service) && !isAlive(server) && !existsSync(path));
  });

  it('by kill -9 of the service ends its database, and the next start removes its files [TST-006]', async () => {
    const program = run([COMMAND, 'test-idp', '--json']);
    const { pid } = await ready(program);
    const { path, server } = dataOf(pid)!;
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(server));
    expect(existsSync(path)).toBe(true);
    await using _idp = await startIdp();
    expect(existsSync(path)).toBe(false);
  });
});

describe('A PostgreSQL that was given', () => {
  const at = (name: string): string => toUrl(atDatabase(testServer().connection, name));
  const databases = async (): Promise<readonly string[]> => {
    const client = new pg.Client(testServer().connection);
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname ^@ 'gatehouse_test_idp_' AND datname ~ '_run_'`,
    );
    await client.end();
    return rows.map(({ name }) => name);
  };

  it('with a database that is not empty is refused, and nothing is changed there [TST-005]', async () => {
    const database = await workerDatabase();
    const before = await databases();
    expect(await complaintOf(startIdp({ databaseUrl: database.url }))).toContain(
      'is not empty, and was not made by test-idp',
    );
    expect(await databases()).toEqual(before);
    await database.release();
  });

  it('gets a database for each, which goes with it; the given one stays empty [TST-005]', async () => {
    await runSql(testServer().connection, 'CREATE DATABASE given_to_test_idp');
    const given = atDatabase(testServer().connection, 'given_to_test_idp');
    try {
      const [one, other] = await Promise.all([1, 2].map(() => startIdp({ databaseUrl: at('given_to_test_idp') })));
      expect(await databases()).toHaveLength(2);
      await one!.reset();
      expect((await other!.signIn('alice')).accessToken).toMatch(/^gta_/);
      await Promise.all([one!.stop(), other!.stop()]);
      expect(await databases()).toEqual([]);
      const killed = run([COMMAND, 'test-idp', '--json', '--database-url', at('given_to_test_idp')]);
      process.kill((await ready(killed)).pid, 'SIGKILL');
      await once(killed.child, 'exit');
      const next = await startIdp({ databaseUrl: at('given_to_test_idp') });
      expect(await databases()).toHaveLength(1);
      await next.stop();
      const client = new pg.Client(given);
      await client.connect();
      const { rows } = await client.query(`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`);
      expect(rows).toEqual([]);
      await client.end();
    } finally {
      await runSql(testServer().connection, 'DROP DATABASE given_to_test_idp WITH (FORCE)');
    }
  });

  it('by DATABASE_URL is not used where there is an embedded one: it is that of the application under test', async () => {
    const program = run([COMMAND, 'test-idp', '--json'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/app' });
    expect((await ready(program)).issuer).toMatch(/^http/);
    program.child.kill('SIGTERM');
    await once(program.child, 'exit');
  });
});

function statOf(pid: number): { readonly parent: number } | undefined {
  try {
    const [, parent] = / \((?:.*)\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { parent: Number(parent) };
  } catch {
    return undefined;
  }
}
