import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import {
  addDirectory,
  CORE,
  type Directory,
  ENTERPRISE,
  LIST,
  type ListResponse,
  person,
} from './support/directory.js';

let world: World;
let org: TestOrg;
let directory: Directory;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  org = await world.add.organization();
  directory = await addDirectory(world, org);
});
afterAll(() => world.close());

describe('RFC 7644 §3.3: a new user', () => {
  it('is answered with 201, its location, its version and what was kept', async () => {
    const body = {
      schemas: [CORE, ENTERPRISE],
      externalId: 'x-1',
      userName: 'carla@mail.test',
      name: { formatted: 'Dr Carla Curie', givenName: 'Carla', familyName: 'Curie', honorificPrefix: 'Dr' },
      displayName: 'Carla Curie',
      nickName: 'Carly',
      profileUrl: 'https://people.example/carla',
      title: 'Chemist',
      userType: 'Employee',
      preferredLanguage: 'de-AT',
      locale: 'de-AT',
      timezone: 'Europe/Vienna',
      active: true,
      emails: [
        { value: 'Carla@MAIL.test', type: 'work', primary: true },
        { value: 'carla@home.test', type: 'home' },
      ],
      phoneNumbers: [
        { value: '+43 (1) 234-5678', type: 'work' },
        { value: '5555', type: 'fax' },
      ],
      addresses: [
        { type: 'work', streetAddress: '1 Ring', locality: 'Wien', country: 'AT', formatted: '1 Ring\nWien' },
      ],
      [ENTERPRISE]: { employeeNumber: '7', department: 'R&D', manager: { value: 'm-1', displayName: 'Max' } },
    };
    const reply = await directory.ask('POST', '/Users', body);
    expect(reply.status).toBe(201);
    expect(reply.header('content-type')).toBe('application/scim+json; charset=utf-8');
    const { id, meta, ...kept } = reply.json<{ id: string; meta: Record<string, string> }>();
    expect(kept).toEqual(body);
    expect(meta).toEqual({
      resourceType: 'User',
      created: expect.any(String),
      lastModified: expect.any(String),
      location: `${world.issuer}${directory.base}/Users/${id}`,
      version: reply.header('etag'),
    });
    expect(reply.location).toBe(meta['location']);
    expect(meta['version']).toMatch(/^W\/"/);
    expect((await directory.call('GET', `/Users/${id}`)).meta).toEqual(meta);

    const [row] = await world.sql`SELECT * FROM user_account WHERE id = ${id}`;
    expect(row).toMatchObject({
      org_id: org.id,
      state: 'initial',
      user_name: 'carla@mail.test',
      first_name: 'Carla',
      last_name: 'Curie',
      email: 'Carla@mail.test',
      phone: '+4312345678',
      phone_verified: false,
      zoneinfo: 'Europe/Vienna',
      preferred_language: 'de-AT',
    });
  });

  it('needs no more than a user name that is an address', async () => {
    const { id, ...rest } = await directory.call('POST', '/Users', { schemas: [CORE], userName: 'solo@mail.test' });
    expect(rest).toMatchObject({ userName: 'solo@mail.test', active: true });
    const [row] = await world.sql`SELECT * FROM user_account WHERE id = ${id}`;
    expect(row).toMatchObject({ first_name: 'solo', last_name: 'solo', email: 'solo@mail.test' });
  });

  it.each<[string, object, string]>([
    ['without a user name', { userName: undefined }, '400 invalidValue scim.value_invalid'],
    ['without an address', { emails: [] }, '400 invalidValue scim.value_invalid'],
    ['with an address that is none', { emails: [{ value: 'x' }] }, '400 invalidValue request.invalid'],
    ['with a name of 300 characters', { userName: 'x'.repeat(300) }, '400 invalidValue scim.value_invalid'],
    ['of another schema', { schemas: ['urn:x'] }, '400 invalidSyntax scim.syntax_invalid'],
  ])('%s is refused', async (_, given, verdict) => {
    expect(await directory.verdict('POST', '/Users', person(given))).toBe(verdict);
  });

  it('can be deactivated from the start', async () => {
    const { id, active } = await directory.add({ active: false });
    expect(active).toBe(false);
    expect(await world.sql`SELECT state FROM user_account WHERE id = ${id}`).toEqual([{ state: 'inactive' }]);
  });

  it('is refused where the body is no JSON, or of another type (RFC 7644 §3.1)', async () => {
    expect(await directory.verdict('POST', '/Users', '{')).toBe('400 invalidSyntax body.not_json');
    const headers = { 'Content-Type': 'text/plain' };
    expect(await directory.verdict('POST', '/Users', '{}', headers)).toBe('400 invalidSyntax body.not_json');
    const json = { 'Content-Type': 'application/json; charset=utf-8' };
    expect(await directory.verdict('POST', '/Users', JSON.stringify(person()), json)).toBe('201');
  });
});

describe('RFC 7644 §3.5.1: a PUT', () => {
  it('replaces all of it, but what it must have', async () => {
    const before = await directory.add({ title: 'Chemist', externalId: 'x', [ENTERPRISE]: { department: 'R' } });
    const after = await directory.call('PUT', `/Users/${before.id}`, {
      schemas: [CORE],
      userName: before.userName,
      emails: [{ value: 'other@mail.test' }],
    });
    expect(Object.keys(after).toSorted()).toEqual(['active', 'emails', 'id', 'meta', 'schemas', 'userName']);
    expect(after.emails).toEqual([{ value: 'other@mail.test' }]);
    expect(after.meta.version).not.toBe(before.meta.version);
  });

  it('changes nothing where nothing is different', async () => {
    const before = await directory.add({ title: 'Chemist' });
    expect(await directory.call('PUT', `/Users/${before.id}`, before)).toEqual(before);
  });

  it('shows what somebody else has changed since', async () => {
    const { id } = await directory.add({ phoneNumbers: [{ value: '+43 1 234', type: 'mobile' }] });
    const owner = await world.manager(['ORG_OWNER'], org);
    await owner.call('PUT', `/management/v1/users/${id}/profile`, { firstName: 'Berta', lastName: 'Benz' });
    await owner.call('PUT', `/management/v1/users/${id}/phone`, { phone: '+49 30 1234567' });
    expect(await directory.call('GET', `/Users/${id}`)).toMatchObject({
      name: { givenName: 'Berta', familyName: 'Benz' },
      phoneNumbers: [{ value: '+49301234567', type: 'mobile' }],
    });
  });
});

describe('RFC 7644 §3.5.2: a PATCH', () => {
  it('answers the changed user', async () => {
    const { id, emails } = await directory.add();
    const reply = await directory.patch(
      id,
      { op: 'replace', path: 'name.familyName', value: 'Benz' },
      { op: 'add', path: 'emails[type eq "home"].value', value: 'a@home.test' },
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'R' },
    );
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({
      name: { givenName: 'Anna', familyName: 'Benz' },
      emails: [...emails, { value: 'a@home.test', type: 'home' }],
      [ENTERPRISE]: { department: 'R' },
    });
    expect(reply.json()).toEqual(await directory.call('GET', `/Users/${id}`));
  });

  it('does all of it or nothing', async () => {
    const before = await directory.add();
    const reply = await directory.patch(
      before.id,
      { op: 'replace', path: 'title', value: 'X' },
      { op: 'replace', path: 'nothing', value: 'X' },
    );
    expect(reply.status).toBe(400);
    expect(await directory.call('GET', `/Users/${before.id}`)).toEqual(before);
  });
});

describe('RFC 7644 §3.6: a DELETE', () => {
  it('is answered with 204, and then there is nothing', async () => {
    const { id } = await directory.add({ phoneNumbers: [{ value: '1' }] });
    const reply = await directory.ask('DELETE', `/Users/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE'])
      expect(await directory.verdict(method, `/Users/${id}`)).toBe('404 scim.user_not_found');
    expect(await world.sql`SELECT 1 FROM ext_scim.provisioned_user WHERE user_id = ${id}`).toEqual([]);
  });
});

describe('RFC 7644 §3.4.2.4: paging', () => {
  it('answers parts of the whole in a fixed order', async () => {
    const own = await addDirectory(world, await world.add.organization());
    for (let at = 0; at < 5; at += 1) await own.add({ userName: `p${at}` });
    const page = (query: string): Promise<ListResponse> => own.call('GET', `/Users?${query}`);
    expect(await page('')).toMatchObject({ schemas: [LIST], totalResults: 5, startIndex: 1, itemsPerPage: 5 });
    const names = ({ Resources }: ListResponse): string[] => Resources.map(({ userName }) => userName);
    expect(names(await page('startIndex=2&count=2'))).toEqual(['p1', 'p2']);
    expect(names(await page('startIndex=0&count=1'))).toEqual(['p0']);
    expect(await page('count=0')).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await page('count=-1')).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
    expect(await page('startIndex=9')).toMatchObject({ totalResults: 5, startIndex: 9, itemsPerPage: 0 });
    expect(await page('count=1000&sortBy=userName&sortOrder=descending')).toMatchObject({ itemsPerPage: 5 });
    for (const query of ['count=x', 'startIndex=1.5', 'count=1&count=2'])
      expect(await own.verdict('GET', `/Users?${query}`)).toBe('400 invalidValue scim.value_invalid');
  });
});

describe('RFC 7644 §3.14: versions', () => {
  it('are compared by If-Match and If-None-Match', async () => {
    const { id, meta } = await directory.add();
    const tag = (name: string, value: string): [string, string, undefined, Record<string, string>] => [
      'GET',
      `/Users/${id}`,
      undefined,
      { [name]: value },
    ];
    expect(await directory.verdict(...tag('If-None-Match', meta.version))).toBe('304');
    expect(await directory.verdict(...tag('If-None-Match', 'W/"0", "1.2"'))).toBe('200');
    const write = (value: string, title: string): Promise<string> =>
      directory.verdict(
        'PATCH',
        `/Users/${id}`,
        { Operations: [{ op: 'add', path: 'title', value: title }] },
        { 'If-Match': value },
      );
    expect(await write('W/"0"', 'A')).toBe('412 scim.version_differs');
    expect(await write(meta.version.replace('W/', ''), 'B')).toBe('200');
    expect(await write(meta.version, 'C')).toBe('412 scim.version_differs');
    expect(await write('*', 'D')).toBe('200');
    expect(await directory.verdict('DELETE', `/Users/${id}`, undefined, { 'If-Match': meta.version })).toBe(
      '412 scim.version_differs',
    );
  });
});

describe('RFC 7644 §3.9: attributes', () => {
  it('are chosen for each answer', async () => {
    const { id } = await directory.add({ title: 'X' });
    const names = async (query: string): Promise<string[]> =>
      Object.keys(await directory.call('GET', `/Users/${id}?${query}`));
    expect(await names('attributes=userName,emails.value')).toEqual(['schemas', 'id', 'userName', 'emails']);
    expect(await names('excludedAttributes=emails,name,meta,groups,id')).toEqual([
      'schemas',
      'id',
      'userName',
      'title',
      'active',
    ]);
    expect(Object.keys(await directory.call('POST', '/Users?attributes=userName', person()))).toEqual([
      'schemas',
      'id',
      'userName',
    ]);
  });
});
