import { describe, expect, it } from '@jest/globals';
import { parsePath } from '../filter/parser.js';
import { GROUP } from '../schema/group.schema.js';
import { memberChanges, namedByFilter } from './group-patch.js';
import { readPatch } from './patch-request.js';

const changes = (...operations: readonly object[]): unknown =>
  memberChanges(readPatch(GROUP, { Operations: operations }));

describe('the members of a group', () => {
  it.each<[string, object, object]>([
    [
      'are added',
      { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'b', display: 'B' }] },
      { is: 'add', userIds: ['a', 'b'] },
    ],
    ['are added without a path', { op: 'add', value: { members: [{ value: 'a' }] } }, { is: 'add', userIds: ['a'] }],
    [
      'are added one by one',
      { op: 'Add', path: 'members', value: { $ref: null, value: 'a' } },
      { is: 'add', userIds: ['a'] },
    ],
    [
      'SCM-012: count once',
      { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'a' }] },
      { is: 'add', userIds: ['a'] },
    ],
    ['are replaced', { op: 'replace', path: 'members', value: [{ value: 'a' }] }, { is: 'replace', userIds: ['a'] }],
    ['are replaced by nobody', { op: 'replace', path: 'members', value: [] }, { is: 'replace', userIds: [] }],
    ['SCM-013: all go without a value', { op: 'remove', path: 'members' }, { is: 'empty' }],
    [
      'SCM-013: those named go',
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'a' }] },
      { is: 'remove', userIds: ['a'] },
    ],
    [
      'SCM-013: nobody goes by an empty list',
      { op: 'remove', path: 'members', value: [] },
      { is: 'remove', userIds: [] },
    ],
  ])('%s', (_, operation, change) => {
    expect(changes(operation)).toEqual([change]);
  });

  it('are removed by a filter', () => {
    expect(changes({ op: 'remove', path: 'members[value eq "a"]' })).toMatchObject([{ is: 'removeChosen' }]);
    const named = (path: string): unknown => namedByFilter(parsePath(path).filter!);
    expect(named('members[value eq "a"]')).toEqual(['a']);
    expect(named('members[value eq "a" or (value eq "b")]')).toEqual(['a', 'b']);
    expect(named('members[value eq "a" and type eq "User"]')).toBeUndefined();
    expect(named('members[display eq "a"]')).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['SCM-012: a group', { op: 'add', path: 'members', value: [{ value: 'g', type: 'Group' }] }, 'invalidValue'],
    ['a member without an id', { op: 'add', path: 'members', value: [{ display: 'B' }] }, 'invalidValue'],
    [
      'SCM-012: 10,001 members',
      { op: 'add', path: 'members', value: Array.from({ length: 10_001 }, (_, at) => ({ value: `${at}` })) },
      'invalidValue',
    ],
    ['parts of members', { op: 'replace', path: 'members.value', value: 'a' }, 'invalidPath'],
    ['what only Gatehouse sets', { op: 'replace', path: 'members[value eq "a"].display', value: 'a' }, 'mutability'],
    ['an addition with a filter', { op: 'add', path: 'members[value eq "a"]', value: { value: 'a' } }, 'invalidPath'],
    [
      'SCM-003: members[value eq "a"].__proto__',
      { op: 'add', path: 'members[value eq "a"].__proto__', value: 1 },
      'invalidPath',
    ],
  ])('refuse %s', (_, operation, scimType) => {
    expect(() => changes(operation)).toThrow(expect.objectContaining({ status: 400, scimType }));
  });

  it('SCM-012: are limited in a request as a whole', () => {
    const some = (from: number): object => ({
      op: 'add',
      path: 'members',
      value: Array.from({ length: 6_000 }, (_, at) => ({ value: `${from + at}` })),
    });
    expect(() => changes(some(0), some(6_000))).toThrow(expect.objectContaining({ scimType: 'invalidValue' }));
  });
});
