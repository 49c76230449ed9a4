import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { fullDocument } from '../migration/document.js';
import { callerWith } from '../support/admin-api.js';
import { Front } from '../support/front.js';
import { CliStage } from './cli-stage.js';

const stage = await CliStage.start();
const { all: ALL, folder, target, to } = stage;

beforeEach(() => {
  stage.clear();
});
afterAll(() => stage.close());

async function tokenOfViewer(): Promise<string> {
  const { api } = await callerWith(target, await target.add.org(), ['IAM_OWNER_VIEWER']);
  return api.token;
}

describe('gatehouse import', () => {
  it('does a dry run, imports, and finds everything there: the second export equals the first', async () => {
    await stage.atSource(['export', '-o', 'first.json.gz', ...ALL]);
    expect(readFileSync(join(folder, 'first.json.gz')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    const before = await stage.contents();
    expect(await stage.atTarget(['import', '--dry-run', 'first.json.gz'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Would import \(nothing was written\):\n.*human_user/s),
    });
    expect(await stage.contents()).toBe(before);
    expect(await stage.atTarget(['import', 'first.json.gz'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Imported:\n.* 3 {2}human_user\n/s),
      stderr: expect.stringContaining('Sending  100 %'),
    });
    expect(await stage.atTarget(['import', 'first.json.gz'])).toMatchObject({
      code: 0,
      stdout: 'Everything already exists: nothing to import.\n',
    });
    const second = await stage.atTarget(['export', ...ALL]);
    expect(second.stdout).toBe(gunzipSync(readFileSync(join(folder, 'first.json.gz'))).toString());
  });

  it('reads the standard input, compressed or not', async () => {
    const other = fullDocument();
    expect(await stage.atTarget(['import', '--dry-run'], { input: JSON.stringify(other) })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('human_user'),
    });
    expect(await stage.atTarget(['import', '-'], { input: gzipSync(JSON.stringify(other)) })).toMatchObject({
      code: 0,
    });
  });

  it('takes a file that is a request, as tools of others write it', async () => {
    expect(
      await stage.atTarget([
        'import',
        stage.put('request.json', { timeout: '30m', dataOrgs: fullDocument() }),
        '--dry-run',
      ]),
    ).toMatchObject({ code: 0, stdout: expect.stringContaining('Would import') });
  });

  it('names every fault with its place, and nothing is written', async () => {
    const broken = fullDocument() as unknown as {
      orgs: Array<{ humanUsers: Array<{ user: { email: { email: string } } }>; org: { name: string } }>;
    };
    broken.orgs[0]!.humanUsers[0]!.user.email.email = 'nowhere';
    broken.orgs[1]!.org.name = '';
    const before = await stage.contents();
    const { code, stderr, stdout } = await stage.atTarget(['import', stage.put('broken.json', broken)]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/orgs\[0\]\.humanUsers\[0\]\.user\.email.*orgs\[1\]\.org\.name/s);
    expect(await stage.contents()).toBe(before);
  });

  it('refuses a conflict, and leaves it as it is when asked to, with a code of its own', async () => {
    const changed = fullDocument();
    await stage.atTarget(['import', stage.put('one.json', changed)]);
    (changed as unknown as { orgs: Array<{ projects: Array<{ project: { name: string } }> }> }).orgs[0]!
      .projects[0]!.project.name = 'Another';
    stage.put('two.json', changed);
    expect(await stage.atTarget(['import', 'two.json'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('orgs[0].projects[0]'),
    });
    expect(await stage.atTarget(['import', '--on-conflict', 'skip', 'two.json'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Left out or changed, and why:\n {2}orgs\[0\]\.projects\[0\]: /),
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
    stage.put('file', content);
    const ended = await stage.refused(['import', ...args, '--url', target.origin]);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(told) });
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
          await stage.gatehouse(['import', '--url', url, '--dry-run', stage.put('one.json', fullDocument())], {
            token: to.token,
          }),
        ).toMatchObject({ code: 0 });
      }
      expect(front.asked).toContain(WAITS);
      expect(
        await stage.gatehouse(
          ['import', '--url', front.url.replace('/gatehouse', ''), stage.put('two.json', fullDocument())],
          {
            token: to.token,
          },
        ),
      ).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/\/x answered 404, but not as Gatehouse would\. Check --url/),
      });
      expect(
        await stage.gatehouse(['import', '--url', `${front.url}?x=1`, 'two.json'], { token: to.token }),
      ).toMatchObject({
        code: 2,
      });
    });

    it.each([
      ['a dead token', async () => 'dead', 'Create a new personal access token'],
      ['a token without the role', tokenOfViewer, 'IAM_OWNER'],
    ])('with %s is refused before anything is sent', async (_, tokenOf, told) => {
      const token = await tokenOf();
      expect(
        await stage.gatehouse(['import', '--url', front.url, stage.put('one.json', fullDocument())], { token }),
      ).toMatchObject({ code: 1, stderr: expect.stringContaining(told) });
      expect(front.asked).toEqual(['POST /admin/v1/jobs/_search']);
    });

    it('reports when the service is unavailable, and when it is back', async () => {
      let looks = 0;
      front.isUp = (asked) => !asked.startsWith('GET /admin/v1/jobs/') || (looks += 1) > 3;
      const { code, stderr } = await stage.gatehouse(
        ['import', '--url', front.url, stage.put('one.json', fullDocument())],
        {
          token: to.token,
        },
      );
      expect(code).toBe(0);
      expect(stderr).toMatch(
        /The connection to http:.*\/x\/gatehouse was lost .* Waiting for it\.\nThe service responds again\.\n/,
      );
      expect(stderr.match(/Waiting for it/g)).toHaveLength(1);
    });
  });

  it('prints the job as JSON', async () => {
    const { stdout } = await stage.atTarget(['import', '--dry-run', '--json', stage.put('one.json', fullDocument())]);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'MIGRATION_JOB_STATE_SUCCEEDED', dryRun: true });
  });

  it('cancels what it began when it is interrupted, and nothing is written', async () => {
    const before = await stage.contents();
    const lock = new Client(target.database.connection);
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query(`SELECT pg_advisory_xact_lock(hashtextextended('import', 0))`);
    try {
      const ended = await stage.atTarget(['import', stage.put('one.json', fullDocument())], {
        meanwhile: async (child) => {
          while (
            (await target.rows(`SELECT 1 FROM migration_job WHERE state = 'running' AND phase = 'checking'`)).length ===
            0
          )
            await sleep(20);
          child.kill('SIGINT');
        },
      });
      expect(ended).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining('cancelled') });
    } finally {
      await lock.end();
    }
    expect(await stage.contents()).toBe(before);
  });
});
