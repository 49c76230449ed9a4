import { describe, expect, it } from '@jest/globals';
import { GROUP } from '../schema/group.schema.js';
import { ACTIVE, EMAILS, MANAGER, USER, USER_NAME } from '../schema/user.schema.js';
import { Projection } from './projection.js';
import { readResource } from './read-resource.js';
import { type JsonObject, writeResource } from './write-resource.js';

const ALL = Projection.of(USER, { attributes: [], excludedAttributes: [] });
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

function throughUser(json: unknown): JsonObject {
  return writeResource(USER, readResource(USER, json), ALL);
}

function asked(attributes: string, excludedAttributes = ''): Projection {
  const names = (text: string): string[] => (text === '' ? [] : text.split(','));
  return Projection.of(USER, { attributes: names(attributes), excludedAttributes: names(excludedAttributes) });
}

describe('the body of a resource', () => {
  it('keeps and writes what is declared, under its declared name', () => {
    expect(
      throughUser({
        schemas: [CORE, ENTERPRISE],
        USERNAME: 'anna',
        Name: { GivenName: 'Anna', familyname: 'Arendt' },
        Title: 'Engineer',
        emails: [{ value: 'anna@example.com', type: 'work', primary: true }],
        addresses: [{ type: 'work', formatted: '1 Road\nTown', country: 'DE' }],
        [ENTERPRISE.toUpperCase()]: { employeeNumber: '7', manager: { value: 'u1', displayName: 'Max' } },
      }),
    ).toEqual({
      schemas: [CORE, ENTERPRISE],
      userName: 'anna',
      name: { givenName: 'Anna', familyName: 'Arendt' },
      title: 'Engineer',
      emails: [{ value: 'anna@example.com', type: 'work', primary: true }],
      addresses: [{ formatted: '1 Road\nTown', country: 'DE', type: 'work' }],
      [ENTERPRISE]: { employeeNumber: '7', manager: { value: 'u1', displayName: 'Max' } },
    });
  });

  it('ignores what is not declared, what only Gatehouse sets, and what is empty (RFC 7643 §2.5)', () => {
    expect(
      throughUser({
        schemas: [CORE, 'urn:example:Custom'],
        id: 'somebody',
        meta: { resourceType: 'User', version: 'W/"1"' },
        groups: [{ value: 'admins' }],
        roles: [{ value: 'IAM_OWNER' }],
        entitlements: ['IAM_OWNER'],
        'urn:example:Custom': { tag: 'x' },
        __proto__: { polluted: true },
        constructor: { prototype: { polluted: true } },
        userName: 'anna',
        nickName: null,
        displayName: '',
        phoneNumbers: [],
        addresses: null,
        name: { middleName: '' },
        [ENTERPRISE]: { manager: null },
      }),
    ).toEqual({ schemas: [CORE], userName: 'anna' });
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  it.each([
    ['a text where one value stands', { emails: 'anna@example.com' }, [{ value: 'anna@example.com' }]],
    ['one value without its list', { emails: { value: 'a@example.com' } }, [{ value: 'a@example.com' }]],
    [
      'texts in the list',
      { emails: ['a@example.com', 'b@example.com'] },
      [{ value: 'a@example.com' }, { value: 'b@example.com' }],
    ],
    [
      'a value that is said and empty',
      { emails: [{ type: 'work', value: '' }, { value: 'b@example.com' }] },
      [{ value: 'b@example.com' }],
    ],
    [
      'a value that is null',
      { emails: [null, { type: 'work', value: null }, { value: 'b@example.com' }] },
      [{ value: 'b@example.com' }],
    ],
  ])('reads %s', (_, body, emails) => {
    expect(throughUser({ userName: 'anna', ...body })['emails']).toEqual(emails);
  });

  it('reads the manager as Entra sends it: a text, or a list of one', () => {
    for (const manager of ['u1', { value: 'u1' }, [{ $ref: 'https://example.com/Users/u1', value: 'u1' }]])
      expect(throughUser({ [ENTERPRISE]: { manager } })[ENTERPRISE]).toEqual({ manager: { value: 'u1' } });
    expect(readResource(USER, { [ENTERPRISE]: { manager: [] } }).has(MANAGER)).toBe(false);
  });

  it.each([
    [true, true],
    [false, false],
    ['True', true],
    ['False', false],
    ['false', false],
    [null, undefined],
  ])('SCM-008: reads active %j as %j', (json, flag) => {
    expect(readResource(USER, { active: json }).flag(ACTIVE)).toBe(flag);
  });

  it.each([
    ['SCM-008: active maybe', { active: 'maybe' }, 'invalidValue'],
    ['active 1', { active: 1 }, 'invalidValue'],
    ['a name that is a number', { userName: 5 }, 'invalidValue'],
    ['a name that is a list', { userName: ['a'] }, 'invalidValue'],
    ['NUL', { title: 'a\0b' }, 'invalidValue'],
    ['a lone surrogate', { title: '\ud800' }, 'invalidValue'],
    ['201 characters', { title: 'x'.repeat(201) }, 'invalidValue'],
    ['a complex attribute that is a text', { name: 'Anna' }, 'invalidValue'],
    ['an extension that is a list', { [ENTERPRISE]: [] }, 'invalidValue'],
    ['an address without its value', { emails: [{ type: 'work' }] }, 'invalidValue'],
    [
      'two primary addresses',
      {
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      },
      'invalidValue',
    ],
    ['21 addresses', { emails: Array.from({ length: 21 }, (_, at) => ({ value: `${at}` })) }, 'invalidValue'],
    ['two managers', { [ENTERPRISE]: { manager: [{ value: 'a' }, { value: 'b' }] } }, 'invalidValue'],
    ['one name twice', { userName: 'a', username: 'b' }, 'invalidSyntax'],
    ['schemas of another resource', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] }, 'invalidSyntax'],
    ['a list', [], 'invalidSyntax'],
    ['a text', 'x', 'invalidSyntax'],
    ['null', null, 'invalidSyntax'],
  ])('refuses %s', (_, body, scimType) => {
    expect(() => readResource(USER, body)).toThrow(expect.objectContaining({ status: 400, scimType }));
  });

  it('SCM-012: refuses more than 10,000 members', () => {
    const members = Array.from({ length: 10_001 }, (_, at) => ({ value: `${at}` }));
    expect(() => readResource(GROUP, { displayName: 'g', members })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('never writes a password', () => {
    expect(throughUser({ userName: 'anna', password: 'secret' })).toEqual({ schemas: [CORE], userName: 'anna' });
  });
});

describe('RFC 7644 §3.9: the attributes of an answer', () => {
  const document = readResource(USER, {
    userName: 'anna',
    name: { givenName: 'Anna', familyName: 'Arendt' },
    emails: [{ value: 'a@example.com', type: 'work' }],
    password: 'secret',
    [ENTERPRISE]: { department: 'R&D' },
  });
  const names = (projection: Projection): string[] => Object.keys(writeResource(USER, document, projection));

  it.each([
    ['userName', '', ['schemas', 'userName']],
    ['USERNAME,nothing,emails.value', '', ['schemas', 'userName', 'emails']],
    ['name.familyName', '', ['schemas', 'name']],
    [`${CORE}:userName`, '', ['schemas', 'userName']],
    [`${ENTERPRISE}:department`, '', ['schemas', ENTERPRISE]],
    [ENTERPRISE, '', ['schemas', ENTERPRISE]],
    ['password', '', ['schemas']],
    ['', 'emails,name', ['schemas', 'userName', ENTERPRISE]],
    ['', 'schemas,id,nothing', ['schemas', 'userName', 'name', 'emails', ENTERPRISE]],
    ['', ENTERPRISE, ['schemas', 'userName', 'name', 'emails']],
  ])('attributes=%s excludedAttributes=%s', (attributes, excluded, expected) => {
    expect(names(asked(attributes, excluded))).toEqual(expected);
  });

  it('chooses parts of complex values', () => {
    expect(writeResource(USER, document, asked('name.familyName,emails.value'))).toMatchObject({
      name: { familyName: 'Arendt' },
      emails: [{ value: 'a@example.com' }],
    });
    expect(writeResource(USER, document, asked('', 'name.familyName'))['name']).toEqual({ givenName: 'Anna' });
  });
});

describe('a declaration', () => {
  it('is found by its name, in any case, with the URN of its schema or without', () => {
    for (const name of ['userName', 'username', `${CORE}:userName`, `${CORE.toLowerCase()}:USERNAME`])
      expect(USER.find(name)).toEqual({ is: 'attribute', attribute: USER_NAME });
    expect(USER.find('manager')).toEqual({ is: 'attribute', attribute: MANAGER });
    expect(USER.find(`${CORE}:manager`)).toEqual({ is: 'unknown' });
    expect(USER.find('roles')).toEqual({ is: 'ignored' });
    expect(USER.find('urn:example:Custom:tag')).toEqual({ is: 'ignored' });
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])
      expect(USER.find(name)).toEqual({ is: 'unknown' });
    expect(EMAILS.subAttributes.get('__proto__')).toBeUndefined();
  });
});
