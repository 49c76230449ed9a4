import { describe, expect, it } from '@jest/globals';
import { Document } from '../resource/document.js';
import { Projection } from '../resource/projection.js';
import { readResource } from '../resource/read-resource.js';
import { writeResource } from '../resource/write-resource.js';
import { USER } from '../schema/user.schema.js';
import { applyPatch } from './apply.js';
import { PATCH_URN, readPatch } from './patch-request.js';

const ALL = Projection.of(USER, { attributes: [], excludedAttributes: [] });
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const ANNA = {
  userName: 'anna',
  active: true,
  name: { givenName: 'Anna', familyName: 'Arendt' },
  emails: [
    { value: 'anna@example.com', type: 'work', primary: true },
    { value: 'anna@home.example', type: 'home' },
  ],
};

function patched(before: object, ...operations: readonly object[]): Record<string, unknown> {
  const body = { schemas: [PATCH_URN], Operations: operations };
  const after = applyPatch(readResource(USER, before), readPatch(USER, body));
  const { schemas: _, ...written } = writeResource(USER, after, ALL);
  return written;
}

describe('RFC 7644 §3.5.2: a PATCH', () => {
  it.each<[string, readonly object[], object]>([
    ['adds an attribute', [{ op: 'add', path: 'title', value: 'Dr' }], { title: 'Dr' }],
    ['replaces one', [{ op: 'replace', path: 'userName', value: 'anne' }], { userName: 'anne' }],
    ['removes one', [{ op: 'remove', path: 'name.givenName' }], { name: { familyName: 'Arendt' } }],
    [
      'takes a value without a path apart',
      [{ op: 'add', value: { title: 'Dr', nickName: 'An' } }],
      { title: 'Dr', nickName: 'An' },
    ],
    [
      'leaves parts that a complex value does not name',
      [{ op: 'replace', path: 'name', value: { givenName: 'Anne' } }],
      { name: { givenName: 'Anne', familyName: 'Arendt' } },
    ],
    [
      'removes parts that are null',
      [{ op: 'replace', value: { name: { givenName: null } } }],
      { name: { familyName: 'Arendt' } },
    ],
    [
      'removes what is replaced by null',
      [
        { op: 'add', path: 'title', value: 'Dr' },
        { op: 'replace', path: 'title', value: null },
      ],
      {},
    ],
    [
      'adds values to a list, each once',
      [
        {
          op: 'add',
          path: 'emails',
          value: [
            { value: 'anna@home.example', type: 'home' },
            { value: 'a@other.example', type: 'other' },
          ],
        },
      ],
      { emails: [...ANNA.emails, { value: 'a@other.example', type: 'other' }] },
    ],
    [
      'replaces a list',
      [{ op: 'replace', path: 'emails', value: [{ value: 'x@example.com' }] }],
      { emails: [{ value: 'x@example.com' }] },
    ],
    [
      'changes the values that a filter finds',
      [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'new@home.example' }],
      { emails: [ANNA.emails[0], { value: 'new@home.example', type: 'home' }] },
    ],
    [
      'replaces the whole values that a filter finds',
      [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'new@example.com' } }],
      { emails: [{ value: 'new@example.com', type: 'work' }, ANNA.emails[1]] },
    ],
    [
      'removes the values that a filter finds',
      [{ op: 'remove', path: 'emails[type eq "home" and value ew ".example"]' }],
      { emails: [ANNA.emails[0]] },
    ],
    [
      'removes values without their main part',
      [{ op: 'remove', path: 'emails[type eq "home"].value' }],
      { emails: [ANNA.emails[0]] },
    ],
    [
      'gives the primary mark to the value that is made primary',
      [{ op: 'replace', path: 'emails[type eq "home"].primary', value: true }],
      {
        emails: [
          { value: 'anna@example.com', type: 'work' },
          { value: 'anna@home.example', type: 'home', primary: true },
        ],
      },
    ],
    [
      'gives the primary mark to the value that is added with it',
      [{ op: 'add', path: 'emails', value: [{ value: 'x@example.com', primary: true }] }],
      {
        emails: [
          { value: 'anna@example.com', type: 'work' },
          ANNA.emails[1],
          { value: 'x@example.com', primary: true },
        ],
      },
    ],
    [
      'writes an extension by its URN',
      [{ op: 'add', path: `${ENTERPRISE}:employeeNumber`, value: '7' }],
      { [ENTERPRISE]: { employeeNumber: '7' } },
    ],
    [
      'writes an extension as a whole',
      [{ op: 'add', path: ENTERPRISE, value: { department: 'R', manager: { value: 'u' } } }],
      { [ENTERPRISE]: { department: 'R', manager: { value: 'u' } } },
    ],
    [
      'writes an extension in a value',
      [{ op: 'add', value: { [ENTERPRISE]: { department: 'R' } } }],
      { [ENTERPRISE]: { department: 'R' } },
    ],
    [
      'removes an extension',
      [
        { op: 'add', path: `${ENTERPRISE}:department`, value: 'R' },
        { op: 'remove', path: ENTERPRISE },
      ],
      {},
    ],
    [
      'applies operations one after the other',
      [
        { op: 'add', path: 'title', value: 'A' },
        { op: 'replace', path: 'title', value: 'B' },
      ],
      { title: 'B' },
    ],
    ['takes op in any case', [{ op: 'ADD', path: 'title', value: 'Dr' }], { title: 'Dr' }],
  ])('%s', (_, operations, changed) => {
    const before = { ...ANNA };
    const expected: Record<string, unknown> = { ...before, ...changed };
    expect(patched(before, ...operations)).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ['an op that is none', { op: 'move', path: 'title' }, 'invalidSyntax'],
    ['an operation that is a text', 'add' as unknown as object, 'invalidSyntax'],
    ['add without a value', { op: 'add', path: 'title' }, 'invalidValue'],
    ['a value that is no object, without a path', { op: 'add', value: 'x' }, 'invalidValue'],
    ['remove without a path', { op: 'remove' }, 'noTarget'],
    ['an unknown attribute', { op: 'add', path: 'favouriteColour', value: 'x' }, 'invalidPath'],
    ['an unknown sub-attribute', { op: 'add', path: 'name.nick', value: 'x' }, 'invalidPath'],
    ['a filter on one value', { op: 'add', path: 'name[givenName pr].familyName', value: 'x' }, 'invalidPath'],
    ['a path that cannot be read', { op: 'add', path: 'emails[type eq', value: 'x' }, 'invalidPath'],
    ['SCM-003: __proto__.x', { op: 'add', path: '__proto__.x', value: 1 }, 'invalidPath'],
    ['SCM-003: constructor.prototype.x', { op: 'add', path: 'constructor.prototype.x', value: 1 }, 'invalidPath'],
    ['SCM-003: constructor', { op: 'add', path: 'constructor', value: 1 }, 'invalidPath'],
    [
      'SCM-003: members[value eq "a"].__proto__',
      { op: 'add', path: 'emails[value eq "a"].__proto__', value: 1 },
      'invalidPath',
    ],
    ['the id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ['the groups', { op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    ['meta.created', { op: 'replace', path: 'meta.created', value: 'x' }, 'mutability'],
    ['removal of the user name', { op: 'remove', path: 'userName' }, 'mutability'],
    ['removal of all addresses', { op: 'remove', path: 'emails' }, 'mutability'],
    ['removal by a filter that finds nothing', { op: 'remove', path: 'emails[type eq "fax"]' }, 'noTarget'],
    [
      'replacement by a filter that finds nothing and describes nothing',
      { op: 'replace', path: 'emails[type ne "home" and value co "z"].value', value: 'x' },
      'noTarget',
    ],
    ['SCM-008: active maybe', { op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
  ])('refuses %s', (_, operation, scimType) => {
    expect(() => patched(ANNA, operation)).toThrow(expect.objectContaining({ status: 400, scimType }));
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('SCM-003: names of the wire in a value write nothing but what is declared', () => {
    const value = JSON.parse(
      '{"__proto__.x": 1, "constructor.prototype.x": 1, "__proto__": {"x": 1}, "title": "Dr"}',
    ) as object;
    expect(patched(ANNA, { op: 'add', value })).toEqual({ ...ANNA, title: 'Dr' });
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it.each<[string, object, object]>([
    ['"False"', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['null', { op: 'replace', path: 'active', value: null }, { active: true }],
    ['false without a path, as Okta', { op: 'replace', value: { active: false } }, { active: false }],
  ])('SCM-008: active %s', (_, operation, changed) => {
    expect(patched(ANNA, operation)).toEqual({ ...ANNA, ...changed });
  });

  it('SCM-007: roles and entitlements are ignored', () => {
    expect(
      patched(
        ANNA,
        { op: 'add', path: 'roles', value: [{ value: 'IAM_OWNER' }] },
        { op: 'add', path: 'roles[primary eq "True"].value', value: 'IAM_OWNER' },
        { op: 'add', path: 'entitlements', value: ['IAM_OWNER'] },
        { op: 'add', value: { roles: ['IAM_OWNER'], groups: [{ value: 'g' }], id: 'x' } },
        { op: 'add', path: 'urn:example:Custom:tag', value: 'x' },
      ),
    ).toEqual(ANNA);
  });

  it('refuses a body without operations, or of another message', () => {
    for (const body of [
      null,
      [],
      {},
      { Operations: [] },
      { Operations: {} },
      { schemas: ['x'], Operations: [{ op: 'add', value: {} }] },
    ])
      expect(() => readPatch(USER, body)).toThrow(expect.objectContaining({ scimType: 'invalidSyntax' }));
  });
});

describe('what Entra sends', () => {
  it.each([
    ['Add', 'emails[type eq "work"].value'],
    ['Replace', 'emails[type eq "work"].value'],
    ['Add', 'emails[type eq "work" and primary eq "True"].value'],
  ])('%s %s makes the address that is not there', (op, path) => {
    const [email] = patched({ userName: 'anna' }, { op, path, value: 'a@example.com' })['emails'] as object[];
    expect(email).toMatchObject({ value: 'a@example.com', type: 'work' });
  });

  it('reads dotted names in a value, with the flag aadOptscim062020', () => {
    expect(
      patched(ANNA, {
        op: 'replace',
        value: {
          displayName: 'Bjfe',
          'name.givenName': 'Kkom',
          'name.familyName': 'Unua',
          'emails[type eq "work"].value': 'k@example.com',
          [`${ENTERPRISE}:employeeNumber`]: 'Aklq',
          [`${ENTERPRISE}:manager.value`]: 'u1',
        },
      }),
    ).toEqual({
      ...ANNA,
      displayName: 'Bjfe',
      name: { givenName: 'Kkom', familyName: 'Unua' },
      emails: [{ value: 'k@example.com', type: 'work', primary: true }, ANNA.emails[1]],
      [ENTERPRISE]: { employeeNumber: 'Aklq', manager: { value: 'u1' } },
    });
  });

  it('sets a manager by its name alone, in a list', () => {
    const value = [{ $ref: 'http://example.com/scim/Users/u1', value: 'u1' }];
    expect(patched(ANNA, { op: 'Add', path: 'manager', value })).toEqual({
      ...ANNA,
      [ENTERPRISE]: { manager: { value: 'u1' } },
    });
  });

  it('removes the values that it names beside the path', () => {
    expect(patched(ANNA, { op: 'Remove', path: 'emails', value: [{ value: 'anna@home.example' }] })).toEqual({
      ...ANNA,
      emails: [ANNA.emails[0]],
    });
    expect(patched(ANNA, { op: 'Remove', path: 'emails', value: [] })).toEqual(ANNA);
  });

  it('starts from nothing', () => {
    expect(
      applyPatch(
        Document.EMPTY,
        readPatch(USER, { Operations: [{ op: 'add', path: 'phoneNumbers[type eq "mobile"].value', value: '+491' }] }),
      ).list(USER.attributes.find(({ name }) => name === 'phoneNumbers') ?? USER.attributes[0]!),
    ).toHaveLength(1);
  });
});
