import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AdminApi } from '../support/admin-api.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { workerDatabase } from '../support/database.js';
import { settingsBeside } from '../support/processes.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseApart } from './command-apart.js';
import { gatehouseHere } from './command-here.js';

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

/** With the database and the master key, and no token. */
const settingsOf = () => ({ ...settingsBeside(world), DATA_DIR: folder });

/** As an operator runs it. @returns what it writes. @throws with its outcome if it fails */
async function admin(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const outcome = await gatehouseHere(['admin', ...args], { ...settingsOf(), ...env });
  if (outcome.code !== 0) throw Object.assign(new Error(outcome.stderr), outcome);
  expect(outcome.stderr).not.toMatch(/^\s+at /m);
  return outcome.stdout;
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
    // In a process of its own, with all that there is to load.
    const { code } = await gatehouseApart(['admin', 'token', '--days', '1', '-o', path], { env: settingsOf() });
    expect(code).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const token = readFileSync(path, 'utf8').trim();
    world.plant(token);
    expect((await new AdminApi(world.origin, token).ask('GET', '/admin/v1/orgs/default')).status).toBe(200);
    const again = (await admin(['token'])).trim();
    world.plant(again);
    expect((await new AdminApi(world.origin, again).ask('GET', '/admin/v1/members/_search')).status).not.toBe(401);
    expect(await world.rows("SELECT user_name FROM user_account WHERE user_name = 'automation'")).toHaveLength(1);
  });

  it('writes the token into a new file only, so that no link of another user can redirect it', async () => {
    const [path, elsewhere] = [join(folder, 'linked.pat'), join(folder, 'elsewhere')];
    for (const draft of [`${path}.tmp`, path]) symlinkSync(elsewhere, draft);
    await admin(['token', '-o', path]);
    const token = readFileSync(path, 'utf8').trim();
    world.plant(token);
    expect((await new AdminApi(world.origin, token).ask('GET', '/admin/v1/orgs/default')).status).toBe(200);
    expect(existsSync(elsewhere)).toBe(false);
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('linked.pat.') && name !== 'linked.pat.tmp')).toEqual(
      [],
    );
  });

  it('changes no schema: on a database of an earlier version it asks to start the service first', async () => {
    const database = await workerDatabase();
    const client = new pg.Client(database.connection);
    await client.connect();
    try {
      await client.query('DELETE FROM schema_change WHERE id = (SELECT max(id) FROM schema_change)');
      const { rows: before } = await client.query('SELECT * FROM schema_change');
      await expect(admin(['token'], { DATABASE_URL: database.url })).rejects.toMatchObject({
        stderr: expect.stringMatching(/lacks 1 schema change of this version\. Start the service/),
      });
      expect((await client.query('SELECT * FROM schema_change')).rows).toEqual(before);
    } finally {
      await client.end();
      await database.release();
    }
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
    ['no database', ['token'], { DATABASE_URL: '' }, /There is no database in .*Run the command with the settings/],
    ['no master key', ['token'], { MASTER_KEY: '' }, /There is no master key: MASTER_KEY is not set/],
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
