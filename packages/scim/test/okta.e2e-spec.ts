import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import {
  addDirectory,
  CORE,
  type Directory,
  ERROR,
  GROUP,
  LIST,
  type ListResponse,
  PATCH,
  type Resource,
} from './support/directory.js';

/** What Okta's test suite for SCIM 2.0 asks, with its headers, and the requests that its documentation shows. */
let world: World;
let okta: Directory;

const READ = {
  'Accept-Charset': 'utf-8',
  Accept: 'application/scim+json',
  'User-Agent': 'OKTA SCIM Integration',
  'Content-Type': 'application/scim+json; charset=utf-8',
};
const WRITE = { 'Content-Type': 'application/json', Accept: 'application/scim+json; charset=utf-8' };

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  const org = await world.add.organization();
  await world.add.user({ org, firstName: 'First', lastName: 'Person' });
  okta = await addDirectory(world, org);
});
afterAll(() => world.close());

const get = async <T = Resource>(path: string): Promise<T> =>
  okta.call<T>('GET', path.replaceAll(' ', '%20').replaceAll('"', '%22'), undefined, READ);

describe('SCM-015: the test suite of Okta', () => {
  const name = { givenName: 'Random', familyName: 'Okta' };
  const userName = 'random.okta@mail.test';
  const body = {
    schemas: [CORE],
    userName,
    name,
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Random Okta',
    active: true,
  };
  let made: Resource;

  it('Test Users endpoint; Get Users/{{id}}', async () => {
    const list = await get<ListResponse>('/Users?count=1&startIndex=1');
    expect(list).toMatchObject({ schemas: [LIST], itemsPerPage: 1, startIndex: 1, totalResults: expect.any(Number) });
    const shown = {
      id: expect.stringMatching(/./),
      name: { familyName: expect.stringMatching(/./), givenName: expect.stringMatching(/./) },
      userName: expect.stringMatching(/./),
      active: true,
      emails: [{ value: expect.stringMatching(/./) }],
    };
    expect(list.Resources).toMatchObject([shown]);
    expect(await get(`/Users/${list.Resources[0]?.id}`)).toMatchObject({ ...shown, id: list.Resources[0]?.id });
  });

  it('Test invalid User by username; by ID; Make sure random user does not exist', async () => {
    for (const unknown of ['abcdefgh@atko.com', userName])
      expect(await get(`/Users?filter=userName eq "${unknown}"`)).toMatchObject({ schemas: [LIST], totalResults: 0 });
    const reply = await okta.ask('GET', '/Users/00919288221112222', undefined, READ);
    expect([reply.status, reply.json()]).toEqual([
      404,
      { schemas: [ERROR], detail: expect.stringMatching(/./), status: '404' },
    ]);
  });

  it('Create Okta user with realistic values; Verify that user was created', async () => {
    const reply = await okta.ask('POST', '/Users', body, WRITE);
    expect(reply.status).toBe(201);
    made = reply.json();
    expect(made).toMatchObject({ ...body, id: expect.stringMatching(/./) });
    expect(await get(`/Users/${made.id}`)).toMatchObject({ userName, name });
  });

  it('Expect failure when recreating user with same values', async () => {
    expect((await okta.ask('POST', '/Users', body, WRITE)).status).toBe(409);
  });

  it('Username Case Sensitivity Check', async () => {
    expect((await get<ListResponse>(`/Users?filter=userName eq "${userName.toUpperCase()}"`)).totalResults).toBe(1);
  });

  it('Verify Groups endpoint', async () => {
    expect(await get('/Groups')).toMatchObject({ schemas: [LIST], Resources: [] });
  });

  it('Check status 401; 404', async () => {
    const reply = await okta.ask('GET', `/Users?filter=userName%20eq%20%22X%22`, undefined, {
      ...READ,
      Authorization: 'non-token',
    });
    expect([reply.status, reply.json()]).toEqual([
      401,
      { schemas: [ERROR], detail: expect.stringMatching(/./), status: '401' },
    ]);
  });
});

describe('SCM-015: what Okta documents', () => {
  let user: Resource;

  it('looks whether a user exists, and creates it with a password of its own', async () => {
    const filter = 'filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100';
    expect(await get(`/Users?${filter}`)).toMatchObject({ totalResults: 0, itemsPerPage: 0, Resources: [] });
    user = await okta.call('POST', '/Users', {
      schemas: [CORE],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    });
    expect(user).toMatchObject({
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      active: true,
    });
    expect(user).not.toHaveProperty('password');
  });

  it('reads pages of users', async () => {
    expect(await get('/Users?startIndex=1&count=2')).toMatchObject({ itemsPerPage: 2 });
    expect((await get<ListResponse>('/Users?startIndex=1&count=100')).Resources.map(({ id }) => id)).toContain(user.id);
  });

  it('writes whole users by PUT', async () => {
    expect(
      await okta.call('PUT', `/Users/${user.id}`, {
        schemas: [CORE],
        id: user.id,
        userName: 'test.user@okta.local',
        name: { givenName: 'Another', middleName: '', familyName: 'User' },
        emails: [{ primary: true, value: 'test.user@okta.local', type: 'work', display: 'test.user@okta.local' }],
        active: true,
        groups: [],
        meta: { resourceType: 'User' },
      }),
    ).toMatchObject({
      name: { givenName: 'Another', familyName: 'User' },
      emails: [{ display: 'test.user@okta.local' }],
      active: true,
    });
  });

  it('deactivates and activates by PATCH without a path, or by PUT, and never deletes', async () => {
    const set = (active: boolean): Promise<Resource> =>
      okta.call('PATCH', `/Users/${user.id}`, { schemas: [PATCH], Operations: [{ op: 'replace', value: { active } }] });
    expect(await set(false)).toMatchObject({ active: false });
    expect(await set(true)).toMatchObject({ active: true });
    const whole = await get(`/Users/${user.id}`);
    expect(await okta.call('PUT', `/Users/${user.id}`, { ...whole, active: false })).toMatchObject({ active: false });
    expect(await okta.call('PUT', `/Users/${user.id}`, { ...whole, active: true })).toMatchObject({ active: true });
  });

  it('pushes a group, its name, its members, and removes it', async () => {
    const group = await okta.call('POST', '/Groups', { schemas: [GROUP], displayName: 'Test SCIMv2', members: [] });
    expect(group).toMatchObject({ displayName: 'Test SCIMv2', members: [] });
    expect(await get('/Groups?startIndex=1&count=100')).toMatchObject({ totalResults: 1 });
    const other = await okta.add();
    const patches: ReadonlyArray<readonly object[]> = [
      [{ op: 'replace', value: { id: group.id, displayName: 'Test SCIMv20' } }],
      [{ op: 'add', path: 'members', value: [{ value: other.id, display: 'x' }] }],
      [
        { op: 'remove', path: `members[value eq "${other.id}"]` },
        { op: 'add', path: 'members', value: [{ value: user.id, display: 'test.user@okta.local' }] },
      ],
    ];
    for (const operations of patches) expect((await okta.patchGroup(group.id, ...operations)).status).toBe(204);
    expect(await get(`/Groups/${group.id}`)).toMatchObject({
      displayName: 'Test SCIMv20',
      members: [{ value: user.id }],
    });
    const all = [
      {
        op: 'replace',
        path: 'members',
        value: [
          { value: user.id, display: 'a' },
          { value: other.id, display: 'b' },
        ],
      },
    ];
    expect((await okta.patchGroup(group.id, ...all)).status).toBe(204);
    expect((await get(`/Groups/${group.id}`)).members).toHaveLength(2);
    const put = await okta.call('PUT', `/Groups/${group.id}`, {
      schemas: [GROUP],
      id: group.id,
      displayName: 'By PUT',
      members: [{ value: user.id, display: 'a' }],
    });
    expect(put).toMatchObject({ displayName: 'By PUT', members: [{ value: user.id }] });
    expect((await okta.ask('DELETE', `/Groups/${group.id}`)).status).toBe(204);
  });
});
