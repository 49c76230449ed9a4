import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { realm, writeFolder, writeSingleFile } from '../migration/keycloak-export.js';
import { gatehouseApart } from './command-apart.js';
import { gatehouseHere } from './command-here.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-convert-'));

/** The command in a process of its own, as an operator has it: without a service. */
const gatehouse = (...args: string[]) => gatehouseApart(args, { cwd: folder });

const read = (name: string): Buffer => readFileSync(join(folder, name));

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('gatehouse convert', () => {
  it('writes the document of a Keycloak folder and its report, readable only for its owner, and shows a summary', async () => {
    writeFolder(folder);
    const { code, stdout, stderr } = await gatehouse(
      'convert',
      'keycloak',
      'export',
      '-o',
      'document.json.gz',
      '--report',
      'report.json',
    );
    expect([code, stdout]).toEqual([3, '']);
    const { orgs } = JSON.parse(gunzipSync(read('document.json.gz')).toString());
    expect([orgs.length, orgs[0].orgId, orgs[0].humanUsers.length]).toEqual([1, realm['id'], 7]);
    const report = JSON.parse(read('report.json').toString());
    expect(report).toMatchObject({
      source: 'keycloak',
      written: { organizations: 1, humanUsers: 7 },
      notCarried: expect.arrayContaining([
        { kind: 'Realms that were not selected', important: false, count: 1, examples: ['master'] },
      ]),
    });
    expect(stderr).toMatch(/Written: document\.json\.gz, \d+\.\d kB\nWritten: 1 organizations, /);
    expect(stderr).toContain('1 × Clients of the protocol saml: left out (saml-thing)');
    for (const name of ['document.json.gz', 'report.json'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['document.json.gz', 'export', 'report.json']);
  });

  it('writes to the standard output, and is silent otherwise when it is asked to be', async () => {
    const { code, stdout, stderr } = await gatehouse(
      'convert',
      'keycloak',
      writeSingleFile(folder),
      '--quiet',
      '--realm',
      'birkenhof',
    );
    expect([code, stderr]).toEqual([3, '']);
    expect(JSON.parse(stdout).orgs[0].oidcApps).toHaveLength(4);
  });

  it('translates Auth0 users, and makes the id of their organization of its name', async () => {
    writeFileSync(
      join(folder, 'users.ndjson'),
      '{"user_id":"auth0|1","email":"ilse@auth0.test","name":"Ilse Brandt"}\n',
    );
    writeFileSync(join(folder, 'hashes.ndjson'), `{"_id":{"$oid":"1"},"passwordHash":"$2b$10$${'a'.repeat(53)}"}\n`);
    const { code, stdout } = await gatehouse(
      'convert',
      'auth0',
      'users.ndjson',
      '--passwords',
      'hashes.ndjson',
      '--org-name',
      'Birkenhof Logistik',
      '--connection',
      'google-oauth2=1',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).orgs).toMatchObject([
      {
        orgId: 'auth0-birkenhof-logistik',
        org: { name: 'Birkenhof Logistik' },
        humanUsers: [{ userId: 'auth0|1', user: { hashedPassword: {} } }],
      },
    ]);
  });

  it('ends with 0 when nothing important was left out, and with 3 when a person, an application, a role or a credential was', async () => {
    const users = (more: object): void =>
      writeFileSync(join(folder, 'users.json'), JSON.stringify([{ email: 'ilse@auth0.test', ...more }]));
    const convert = (): ReturnType<typeof gatehouse> => gatehouse('convert', 'auth0', 'users.json', '--org-name', 'x');
    users({ last_ip: '192.0.2.1' });
    expect(await convert()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Not carried over, or changed:\n'),
    });
    users({ custom_password_hash: { algorithm: 'md5', hash: { value: 'x' } } });
    const { code, stderr } = await convert();
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(
        'Important: these users or applications cannot continue as before:\n  1 × Passwords hashed by md5',
      ),
    ]);
  });

  it('documents its exit codes', async () => {
    const { stdout } = await gatehouseHere(['convert', '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /Exit codes: 0 success, 1 failed and nothing written, 2 invalid arguments, 3 the document was written, but .* 130 interrupted/,
    );
  });

  it.each<[string, string[], number, string]>([
    ['no source', ['convert'], 2, 'Give the source to convert from: "keycloak", "auth0" or "zitadel".'],
    ['an unknown source', ['convert', 'okta', 'x'], 2, 'not "okta"'],
    ['no file', ['convert', 'keycloak'], 2, 'Give the files of the export, or its folder.'],
    [
      'an option of the other source',
      ['convert', 'keycloak', 'x', '--passwords', 'y'],
      2,
      '--passwords is not an option of keycloak.',
    ],
    ['Auth0 users without an organization', ['convert', 'auth0', 'users.ndjson'], 2, 'Give --org-name'],
    [
      'an organization whose id is a word in the paths of the API [ADM-098]',
      ['convert', 'auth0', 'users.ndjson', '--org-name', 'x', '--org-id', 'default'],
      2,
      '--org-id must not be default, which is a word in the paths of the API.',
    ],
    [
      'users who are none',
      ['convert', 'auth0', 'nobody.ndjson', '--org-name', 'x', '-o', 'x.json'],
      1,
      'There are no users in these files',
    ],
    [
      'another kind of user names',
      ['convert', 'keycloak', 'x', '--user-names', 'long'],
      2,
      '--user-names is "long". Give at-domain',
    ],
    [
      'a new name for an unknown user',
      ['convert', 'keycloak', 'birkenhof-realm.json', '--rename', 'admin', '-o', 'x.json'],
      2,
      '--rename is "admin". Give OLD=NEW',
    ],
    [
      'a name that no user has',
      ['convert', 'keycloak', 'birkenhof-realm.json', '--rename', 'karl=carl', '-o', 'x.json'],
      1,
      'There is no user karl',
    ],
    [
      'a connection without an id',
      ['convert', 'auth0', 'users.ndjson', '--org-name', 'x', '--connection', 'google'],
      2,
      '--connection is "google".',
    ],
    [
      'a file that is not there',
      ['convert', 'keycloak', 'nobody.json', '-o', 'x.json'],
      1,
      'nobody.json cannot be read (ENOENT).',
    ],
    [
      'a file that is cut',
      ['convert', 'keycloak', 'cut.json', '-o', 'x.json'],
      1,
      'cut.json is not valid JSON at line 1, where it ends too early',
    ],
    ['a folder without a realm', ['convert', 'keycloak', '.', '--realm', 'x', '-o', 'x.json'], 1, 'is not valid JSON'],
    [
      'an unknown realm',
      ['convert', 'keycloak', 'birkenhof-realm.json', '--realm', 'nobody', '-o', 'x.json'],
      1,
      'There is no realm nobody in these files, but birkenhof.',
    ],
    [
      'a report that is there already',
      ['convert', 'keycloak', 'birkenhof-realm.json', '-o', 'x.json', '--report', 'cut.json'],
      1,
      'cut.json already exists',
    ],
  ])('refuses %s, says what to do, and leaves no file behind', async (_, args, code, message) => {
    writeSingleFile(folder);
    writeFileSync(join(folder, 'cut.json'), '{"realm":"x","users":[{"id":');
    writeFileSync(join(folder, 'nobody.ndjson'), '{"name":"Ilse"}\n');
    const before = readdirSync(folder).sort();
    const inFolder = args.map((arg) => (/^\.$|json$/.test(arg) ? join(folder, arg) : arg));
    const { stdout, stderr, ...ended } = await gatehouseHere(inFolder);
    expect([ended.code, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
});
