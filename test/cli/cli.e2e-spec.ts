import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { canonical, fullDocument } from '../migration/document.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { BucketServer } from '../support/bucket-server.js';
import { Front } from '../support/front.js';
import { S3Server } from '../support/s3-server.js';
import { startWorld } from '../support/world.js';
import { gatehouseHere } from './command-here.js';

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
const moves = join(folder, 'moves');
const server = await BucketServer.start('moves');
const source = await startWorld();
const s3 = await S3Server.start('moves');
const target = await startWorld({
  env: { ...server.env, OBJECT_STORE_DIR: moves, OBJECT_STORE_S3_ENDPOINTS: s3.origin },
});
const document = fullDocument();
const orgIds = document.orgs.map(({ orgId }) => orgId as string);
const OF_ORGS = orgIds.flatMap((id) => ['--org', id]);
const ALL = [...OF_ORGS, '--with-passwords', '--with-otp', '--with-keys'];
let from: AdminApi;
let to: AdminApi;
let viewer: AdminApi;
let viewerAtTarget: AdminApi;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface How {
  /** `null`: none. */
  readonly token?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly meanwhile?: (child: ChildProcess) => Promise<void>;
}

function tokenFor(args: readonly string[], { token }: How): Readonly<Record<string, string>> {
  return token === null ? {} : { GATEHOUSE_TOKEN: token ?? (args.includes(target.origin) ? to.token : from.token) };
}

/** The command in a process of its own, as an operator has it. */
async function gatehouse(args: readonly string[], how: How = {}): Promise<Ended> {
  const { env, input, meanwhile } = how;
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...tokenFor(args, how), ...env },
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await meanwhile?.(child);
  const code = await ended;
  const text = Buffer.concat(err).toString();
  expectNoSecret(text);
  return { code, out: Buffer.concat(out).toString(args.includes('--gzip') ? 'latin1' : 'utf8'), err: text };
}

/** The same in this process, which stands in another folder: for what is refused. */
async function refused(args: readonly string[], how: How = {}): Promise<Ended> {
  const inFolder = args.map((arg) => (/\.json$|^(?:file|moves)$/.test(arg) ? join(folder, arg) : arg));
  const { code, stdout, stderr } = await gatehouseHere(inFolder, { ...tokenFor(args, how), ...how.env });
  expectNoSecret(stderr);
  return { code, out: stdout, err: stderr };
}

function expectNoSecret(text: string): void {
  for (const secret of [from.token, to.token, s3.secretAccessKey]) expect(text).not.toContain(secret);
}

const atSource = (args: readonly string[], how?: How): Promise<Ended> =>
  gatehouse([...args, '--url', source.origin], how);
const atTarget = (args: readonly string[], how?: How): Promise<Ended> =>
  gatehouse([...args, '--url', target.origin], how);
const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const put = (name: string, content: unknown): string => {
  writeFileSync(
    join(folder, name),
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );
  return name;
};
const contents = async (): Promise<string> => (await target.contents()).replace(/^migration_job .*$/gm, '');

beforeAll(async () => {
  const homes = await Promise.all([source.add.org(), target.add.org()]);
  ({ api: from } = await callerWith(source, homes[0], ['IAM_OWNER']));
  ({ api: to } = await callerWith(target, homes[1], ['IAM_OWNER']));
  ({ api: viewer } = await callerWith(source, homes[0], ['IAM_OWNER_VIEWER']));
  ({ api: viewerAtTarget } = await callerWith(target, homes[1], ['IAM_OWNER_VIEWER']));
  await from.call('POST', '/admin/v1/import', { data_orgs: document });
});
beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(moves, { recursive: true });
  server.objects.clear();
});
afterAll(async () => {
  await Promise.all([source.close(), target.close(), server.close(), s3.close()]);
  rmSync(folder, { recursive: true, force: true });
});

describe('gatehouse export', () => {
  it('writes a complete file, readable only for its owner', async () => {
    const { code, out, err } = await atSource(['export', '-o', 'all.json', ...ALL]);
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(
      /Written: all\.json, \d+\.\d kB\nLeft out:\n {2}always: everything that belongs to the instance; passkeys and security keys; webhooks; personal access tokens, sessions and tokens\n$/,
    );
    expect(canonical(json('all.json'))).toEqual(canonical(document));
    expect(statSync(join(folder, 'all.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['all.json', 'moves']);
  });

  it('lists what it left out, with the option that includes it; but nothing with --quiet', async () => {
    const { err } = await atSource(['export', '-o', 'all.json']);
    expect(err).toContain(
      'Left out:\n  the keys of applications and service users (--with-keys includes them)\n  passwords and secrets (--with-passwords',
    );
    expect((await atSource(['export', '-q', '-o', 'quiet.json'])).err).toBe('');
  });

  it('writes to the standard output, compressed when that is asked for', async () => {
    const plain = await atSource(['export', ...ALL]);
    const zipped = await atSource(['export', '--gzip', '-o', '-', ...ALL]);
    expect(canonical(JSON.parse(plain.out))).toEqual(canonical(document));
    expect(gunzipSync(Buffer.from(zipped.out, 'latin1')).toString()).toBe(plain.out);
  });

  it('takes organizations, and leaves out others, passwords and seeds', async () => {
    const { out } = await atSource(['export', ...OF_ORGS, '--exclude-org', orgIds[1]!]);
    expect((JSON.parse(out) as typeof document).orgs.map(({ orgId }) => orgId)).toEqual([orgIds[0]]);
    expect(out).not.toMatch(/argon2id|otpCode|clientSecret/);
  });

  it('does not replace a file', async () => {
    put('all.json', 'the first');
    expect(await atSource(['export', '-o', 'all.json'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('all.json already exists'),
    });
    expect(readFileSync(join(folder, 'all.json'), 'utf8')).toBe('the first');
  });

  it.each<[string, string[], How, number, string]>([
    [
      'an unknown organization',
      ['export', '-o', 'x.json', '--org', 'nobody'],
      {},
      1,
      'The organization does not exist: nobody',
    ],
    ['a time that is over', ['export', '-o', 'x.json', '--timeout', '1ms'], {}, 1, 'time'],
    ['a folder that is not there', ['export', '-o', 'none/x.json'], {}, 1, 'cannot be written (ENOENT)'],
    ['a token that is none', ['export', '-o', 'x.json'], { token: 'dead' }, 1, 'Create a new personal access token'],
    ['no token', ['export', '-o', 'x.json'], { token: null }, 2, 'GATEHOUSE_TOKEN'],
    [
      'a file with no token',
      ['export', '-o', 'x.json', '--token-file', 'none'],
      { token: null },
      1,
      'none cannot be read',
    ],
    ['an unknown option', ['export', '--all'], {}, 2, `Unknown option '--all'`],
    ['two places', ['export', '-o', 'x.json', '--to', 'dir:x'], {}, 2, 'not both'],
    ['no place', ['export', '--to', 'ftp://x/y'], {}, 2, 'gs://BUCKET/PATH, s3://BUCKET/PATH, dir:PATH'],
    [
      'an S3 bucket without a key',
      ['export', '--to', 's3://x/y'],
      {},
      2,
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    ['a bucket without an account', ['export', '--to', 'gs://moves/x'], {}, 2, '--service-account is missing'],
  ])('explains what is wrong with %s, and leaves no file', async (_, args, how, code, told) => {
    const ended = await refused([...args, '--url', source.origin], how);
    expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(told) });
    expect(readdirSync(folder)).toEqual(['moves']);
  });

  it('names the missing role', async () => {
    expect(await atSource(['export'], { token: viewer.token })).toMatchObject({
      code: 1,
      err: expect.stringContaining('IAM_OWNER'),
    });
  });

  it('reports that no server is listening, or another one', async () => {
    expect(await refused(['export', '--url', 'http://127.0.0.1:9'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing listens at http://127.0.0.1:9'),
    });
    expect(await refused(['export', '--url', 'http://name.invalid', '--insecure'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot be resolved|was lost/),
    });
    expect(await refused(['export', '--url', server.origin])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Check --url'),
    });
  });

  it('sends nothing readable to another machine', async () => {
    expect(await refused(['export', '--url', 'http://192.0.2.1'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('http is not encrypted'),
    });
  });

  it.each([
    ['a file', { GATEHOUSE_TOKEN_FILE: 'pat' }, []],
    ['a file that is named', {}, ['--token-file', 'pat']],
    ['the environment, with the address', {}, []],
  ])('takes the token from %s', async (what, env, args) => {
    put('pat', `${from.token}\n`);
    const isAll = what.startsWith('the environment');
    const found = await gatehouse(['export', ...args], {
      token: isAll ? from.token : null,
      env: { ...env, GATEHOUSE_URL: source.origin },
    });
    expect(found).toMatchObject({ code: 0, out: expect.stringContaining('"orgs":[') });
  });
});

describe('gatehouse import', () => {
  it('does a dry run, imports, and finds everything there: the second export equals the first', async () => {
    await atSource(['export', '-o', 'first.json.gz', ...ALL]);
    expect(readFileSync(join(folder, 'first.json.gz')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    const before = await contents();
    expect(await atTarget(['import', '--dry-run', 'first.json.gz'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Would import \(nothing was written\):\n.*human_user/s),
    });
    expect(await contents()).toBe(before);
    expect(await atTarget(['import', 'first.json.gz'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Imported:\n.* 3 {2}human_user\n/s),
      err: expect.stringContaining('Sending  100 %'),
    });
    expect(await atTarget(['import', 'first.json.gz'])).toMatchObject({
      code: 0,
      out: 'Everything already exists: nothing to import.\n',
    });
    const second = await atTarget(['export', ...ALL]);
    expect(second.out).toBe(gunzipSync(readFileSync(join(folder, 'first.json.gz'))).toString());
  });

  it('reads the standard input, compressed or not', async () => {
    const other = fullDocument();
    expect(await atTarget(['import', '--dry-run'], { input: JSON.stringify(other) })).toMatchObject({
      code: 0,
      out: expect.stringContaining('human_user'),
    });
    expect(await atTarget(['import', '-'], { input: gzipSync(JSON.stringify(other)) })).toMatchObject({ code: 0 });
  });

  it('takes a file that is a request, as tools of others write it', async () => {
    expect(
      await atTarget(['import', put('request.json', { timeout: '30m', dataOrgs: fullDocument() }), '--dry-run']),
    ).toMatchObject({ code: 0, out: expect.stringContaining('Would import') });
  });

  it('names every fault with its place, and nothing is written', async () => {
    const broken = fullDocument() as unknown as {
      orgs: Array<{ humanUsers: Array<{ user: { email: { email: string } } }>; org: { name: string } }>;
    };
    broken.orgs[0]!.humanUsers[0]!.user.email.email = 'nowhere';
    broken.orgs[1]!.org.name = '';
    const before = await contents();
    const { code, err, out } = await atTarget(['import', put('broken.json', broken)]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/orgs\[0\]\.humanUsers\[0\]\.user\.email.*orgs\[1\]\.org\.name/s);
    expect(await contents()).toBe(before);
  });

  it('refuses a conflict, and leaves it as it is when asked to, with a code of its own', async () => {
    const changed = fullDocument();
    await atTarget(['import', put('one.json', changed)]);
    (changed as unknown as { orgs: Array<{ projects: Array<{ project: { name: string } }> }> }).orgs[0]!
      .projects[0]!.project.name = 'Another';
    put('two.json', changed);
    expect(await atTarget(['import', 'two.json'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('orgs[0].projects[0]'),
    });
    expect(await atTarget(['import', '--on-conflict', 'skip', 'two.json'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/Left out or changed, and why:\n {2}orgs\[0\]\.projects\[0\]: /),
    });
  });

  it.each<[string, string | Buffer, string[], number, string]>([
    ['a file that is not there', '', ['none.json'], 1, 'none.json cannot be read (ENOENT)'],
    ['a folder', '', ['moves'], 1, 'moves is a folder'],
    ['what is no JSON', 'hello', ['file'], 1, 'This is not a valid document'],
    ['nothing in it', '{}', ['file'], 1, 'contains no organizations'],
    [
      'an export of Keycloak',
      '{"id":"x","realm":"birkenhof","users":[]}',
      ['file'],
      1,
      'gatehouse convert keycloak FILE',
    ],
    ['an export of Auth0', '{"user_id":"auth0|1","email":"a@b.test"}\n', ['file'], 1, 'gatehouse convert auth0 FILE'],
    ['half a document', '{"orgs":[{"orgId":', ['file'], 1, 'is truncated'],
    ['half a gzip', gzipSync('{"orgs":[]}').subarray(0, 20), ['file'], 1, 'is truncated'],
    ['another rule for conflicts', '{}', ['file', '--on-conflict', 'overwrite'], 2, 'Give skip'],
    ['two files', '{}', ['file', 'file'], 2, 'Give one file'],
    ['a time that is none', '{"orgs":[]}', ['file', '--timeout', '1d'], 1, 'timeout: must be a duration'],
  ])('explains what is wrong with %s', async (_, content, args, code, told) => {
    put('file', content);
    const ended = await refused(['import', ...args, '--url', target.origin]);
    expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(told) });
  });

  describe('through a front with a path', () => {
    let front: Front;
    const WAITS = 'POST /admin/v1/import';

    beforeAll(async () => {
      front = await Front.start(target.origin, '/x/gatehouse');
    });
    beforeEach(() => {
      front.asked.length = 0;
      front.isUp = () => true;
    });
    afterAll(() => front.close());

    it('asks below that path, whether it ends with a slash or not', async () => {
      for (const url of [front.url, `${front.url}/`]) {
        expect(
          await gatehouse(['import', '--url', url, '--dry-run', put('one.json', fullDocument())], { token: to.token }),
        ).toMatchObject({ code: 0 });
      }
      expect(front.asked).toContain(WAITS);
      expect(
        await gatehouse(['import', '--url', front.url.replace('/gatehouse', ''), put('two.json', fullDocument())], {
          token: to.token,
        }),
      ).toMatchObject({
        code: 1,
        err: expect.stringMatching(/\/x answered 404, but not as Gatehouse would\. Check --url/),
      });
      expect(await gatehouse(['import', '--url', `${front.url}?x=1`, 'two.json'], { token: to.token })).toMatchObject({
        code: 2,
      });
    });

    it.each([
      ['a dead token', () => 'dead', 'Create a new personal access token'],
      ['a token without the role', () => 'viewer', 'IAM_OWNER'],
    ])('with %s is refused before anything is sent', async (_, which, told) => {
      const token = which() === 'viewer' ? viewerAtTarget.token : 'dead';
      expect(await gatehouse(['import', '--url', front.url, put('one.json', fullDocument())], { token })).toMatchObject(
        { code: 1, err: expect.stringContaining(told) },
      );
      expect(front.asked).toEqual(['POST /admin/v1/jobs/_search']);
    });

    it('reports when the service is unavailable, and when it is back', async () => {
      let looks = 0;
      front.isUp = (asked) => !asked.startsWith('GET /admin/v1/jobs/') || (looks += 1) > 3;
      const { code, err } = await gatehouse(['import', '--url', front.url, put('one.json', fullDocument())], {
        token: to.token,
      });
      expect(code).toBe(0);
      expect(err).toMatch(
        /The connection to http:.*\/x\/gatehouse was lost .* Waiting for it\.\nThe service responds again\.\n/,
      );
      expect(err.match(/Waiting for it/g)).toHaveLength(1);
    });
  });

  it('prints the job as JSON', async () => {
    const { out } = await atTarget(['import', '--dry-run', '--json', put('one.json', fullDocument())]);
    expect(JSON.parse(out)).toMatchObject({ state: 'MIGRATION_JOB_STATE_SUCCEEDED', dryRun: true });
  });

  it('cancels what it began when it is interrupted, and nothing is written', async () => {
    const before = await contents();
    const lock = new Client(target.database.connection);
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query(`SELECT pg_advisory_xact_lock(hashtextextended('import', 0))`);
    try {
      const ended = await atTarget(['import', put('one.json', fullDocument())], {
        meanwhile: async (child) => {
          while (
            (await target.rows(`SELECT 1 FROM migration_job WHERE state = 'running' AND phase = 'checking'`)).length ===
            0
          )
            await sleep(20);
          child.kill('SIGINT');
        },
      });
      expect(ended).toMatchObject({ code: 130, out: '', err: expect.stringContaining('cancelled') });
    } finally {
      await lock.end();
    }
    expect(await contents()).toBe(before);
  });
});

describe('A file that the service writes and reads itself', () => {
  it('is in its directory, or in a bucket', async () => {
    put('account.json', server.accountFile);
    const account = ['--service-account', 'account.json'];
    const one = fullDocument();
    await atTarget(['import', put('one.json', one)]);
    const orgs = one.orgs.flatMap(({ orgId }) => ['--org', orgId as string]);
    expect(await atTarget(['export', '--to', 'gs://moves/one.json.gz', ...account, ...orgs])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Written: gs:\/\/moves\/one\.json\.gz, .*\n.*human_user.*\nLeft out:\n {2}the keys of/s,
      ),
    });
    expect(await atTarget(['export', '--to', 'dir:a/one.json', ...orgs])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Written: a/one.json'),
    });
    expect(existsSync(join(moves, 'a/one.json'))).toBe(true);
    for (const place of [['gs://moves/one.json.gz', ...account], ['dir:a/one.json']]) {
      expect(await atTarget(['import', '--from', ...place])).toMatchObject({
        code: 0,
        out: 'Everything already exists: nothing to import.\n',
      });
    }
    expect(await atTarget(['export', '--to', 'dir:a/one.json'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('already exists'),
    });
    expect(await atTarget(['import', '--from', 'gs://elsewhere/x', ...account])).toMatchObject({
      code: 1,
      err: expect.stringContaining('The bucket elsewhere does not exist'),
    });
  });

  it('is in an S3-compatible storage, with the key of the environment', async () => {
    const env = { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey };
    const one = fullDocument();
    await atTarget(['import', put('one.json', one)]);
    const orgs = one.orgs.flatMap(({ orgId }) => ['--org', orgId as string]);
    const written = await atTarget(['export', '--to', 's3://moves/one.json.gz', ...orgs], { env });
    expect(written).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Written: s3:\/\/moves\/one\.json\.gz, .*\n.*human_user/s),
    });
    const read = ['import', '--from', 's3://moves/one.json.gz', '--s3-endpoint', s3.origin, '--s3-region', 'us-east-1'];
    expect(await atTarget(read, { env })).toMatchObject({
      code: 0,
      out: 'Everything already exists: nothing to import.\n',
    });
    expect(await atTarget(['import', '--from', 's3://moves/none.json'], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('The file s3://moves/none.json does not exist'),
    });
  });
});

describe('gatehouse', () => {
  it.each([['--help'], ['export', '--help'], ['import', '-h']])('explains itself: %s', async (...args) => {
    expect(await gatehouse(args, { token: null })).toMatchObject({
      code: 0,
      out: expect.stringContaining('gatehouse'),
      err: '',
    });
  });

  it('lists its commands if called without or with an unknown one', async () => {
    expect(await gatehouse([], { token: null })).toMatchObject({ code: 2, out: expect.stringContaining('export') });
    expect(await gatehouse(['frobnicate'], { token: null })).toMatchObject({
      code: 2,
      err: expect.stringContaining('Commands: register, export, import'),
    });
  });
});
