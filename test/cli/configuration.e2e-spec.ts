import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminApi } from '../support/admin-api.js';
import { png } from '../support/images.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseHere, type Outcome } from './command-here.js';

let world: World;
let owner: AdminApi;
let reader: AdminApi;
let folder: string;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.manager(['IAM_OWNER']);
  reader = await world.manager(['IAM_OWNER_VIEWER']);
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-configuration-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const gatehouse = (
  args: readonly string[],
  { api = owner, env = {} }: { api?: AdminApi; env?: Record<string, string> } = {},
): Promise<Outcome> => gatehouseHere(args, { GATEHOUSE_URL: world.origin, GATEHOUSE_TOKEN: api.token, ...env });

const path = (name: string): string => join(folder, name);

function put(name: string, text: string): string {
  writeFileSync(path(name), text);
  return path(name);
}

describe('gatehouse pull', () => {
  it('writes a file that says what it is, names its schema, and plans to change nothing', async () => {
    const pulled = await gatehouse(['pull', '-o', path('whole.yaml'), '--schema', path('schema.json')]);
    expect(pulled).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(path('whole.yaml'), 'utf8');
    expect(text).toContain(`# The configuration of ${world.origin}.`);
    expect(text).toContain('# yaml-language-server: $schema=schema.json\n');
    expect(text).toContain('  # Mail servers, by their descriptions; one is active.\n  mailServers:');
    expect(await gatehouse(['plan', path('whole.yaml'), '--prune'])).toMatchObject({
      code: 0,
      stdout: 'Nothing to change.\n',
    });
    const schema = JSON.parse(readFileSync(path('schema.json'), 'utf8')) as Record<string, Record<string, unknown>>;
    expect(Object.keys(schema['properties']!)).toEqual(['organizations', 'instance']);
  });

  it('names its schema from where the file is, not from where it was called', async () => {
    for (const name of ['staging', 'schemas']) mkdirSync(path(name));
    const [file, schema] = [path('staging/one.yaml'), path('schemas/gatehouse.json')];
    await gatehouse(['pull', '--instance-only', '-o', file, '--schema', relative(process.cwd(), schema)]);
    expect(readFileSync(file, 'utf8')).toMatch(/^# yaml-language-server: \$schema=\.\.\/schemas\/gatehouse\.json\n/);
  });

  it('replaces what it has written before, with its schema, and nothing else unless it is told to', async () => {
    const [file, schema] = [path('again.yaml'), path('again.schema.json')];
    const pull = ['pull', '--instance-only', '-o', file, '--schema', schema];
    expect(await gatehouse(pull)).toMatchObject({ code: 0 });
    writeFileSync(file, `${readFileSync(file, 'utf8')}# mine\n`);
    chmodSync(file, 0o644);
    expect(await gatehouse(pull)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).not.toContain('# mine');
    expect(statSync(file).mode & 0o777).toBe(0o644);

    const other = put('other.txt', 'a diary\n');
    for (const option of ['-o', '--schema'])
      expect(await gatehouse(['pull', '--instance-only', option, other])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${other} was not written by gatehouse pull.`),
      });
    expect(readFileSync(other, 'utf8')).toBe('a diary\n');
    expect(await gatehouse(['pull', '--instance-only', '-o', other, '--force'])).toMatchObject({ code: 0 });
    expect(readFileSync(other, 'utf8')).toMatch(/^# The configuration of /);
    expect(await gatehouse(['pull', '--instance-only', '-o', folder, '--force'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${folder} is no file.`),
    });
  });

  it('keeps logos and icons as files beside it', async () => {
    await owner.call('PUT', '/admin/v1/policies/label/icon', { content: png().toString('base64') });
    await owner.call('POST', '/admin/v1/policies/label/_activate');
    await gatehouse(['pull', '--instance-only', '-o', path('look.yaml')]);
    const [, name] = /icon: (?:image:)(images\/\S+\.png)/.exec(readFileSync(path('look.yaml'), 'utf8'))!;
    expect(readFileSync(path(name!)).equals(png())).toBe(true);
    expect(await gatehouse(['plan', path('look.yaml')])).toMatchObject({ stdout: 'Nothing to change.\n' });
  });

  it('says what its caller may not read', async () => {
    const org = await world.add.org();
    const manager = await world.manager(['ORG_OWNER'], org);
    const pulled = await gatehouse(['pull', '--without', 'managers'], { api: manager });
    expect(pulled).toMatchObject({ code: 3, stderr: expect.stringMatching(/^Left out: instance: /) });
    expect(pulled.stdout).toContain(org.domain);
    expect(pulled.stdout).not.toContain('managers:');
  });
});

describe('gatehouse plan', () => {
  it('says as sentences what would change, with the operations that do it', async () => {
    const file = put(
      'lockout.yaml',
      'instance:\n  policies:\n    lockout: { maxPasswordAttempts: 8 }\norganizations:\n  Acme:\n    projects:\n      Shop: { roles: { buyer: { displayName: Buyer } } }\n',
    );
    const { code, stdout } = await gatehouse(['plan', file]);
    expect([code, stdout]).toEqual([
      0,
      `~ Change lockout policy of the instance  (UpdateLockoutPolicy)
    maxPasswordAttempts: 0 → 8
+ Add project "Shop" of organization "Acme"  (AddProject)
+ Add role "buyer" of project "Shop" of organization "Acme"  (AddProjectRole)
    displayName: "Buyer"
2 to add, 1 to change, 0 to remove. Nothing was done.
${stdout.split('\n').at(-2)!}
`,
    ]);
  });

  it('names the line of each mistake, of one file or of a folder', async () => {
    mkdirSync(path('many'));
    put('many/one.yaml', 'instance:\n  policies:\n    lockout:\n      maxPasswordAttempts: many\n');
    put('many/two.yaml', 'organizations:\n  Acme:\n    projects:\n      Shop:\n        colour: red\n');
    const { code, stderr } = await gatehouse(['plan', path('many')]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${path('many/one.yaml')}:4: instance.policies.lockout.maxPasswordAttempts must be`);
    expect(stderr).toContain(`${path('many/two.yaml')}:5: organizations.Acme.projects.Shop.colour is not known here`);
  });

  it('names the line of a word at the top that nobody knows', async () => {
    const { stderr } = await gatehouse(['plan', put('top.yaml', '# British\norganisations: {}\n')]);
    expect(stderr).toContain('top.yaml:2: organisations is not known here; the nearest is organizations');
  });

  it('refuses two files that say different things, and what is no YAML', async () => {
    mkdirSync(path('torn'));
    put('torn/one.yaml', 'instance: { defaultLanguage: de }\n');
    put('torn/two.json', '{"instance": {"defaultLanguage": "en"}}');
    expect((await gatehouse(['plan', path('torn')])).stderr).toContain('Two files say instance.defaultLanguage.');
    expect((await gatehouse(['plan', put('bad.yaml', 'a:\n  b: 1\n c: 2\n')])).stderr).toContain('bad.yaml:3: ');
  });
});

describe('The documentation', () => {
  it('shows a file that can be applied as it is', async () => {
    const guide = readFileSync(new URL('../../docs/configuration-as-code.md', import.meta.url), 'utf8');
    const [example] = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!);
    const planned = await gatehouse(['plan', put('shown.yaml', example!)], { env: { PARTNER_CLIENT_SECRET: 's' } });
    expect(planned).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('gatehouse apply', () => {
  it('asks before it changes anything, and needs to be told so where nobody can be asked', async () => {
    const file = put('ask.yaml', 'instance: { policies: { lockout: { maxPasswordAttempts: 7 } } }\n');
    expect(await gatehouse(['apply', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --yes') });
    const { stdout } = await gatehouse(['plan', file]);
    const fingerprint = /Fingerprint: (\S+)/.exec(stdout)![1]!;
    expect(await gatehouse(['apply', file, '--fingerprint', `${fingerprint}x`])).toMatchObject({ code: 1 });
    expect(await gatehouse(['apply', file, '--fingerprint', fingerprint])).toMatchObject({ code: 0 });
    expect(await gatehouse(['apply', file, '--yes'])).toMatchObject({ code: 0, stderr: 'Nothing to change.\n' });
  });

  it('shows new secrets once, keeps reason and commit, and takes all of it back', async () => {
    const file = put(
      'shop.yaml',
      'organizations: { Acme: { projects: { Store: { applications: { Till: { api: {} } } } } } }\n',
    );
    const applied = await gatehouse(['apply', file, '-y', '--reason', 'Opening'], { env: { GITHUB_SHA: '644de2d7' } });
    expect(applied.stdout).toMatch(/Till\n {4}client id {6}\S+\n {4}secret {9}\S+ {3}\(shown only here\)\n/);
    const position = /--undo (\d+)/.exec(applied.stdout)![1]!;
    const kept = await owner.call('GET', `/management/v1/configuration/applied/${position}`);
    expect(kept).toMatchObject({ reason: 'Opening', commit: '644de2d7' });
    const eventTypes = ['instance.configuration.applied', 'org.configuration.applied'];
    const { events } = await owner.call<{ readonly events: readonly object[] }>('POST', '/admin/v1/events/_search', {
      eventTypes,
      limit: 1,
    });
    expect(events).toMatchObject([{ position, payload: { reason: 'Opening', commit: '644de2d7' } }]);
    const undone = await gatehouse(['apply', '--undo', position, '--yes']);
    expect(undone.stderr).toContain('- Remove project "Store" of organization "Acme"  (RemoveProject)');
    expect(undone.code).toBe(0);
    expect((await gatehouse(['plan', file])).stdout).toContain('+ Add project "Store"');
  });

  it('takes back what a plan of it has shown, by its fingerprint, where nobody can be asked', async () => {
    const file = put('back.yaml', 'instance: { policies: { privacy: { helpLink: https://back.test } } }\n');
    const position = /--undo (\d+)/.exec((await gatehouse(['apply', file, '--yes'])).stdout)![1]!;
    expect(await gatehouse(['apply', '--undo', position])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"gatehouse plan --undo"'),
    });
    const { code, stdout } = await gatehouse(['plan', '--undo', position]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('helpLink: "https://back.test" → ""')]);
    const fingerprint = /Fingerprint: (\S+)/.exec(stdout)![1]!;
    await owner.call('PUT', '/admin/v1/policies/privacy', { helpLink: 'https://meanwhile.test' });
    const undo = ['apply', '--undo', position, '--fingerprint'];
    expect(await gatehouse([...undo, fingerprint])).toMatchObject({ code: 1 });
    const anew = /Fingerprint: (\S+)/.exec((await gatehouse(['plan', '--undo', position])).stdout)![1]!;
    expect(await gatehouse([...undo, anew])).toMatchObject({ code: 0 });
    expect(await gatehouse(['plan', '--undo', position, file])).toMatchObject({ code: 2 });
  });

  it('takes secrets from variables and from files beside, and never shows them', async () => {
    const file = put(
      'provider.yaml',
      `instance:
  identityProviders:
    Partner:
      oidc: { clientId: a, clientSecret: env:PARTNER_SECRET, issuer: https://partner.test, scopes: [openid] }
    Other:
      oidc: { clientId: a, clientSecret: file:other.secret, issuer: https://other.test, scopes: [openid] }
`,
    );
    put('other.secret', 'from a file\n');
    const without = await gatehouse(['plan', file]);
    expect(without.stderr).toContain('Not set: PARTNER_SECRET.');
    expect(without.stderr).toContain('provider.yaml:4: instance.identityProviders.Partner.oidc.clientSecret ');
    const applied = await gatehouse(['apply', file, '--yes'], { env: { PARTNER_SECRET: 'from a variable' } });
    expect(applied.code).toBe(0);
    expect(JSON.stringify(applied)).not.toMatch(/from a (?:file|variable)/);
    const pulled = await gatehouse(['pull', '--instance-only']);
    expect(pulled.stdout).toContain('clientSecret: env:PARTNER_CLIENT_SECRET');
  });

  it('takes the secrets of what it brings back from variables', async () => {
    const removed = await gatehouse([
      'apply',
      put('less.yaml', 'instance: { identityProviders: { Other: null } }\n'),
      '-y',
    ]);
    const position = /--undo (\d+)/.exec(removed.stdout)![1]!;
    const without = await gatehouse(['apply', '--undo', position, '--yes']);
    expect(without.stderr).toContain('Not set: OTHER_CLIENT_SECRET.');
    expect(without.stderr).toContain('instance.identityProviders.Other.oidc.clientSecret must have');
    const env = { OTHER_CLIENT_SECRET: 'kept elsewhere' };
    expect((await gatehouse(['apply', '--undo', position, '--yes'], { env })).code).toBe(0);
  });
});

describe('gatehouse drift', () => {
  it('says where a service differs from its file, to somebody who may only read', async () => {
    await gatehouse(['pull', '-o', path('kept.yaml')]);
    expect(await gatehouse(['drift', path('kept.yaml')], { api: reader })).toMatchObject({
      code: 0,
      stdout: 'No difference.\n',
    });
    await owner.call('PUT', '/admin/v1/policies/privacy', { helpLink: 'https://help.test' });
    await owner.call('POST', '/management/v1/groups', { name: 'Surprise' });
    const metrics = path('drift.prom');
    const drift = await gatehouse(['drift', path('kept.yaml'), '--metrics', metrics], { api: reader });
    expect(drift.code).toBe(4);
    expect(drift.stdout).toContain('~ Change privacy policy of the instance  (UpdatePrivacyPolicy)');
    expect(drift.stdout).toContain('- Remove group "Surprise" of organization ');
    expect(readFileSync(metrics, 'utf8')).toContain('gatehouse_configuration_drift{action="change"} 1\n');
    expect(readFileSync(metrics, 'utf8')).toContain('gatehouse_configuration_drift{action="remove"} 1\n');
  });
});
