import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { canonical } from '../migration/document.js';
import { callerWith } from '../support/admin-api.js';
import { freePort } from '../support/free-port.js';
import { CliStage, type How } from './cli-stage.js';

const stage = await CliStage.start();
const { all: ALL, ofOrgs: OF_ORGS, document, folder, from, orgIds, server, source } = stage;

beforeEach(() => {
  stage.clear();
});
afterAll(() => stage.close());

describe('gatehouse export', () => {
  it('writes a complete file, readable only for its owner', async () => {
    const { code, stdout, stderr } = await stage.atSource(['export', '-o', 'all.json', ...ALL]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(
      /Written: all\.json, \d+\.\d kB\nLeft out:\n {2}always: everything that belongs to the instance; webhooks; personal access tokens, sessions and tokens\n$/,
    );
    expect(canonical(stage.json('all.json'))).toEqual(canonical(document));
    expect(statSync(join(folder, 'all.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['all.json', 'moves']);
  });

  it('lists what it left out, with the option that includes it; but nothing with --quiet', async () => {
    const { stderr } = await stage.atSource(['export', '-o', 'all.json']);
    expect(stderr).toContain(
      'Left out:\n  the keys of applications and service users (--with-keys includes them)\n  passwords and secrets (--with-passwords',
    );
    expect((await stage.atSource(['export', '-q', '-o', 'quiet.json'])).stderr).toBe('');
  });

  it('writes to the standard output, compressed when that is asked for', async () => {
    const plain = await stage.atSource(['export', ...ALL]);
    const zipped = await stage.atSource(['export', '--gzip', '-o', '-', ...ALL]);
    expect(canonical(JSON.parse(plain.stdout))).toEqual(canonical(document));
    expect(gunzipSync(Buffer.from(zipped.stdout, 'latin1')).toString()).toBe(plain.stdout);
  });

  it('takes organizations, and leaves out others, passwords and seeds', async () => {
    const { stdout } = await stage.atSource(['export', ...OF_ORGS, '--exclude-org', orgIds[1]!]);
    expect((JSON.parse(stdout) as typeof document).orgs.map(({ orgId }) => orgId)).toEqual([orgIds[0]]);
    expect(stdout).not.toMatch(/argon2id|otpCode|clientSecret/);
  });

  it('does not replace a file', async () => {
    stage.put('all.json', 'the first');
    expect(await stage.atSource(['export', '-o', 'all.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('all.json already exists'),
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
    ['no place', ['export', '--to', 'ftp://x/y'], {}, 2, 'gs://BUCKET/PATH, s3://BUCKET/PATH or dir:PATH'],
    [
      'an S3 bucket without a key',
      ['export', '--to', 's3://x/y'],
      {},
      2,
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    ['a bucket without an account', ['export', '--to', 'gs://moves/x'], {}, 2, '--service-account is missing'],
  ])('explains what is wrong with %s, and leaves no file', async (_, args, how, code, told) => {
    const ended = await stage.refused([...args, '--url', source.origin], how);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(told) });
    expect(readdirSync(folder)).toEqual(['moves']);
  });

  it('names the missing role', async () => {
    const { api: viewer } = await callerWith(source, await source.add.org(), ['IAM_OWNER_VIEWER']);
    expect(await stage.atSource(['export'], { token: viewer.token })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('IAM_OWNER'),
    });
  });

  it('reports that no server is listening, or another one', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await stage.refused(['export', '--url', nowhere])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Nothing listens at ${nowhere}`),
    });
    expect(await stage.refused(['export', '--url', 'http://name.invalid', '--insecure'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be resolved|was lost/),
    });
    expect(await stage.refused(['export', '--url', server.origin])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Check --url'),
    });
  });

  it('sends nothing readable to another machine', async () => {
    expect(await stage.refused(['export', '--url', 'http://192.0.2.1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('http is not encrypted'),
    });
  });

  it.each([
    ['a file', { GATEHOUSE_TOKEN_FILE: 'pat' }, []],
    ['a file that is named', {}, ['--token-file', 'pat']],
    ['the environment, with the address', {}, []],
  ])('takes the token from %s', async (what, env, args) => {
    stage.put('pat', `${from.token}\n`);
    const isAll = what.startsWith('the environment');
    const found = await stage.gatehouse(['export', ...args], {
      token: isAll ? from.token : null,
      env: { ...env, GATEHOUSE_URL: source.origin },
    });
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('"orgs":[') });
  });
});
