import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import {
  addDirectory,
  type Directory,
  ENTERPRISE,
  LIST,
  type ListResponse,
  type Resource,
} from './support/directory.js';

let world: World;
let org: TestOrg;
let directory: Directory;
let anna: Resource;
let berta: Resource;
let team: Resource;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  org = await world.add.organization();
  await world.add.user({ org, userName: 'local', firstName: 'Lore', lastName: 'Local', email: 'local@mail.test' });
  directory = await addDirectory(world, org);
  anna = await directory.add({
    userName: 'Anna',
    displayName: 'Anna Arendt',
    externalId: 'ext-A',
    emails: [
      { value: 'anna@work.test', type: 'work', primary: true },
      { value: 'anna@home.test', type: 'home' },
    ],
    phoneNumbers: [
      { value: '+49 (30) 12345', type: 'mobile' },
      { value: '777', type: 'fax' },
    ],
    name: { givenName: 'Anna', familyName: 'Arendt' },
  });
  berta = await directory.add({
    userName: 'berta',
    active: false,
    emails: [{ value: 'berta@home.test', type: 'home' }],
    name: { givenName: 'Berta', familyName: 'Benz' },
    [ENTERPRISE]: { manager: { value: anna.id } },
  });
  team = await directory.addGroup({ displayName: 'Team', externalId: 'ext-T', members: [{ value: anna.id }] });
});
afterAll(() => world.close());

describe('users are found by', () => {
  it.each<[string, readonly string[]]>([
    ['userName eq "anna"', ['Anna']],
    ['USERNAME EQ "ANNA"', ['Anna']],
    ['userName ne "anna"', ['local', 'berta']],
    ['userName sw "AN"', ['Anna']],
    ['userName ew "erta"', ['berta']],
    ['userName co "ert"', ['berta']],
    ['userName pr', ['local', 'Anna', 'berta']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "anna"', ['Anna']],
    ['externalId eq "ext-A"', ['Anna']],
    ['externalId ne "ext-A"', ['local', 'berta']],
    ['externalId co "t-"', ['Anna']],
    ['externalId pr', ['Anna']],
    ['externalId eq null', ['local', 'berta']],
    ['active eq true', ['local', 'Anna']],
    ['active eq false', ['berta']],
    ['active eq "False"', ['berta']],
    ['not (active eq true)', ['berta']],
    ['name.givenName eq "anna"', ['Anna']],
    ['name.familyName sw "B"', ['berta']],
    ['displayName co "arendt"', ['Anna']],
    ['emails eq "anna@work.test"', ['Anna']],
    ['emails.value eq "ANNA@HOME.TEST"', ['Anna']],
    ['emails co "home.test"', ['Anna', 'berta']],
    ['emails.type eq "work"', ['Anna']],
    ['emails.type eq "home"', ['Anna', 'berta']],
    ['emails.type pr', ['Anna', 'berta']],
    ['emails[type eq "home" and value co "anna"]', ['Anna']],
    ['emails[type eq "work" and value co "home"]', []],
    ['emails[type eq "work"].value eq "anna@work.test"', ['Anna']],
    ['emails[type eq "home"].value eq "anna@work.test"', []],
    ['emails[primary eq true and value ew "home.test"]', ['berta']],
    ['emails[not (type eq "work") and value sw "anna"]', ['Anna']],
    ['phoneNumbers eq "+493012345"', ['Anna']],
    ['phoneNumbers.value eq "+49 30 12345"', ['Anna']],
    ['phoneNumbers eq "777"', ['Anna']],
    ['phoneNumbers pr', ['Anna']],
    ['phoneNumbers ne "777"', ['local', 'berta']],
    ['manager pr', ['berta']],
    ['userName eq "anna" or userName eq "berta"', ['Anna', 'berta']],
    ['userName eq "anna" and active eq true', ['Anna']],
    ['userName eq "anna" or userName eq "berta" and active eq true', ['Anna']],
    ['(userName eq "anna" or userName eq "berta") and active eq false', ['berta']],
    ['meta.created gt "2000-01-01T00:00:00Z"', ['local', 'Anna', 'berta']],
    ['meta.lastModified lt "2000-01-01T00:00:00Z"', []],
    ['meta.lastModified ge "2000-01-01T00:00:00+02:00"', ['local', 'Anna', 'berta']],
    ['meta.resourceType eq "User"', ['local', 'Anna', 'berta']],
    ['meta.resourceType eq "Group"', []],
    ['id pr', ['local', 'Anna', 'berta']],
  ])('%s', async (filter, names) => {
    expect(await directory.find(filter)).toEqual(names);
  });

  it('ids, groups and managers', async () => {
    expect(await directory.find(`id eq "${anna.id}"`)).toEqual(['Anna']);
    expect(await directory.find(`id ne "${anna.id}"`)).toEqual(['local', 'berta']);
    expect(await directory.find(`groups eq "${team.id}"`)).toEqual(['Anna']);
    expect(await directory.find(`groups[value eq "${team.id}"]`)).toEqual(['Anna']);
    expect(await directory.find(`manager eq "${anna.id}"`)).toEqual(['berta']);
    expect(await directory.find(`id eq "${berta.id}" and ${ENTERPRISE}:manager.value eq "${anna.id}"`)).toEqual([
      'berta',
    ]);
  });

  it('the moment of the last change, whoever made it', async () => {
    const { created } = anna.meta as unknown as { created: string };
    expect(await directory.find(`meta.created eq "${created}" and userName eq "anna"`)).toEqual(['Anna']);
    world.clock.advance('1d');
    await directory.patch(berta.id, { op: 'replace', path: 'title', value: 'X' });
    const { lastModified } = (await directory.call('GET', `/Users/${berta.id}`)).meta;
    expect(await directory.find(`meta.lastModified ge "${lastModified}"`)).toEqual(['berta']);
    expect(await directory.find(`meta.lastModified eq "${lastModified}"`)).toEqual(['berta']);
    expect(await directory.find(`meta.lastModified gt "${lastModified}"`)).toEqual([]);
    expect(await directory.find(`meta.lastModified lt "${lastModified}"`)).toEqual(['local', 'Anna']);
  });
});

describe('groups are found by', () => {
  it.each<[string, readonly string[]]>([
    ['displayName eq "team"', ['Team']],
    ['displayName co "ea"', ['Team']],
    ['displayName ne "team"', []],
    ['externalId eq "ext-T"', ['Team']],
    ['externalId sw "ext"', ['Team']],
    ['meta.created gt "2000-01-01T00:00:00Z"', ['Team']],
    ['meta.lastModified le "2000-01-01T00:00:00Z"', []],
    ['id pr and displayName pr', ['Team']],
  ])('%s', async (filter, names) => {
    expect(await directory.find(filter, '/Groups')).toEqual(names);
  });

  it('members, as Entra asks whether somebody is one', async () => {
    for (const filter of [`members eq "${anna.id}"`, `members.value eq "${anna.id}"`, `members[value eq "${anna.id}"]`])
      expect(await directory.find(`id eq "${team.id}" and ${filter}`, '/Groups')).toEqual(['Team']);
    expect(await directory.find(`members eq "${berta.id}"`, '/Groups')).toEqual([]);
  });
});

describe('what cannot be searched', () => {
  it.each([
    ['title eq "x"'],
    ['nickName eq "x"'],
    ['nothing eq "x"'],
    ['password eq "x"'],
    ['urn:example:Custom:tag eq "x"'],
    ['userName gt "a"'],
    ['userName eq 5'],
    ['active co "t"'],
    ['active eq "maybe"'],
    ['id co "1"'],
    ['meta.created eq "yesterday"'],
    ['meta.created co "2000"'],
    ['phoneNumbers co "1"'],
    ['emails[nothing eq "x"]'],
    ['emails.display eq "x"'],
    ['name eq "x"'],
    ['groups pr'],
    ['externalId eq jyoung'],
  ])('%s is refused with invalidFilter', async (filter) => {
    expect(await directory.verdict('GET', `/Users?filter=${encodeURIComponent(filter)}`)).toBe(
      '400 invalidFilter scim.filter_invalid',
    );
  });
});

describe('RFC 7644 §3.4.3: searches by POST', () => {
  it('answer as by GET', async () => {
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'userName eq "anna"',
      attributes: ['userName'],
      startIndex: 1,
      count: 5,
    };
    const found = await directory.call<ListResponse>('POST', '/Users/.search', body);
    expect(found).toEqual({
      schemas: [LIST],
      totalResults: 1,
      startIndex: 1,
      itemsPerPage: 1,
      Resources: [{ schemas: expect.any(Array), id: anna.id, userName: 'Anna' }],
    });
    const groups = await directory.call<ListResponse>('POST', '/Groups/.search', {
      excludedAttributes: ['members', 'meta'],
    });
    expect(groups.Resources.map((group) => Object.keys(group))).toEqual([
      ['schemas', 'id', 'externalId', 'displayName'],
    ]);
  });

  it('at the root find people and groups (RFC 7644 §3.4.2.1)', async () => {
    const search = async (body: object): Promise<ListResponse> => directory.call('POST', '/.search', body);
    const names = ({ Resources }: ListResponse): string[] =>
      Resources.map(({ userName, displayName }) => userName ?? displayName ?? '');
    const all = await search({});
    expect([all.totalResults, names(all)]).toEqual([4, ['local', 'Anna', 'berta', 'Team']]);
    expect(names(await search({ startIndex: 3, count: 2 }))).toEqual(['berta', 'Team']);
    expect(names(await search({ startIndex: 4 }))).toEqual(['Team']);
    expect(names(await search({ filter: 'displayName co "a"' }))).toEqual(['local', 'Anna', 'berta', 'Team']);
    expect(names(await search({ filter: 'userName sw "a" or displayName eq "team"' }))).toEqual(['Anna', 'Team']);
    expect(names(await search({ filter: 'meta.resourceType eq "Group"' }))).toEqual(['Team']);
    expect(await search({ count: 0 })).toMatchObject({ totalResults: 4, Resources: [] });
    expect(names(await directory.call('GET', '?count=1&startIndex=2'))).toEqual(['Anna']);
    expect(await directory.verdict('POST', '/.search', { filter: 'nothing eq "x"' })).toBe(
      '400 invalidFilter scim.filter_invalid',
    );
    const users = await addDirectory(world, org, ['ORG_USER_PERMISSION_EDITOR']);
    expect((await users.ask('POST', '/.search', {})).status).toBeLessThan(404);
  });

  it('are read as strictly as anything', async () => {
    for (const body of [[], 'x', { filter: 5 }, { attributes: 'userName' }, { count: 'many' }, { schemas: ['x'] }])
      expect(await directory.verdict('POST', '/Users/.search', JSON.stringify(body))).toMatch(
        /^400 invalid(Value|Syntax) /,
      );
  });
});
