import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IDS, ORG, PARTNER, TOTP_SEED } from '../migration/zitadel-database/facts.js';
import { MASTER_KEY } from '../migration/zitadel-database/filler.js';
import { SourceFixture } from '../migration/zitadel-database/fixture.js';
import { workerDatabase } from '../support/database.js';
import { gatehouseApart } from './command-apart.js';
import { gatehouseHere } from './command-here.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-convert-zitadel-'));
const ground = await workerDatabase();
const source = await SourceFixture.open(ground.connection, '4');
writeFileSync(join(folder, 'database'), `${source.url}\n`);
writeFileSync(join(folder, 'masterkey'), MASTER_KEY);

afterAll(async () => {
  await source.close();
  await ground.release();
  rmSync(folder, { recursive: true });
});

describe('gatehouse convert zitadel', () => {
  it('reads a database by the address and the master key in files, and writes the document and its report', async () => {
    const { code, stdout, stderr } = await gatehouseApart(
      ['convert', 'zitadel', '--database-file', 'database', '--masterkey-file', 'masterkey']
        .concat(['--target-extensions', 'social,saml', '--provider', `${IDS.google}=new-google`])
        .concat(['-o', 'document.json.gz', '--report', 'report.json']),
      { cwd: folder },
    );
    expect([code, stdout]).toEqual([3, '']);
    const { orgs } = JSON.parse(gunzipSync(readFileSync(join(folder, 'document.json.gz'))).toString());
    expect(orgs.map(({ orgId }: { orgId: string }) => orgId)).toEqual([ORG, PARTNER]);
    expect(JSON.stringify(orgs)).toContain(TOTP_SEED);
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({
      source: 'zitadel',
      written: { organizations: 2, humanUsers: 8 },
    });
    expect(stderr).toContain('Personal access tokens: they are not in the database');
    for (const name of ['document.json.gz', 'report.json'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('takes the address and the organizations from its arguments, and is silent where it is asked to be', async () => {
    const args = ['convert', 'zitadel', '--database', source.url, '--org', PARTNER, '--instance-policies', 'leave-out'];
    const { stdout, stderr } = await gatehouseApart([...args, '--quiet'], { cwd: folder });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).orgs.map(({ orgId }: { orgId: string }) => orgId)).toEqual([PARTNER]);
  });

  it.each<[string, string[], number, string]>([
    ['no database', [], 2, 'Give the database with --database or --database-file.'],
    ['files', ['export.json'], 2, 'give its database with --database'],
    ['an address of another kind', ['--database', 'mysql://root:hunter2@x/y'], 2, 'is not valid. Give postgres://'],
    ['an option of another source', ['--realm', 'x'], 2, '--realm is not an option of zitadel.'],
    ['what the database itself says', ['--user-names', 'at-domain'], 2, '--user-names is not an option of zitadel.'],
    ['other policies', ['--instance-policies', 'all'], 2, '--instance-policies is "all". Give leave-out'],
    ['extensions that are none', ['--target-extensions', 'Social!'], 2, '--target-extensions has "Social!"'],
    [
      'a provider without another',
      ['--database', 'postgres://x@127.0.0.1:1/y', '--provider', 'x'],
      2,
      '--provider is "x". Give OLD=NEW',
    ],
    [
      'a database that is not there',
      ['--database', 'postgres://reader:hunter2@127.0.0.1:1/zitadel', '-o', join(folder, 'x.json')],
      1,
      'The database cannot be read: ',
    ],
    [
      'a master key that cannot be one',
      ['--database', source.url, '--masterkey', 'short', '-o', join(folder, 'x.json')],
      1,
      'The master key must be 32 bytes long, and is 5.',
    ],
  ])('refuses %s, says what to do, and shows no password', async (_, args, code, message) => {
    const ended = await gatehouseHere(['convert', 'zitadel', ...args]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('hunter2');
  });
});
