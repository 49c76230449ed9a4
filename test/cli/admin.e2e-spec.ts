import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-admin-'));

let world: World;
let client: TestClient;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  client = await world.add.client({ projectId: world.firstStart.projectId });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

/** As an operator runs it: with the database and the master key, and no token. */
async function admin(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const settings = {
    PATH: process.env['PATH'],
    DATABASE_URL: world.database.url,
    MASTER_KEY: world.config.secrets.masterKey!.reveal(),
    PUBLIC_URL: world.issuer,
    DATA_DIR: folder,
  };
  const { stdout, stderr } = await execute(process.execPath, [MAIN, 'admin', ...args], {
    env: { ...settings, ...env },
  });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stdout;
}

function passwordIn(output: string): string {
  const [, password] = /^Password +(\S+)/m.exec(output)!;
  world.plant(password);
  return password!;
}

/** What the first page after the password says. */
async function pageAfterPassword(person: Pick<TestPerson, 'loginName' | 'password'>): Promise<string> {
  const rp = new RelyingParty(world, client);
  const { page, redirect } = await rp.enter(await rp.authorize(), person);
  return page?.path ?? redirect ?? '';
}

describe('gatehouse admin', () => {
  it('issues a token of an owner of the instance, which works at the running service', async () => {
    const path = join(folder, 'automation.pat');
    await admin(['token', '--days', '1', '-o', path]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const token = readFileSync(path, 'utf8').trim();
    world.plant(token);
    expect((await new AdminApi(world.origin, token).ask('GET', '/admin/v1/orgs/default')).status).toBe(200);
    const again = (await admin(['token'])).trim();
    world.plant(again);
    expect((await new AdminApi(world.origin, again).ask('GET', '/admin/v1/members/_search')).status).not.toBe(401);
    expect(await world.rows("SELECT user_name FROM user_account WHERE user_name = 'automation'")).toHaveLength(1);
  });

  it('resets the password of an administrator whose account is locked, and ends the sessions', async () => {
    const person = await world.add.person({ orgId: world.firstStart.orgId });
    const rp = new RelyingParty(world, client);
    const { access_token: token } = await rp.tokens(person);
    await world.rows("UPDATE user_account SET state = 'locked' WHERE id = $1", [person.id]);
    const password = passwordIn(await admin(['reset-password', person.loginName]));
    expect((await rp.userinfo(token)).status).toBe(401);
    expect(await pageAfterPassword({ loginName: person.loginName, password })).toBe('/ui/login/password/change');
  });

  it('unlocks an account', async () => {
    const person = await world.add.person({ orgId: world.firstStart.orgId });
    await world.rows("UPDATE user_account SET state = 'locked' WHERE id = $1", [person.id]);
    await admin(['unlock', person.loginName]);
    await new RelyingParty(world, client).tokens(person);
  });

  it('creates another administrator, who owns the instance', async () => {
    const password = passwordIn(await admin(['create', 'second.admin', 'second@acme.test']));
    expect(await pageAfterPassword({ loginName: 'second.admin@acme.localhost', password })).toBe(
      '/ui/login/password/change',
    );
    const [member] = await world.rows(
      "SELECT m.roles FROM member m JOIN user_account u ON u.id = m.user_id WHERE u.user_name = 'second.admin'",
    );
    expect(member).toEqual({ roles: ['IAM_OWNER'] });
  });

  it('records each step in the journal', async () => {
    const types = await world.rows<{ type: string }>(
      "SELECT DISTINCT type FROM event WHERE editor_id = 'system' AND type IN ('user.human.password.changed', 'user.state.active', 'user.personal_access_token.added')",
    );
    expect(types).toHaveLength(3);
  });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['another master key', ['token'], { MASTER_KEY: 'the key of another database' }, /MASTER_KEY cannot decrypt/],
    ['no database', ['token'], { DATABASE_URL: '' }, /DATABASE_URL is missing/],
    ['an unknown user', ['unlock', 'nobody@acme.localhost'], {}, /does not exist/],
    ['a service user', ['reset-password', 'bootstrap@acme.localhost'], {}, /human|service/],
    ['no login name', ['reset-password'], {}, /takes a login name/],
    ['too many days', ['token', '--days', '999'], {}, /1 to 365/],
  ])('with %s changes nothing and says what to do', async (_, args, env, message) => {
    const before = await world.contents();
    await expect(admin(args, env)).rejects.toMatchObject({ stderr: expect.stringMatching(message) });
    expect(await world.contents()).toBe(before);
  });
});
