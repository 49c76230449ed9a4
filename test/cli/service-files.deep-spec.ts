import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fullDocument } from '../migration/document.js';
import { CliStage } from './cli-stage.js';

const stage = await CliStage.start();
const { moves, s3, server } = stage;

beforeEach(() => {
  stage.clear();
});
afterAll(() => stage.close());

describe('A file that the service writes and reads itself', () => {
  it('is in its directory, or in a bucket', async () => {
    stage.put('account.json', server.accountFile);
    const account = ['--service-account', 'account.json'];
    const one = fullDocument();
    await stage.atTarget(['import', stage.put('one.json', one)]);
    const orgs = one.orgs.flatMap(({ orgId }) => ['--org', orgId as string]);
    expect(await stage.atTarget(['export', '--to', 'gs://moves/one.json.gz', ...account, ...orgs])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Written: gs:\/\/moves\/one\.json\.gz, .*\n.*human_user.*\nLeft out:\n {2}the keys of/s,
      ),
    });
    expect(await stage.atTarget(['export', '--to', 'dir:a/one.json', ...orgs])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Written: a/one.json'),
    });
    expect(existsSync(join(moves, 'a/one.json'))).toBe(true);
    for (const place of [['gs://moves/one.json.gz', ...account], ['dir:a/one.json']]) {
      expect(await stage.atTarget(['import', '--from', ...place])).toMatchObject({
        code: 0,
        stdout: 'Everything already exists: nothing to import.\n',
      });
    }
    expect(await stage.atTarget(['export', '--to', 'dir:a/one.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists'),
    });
    expect(await stage.atTarget(['import', '--from', 'gs://elsewhere/x', ...account])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The bucket elsewhere does not exist'),
    });
  });

  it('is in an S3-compatible storage, with the key of the environment', async () => {
    const env = { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey };
    const one = fullDocument();
    await stage.atTarget(['import', stage.put('one.json', one)]);
    const orgs = one.orgs.flatMap(({ orgId }) => ['--org', orgId as string]);
    const written = await stage.atTarget(['export', '--to', 's3://moves/one.json.gz', ...orgs], { env });
    expect(written).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Written: s3:\/\/moves\/one\.json\.gz, .*\n.*human_user/s),
    });
    const read = ['import', '--from', 's3://moves/one.json.gz', '--s3-endpoint', s3.origin, '--s3-region', 'us-east-1'];
    expect(await stage.atTarget(read, { env })).toMatchObject({
      code: 0,
      stdout: 'Everything already exists: nothing to import.\n',
    });
    expect(await stage.atTarget(['import', '--from', 's3://moves/none.json'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The file s3://moves/none.json does not exist'),
    });
  });
});
