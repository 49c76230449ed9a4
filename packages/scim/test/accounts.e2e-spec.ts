import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, PASSWORD, startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, type Directory, person, type Resource } from './support/directory.js';

let world: World;
let org: TestOrg;
let owner: AdminApi;
let directory: Directory;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  org = await world.add.organization();
  owner = await world.manager(['ORG_OWNER'], org);
  directory = await addDirectory(world, org);
});
afterAll(() => world.close());

const stateOf = async (id: string): Promise<unknown> =>
  (await world.sql`SELECT state FROM user_account WHERE id = ${id}`)[0]?.['state'];

describe('SCM-008: active', () => {
  const set = (id: string, value: unknown): Promise<string> =>
    directory.verdict('PATCH', `/Users/${id}`, { Operations: [{ op: 'Replace', path: 'active', value }] });

  it('stays as it is where it is not said, is null, or makes no sense', async () => {
    const user = await directory.add();
    expect(await set(user.id, 'False')).toBe('200');
    expect(await stateOf(user.id)).toBe('inactive');
    const { active: _, ...without } = user;
    expect(await directory.call('PUT', `/Users/${user.id}`, without)).toMatchObject({ active: false });
    expect(await directory.call('PUT', `/Users/${user.id}`, { ...without, active: null })).toMatchObject({
      active: false,
    });
    expect(await set(user.id, null)).toBe('200');
    expect(await set(user.id, 'maybe')).toBe('400 invalidValue scim.value_invalid');
    expect(await directory.verdict('PUT', `/Users/${user.id}`, { ...user, active: 'maybe' })).toBe(
      '400 invalidValue scim.value_invalid',
    );
    expect(await stateOf(user.id)).toBe('inactive');
    expect(await set(user.id, 'True')).toBe('200');
    expect(await stateOf(user.id)).toBe('initial');
  });

  it('never undoes a lock', async () => {
    const { id } = await directory.add({ password: undefined });
    await owner.call('POST', `/management/v1/users/${id}/_lock`, {});
    expect((await directory.call('GET', `/Users/${id}`)).active).toBe(true);
    expect(await set(id, true)).toBe('200');
    expect(await stateOf(id)).toBe('locked');
    expect(await set(id, false)).toBe('200');
    expect(await stateOf(id)).toBe('inactive');
    expect(await set(id, true)).toBe('403 scim.locked');
    expect(await stateOf(id)).toBe('inactive');
    await owner.call('POST', `/management/v1/users/${id}/_reactivate`, {});
    expect(await set(id, false)).toBe('200');
    expect(await set(id, true)).toBe('200');
  });
});

describe('SCM-009: deactivation while tokens are refreshed', () => {
  it('ends every token with its answer', async () => {
    const own = await addDirectory(world, org, ['EXT_SCIM_DIRECTORY', 'EXT_SCIM_PASSWORDS']);
    const user = await own.add({ password: PASSWORD });
    await owner.call('PUT', `/management/v1/users/${user.id}/email`, {
      email: user.emails[0]?.value ?? '',
      isEmailVerified: true,
    });
    const application = await world.add.application({ org });
    const parties = Array.from({ length: 4 }, () => world.party(application));
    const loginName = `${user.userName}@${org.domain}`;
    const account = {
      id: user.id,
      orgId: org.id,
      userName: user.userName,
      loginName,
      email: user.emails[0]?.value ?? '',
      password: PASSWORD,
    };
    const scope = 'openid offline_access';
    const tokens = await Promise.all(parties.map(async (party) => party.tokens(account, { scope })));
    const refreshing = Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const refreshed = await parties[at % 4]?.refresh(tokens[at % 4]?.refresh_token ?? '').catch(() => undefined);
        return refreshed;
      }),
    );
    const reply = await own.patch(user.id, { op: 'replace', value: { active: false } });
    expect(reply.status).toBe(200);
    const all = [...tokens, ...(await refreshing)];
    for (const one of all) {
      const token = (one as { access_token?: string } | undefined)?.access_token;
      if (token === undefined) continue;
      expect((await parties[0]?.introspect(token))?.json()).toEqual({ active: false });
    }
  });
});

describe('SCM-010: the same POST 20 times at once', () => {
  it('makes one user, and is refused nineteen times', async () => {
    const body = person();
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => directory.verdict('POST', '/Users', body)));
    expect(verdicts.filter((verdict) => verdict === '201')).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === '409 uniqueness user.name_taken')).toHaveLength(19);
  });
});

describe('SCM-011: two PATCHes with one If-Match', () => {
  it('one is carried out, the other is refused with 412', async () => {
    const { id, meta } = await directory.add();
    const group = await directory.addGroup();
    const patch = (path: string, version: string, value: string): Promise<string> =>
      directory.verdict(
        'PATCH',
        path,
        { Operations: [{ op: 'replace', path: 'displayName', value }] },
        { 'If-Match': version },
      );
    const both = (path: string, version: string): Promise<string[]> =>
      Promise.all([patch(path, version, 'A'), patch(path, version, 'B')]);
    expect((await both(`/Users/${id}`, meta.version)).toSorted()).toEqual(['200', '412 scim.version_differs']);
    expect((await both(`/Groups/${group.id}`, group.meta.version)).toSorted()).toEqual([
      '204',
      '412 scim.version_differs',
    ]);
  });
});

describe('SCM-014: passwords', () => {
  it('are ignored without the right', async () => {
    const { id } = await directory.add({ password: 'x' });
    await directory.call('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', value: { password: 'x' } }] });
    expect(await world.sql`SELECT password_hash, state FROM user_account WHERE id = ${id}`).toEqual([
      { password_hash: null, state: 'initial' },
    ]);
  });

  it('with the right must follow the rules of the organization', async () => {
    const own = await addDirectory(world, org, ['EXT_SCIM_DIRECTORY', 'EXT_SCIM_PASSWORDS']);
    expect(await own.verdict('POST', '/Users', person({ password: 'short' }))).toBe('400 invalidValue request.invalid');
    const user: Resource = await own.add({ password: PASSWORD });
    expect(JSON.stringify(user)).not.toContain(PASSWORD);
    expect(
      await world.sql`SELECT 1 FROM user_account WHERE id = ${user.id} AND password_hash LIKE '$argon2id$%'`,
    ).toHaveLength(1);
    const set = (password: string): Promise<string> =>
      own.verdict('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', path: 'password', value: password }] });
    expect(await set('short')).toBe('400 invalidValue request.invalid');
    expect(await set('Another-Horse-8')).toBe('200');
    const [stored] = await world.sql`SELECT said::text FROM ext_scim.provisioned_user WHERE user_id = ${user.id}`;
    expect(JSON.stringify(stored)).not.toMatch(/Horse/);
  });
});
