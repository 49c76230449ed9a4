import { describe, expect, it } from '@jest/globals';
import type { ManagedGroupMember } from 'gatehouse';
import { parseFilter } from '../filter/parser.js';
import type { MemberChange } from '../patch/group-patch.js';
import { netOf, UNCHANGED } from './membership.js';

const member = (userId: string, displayName = `Name of ${userId}`): ManagedGroupMember =>
  ({ userId, displayName }) as ManagedGroupMember;
const all = ['a', 'b', 'c'].map((userId) => member(userId));
const known = { all, named: new Set(['a', 'b', 'c']) };
const add = (...userIds: string[]): MemberChange => ({ is: 'add', userIds });
const remove = (...userIds: string[]): MemberChange => ({ is: 'remove', userIds });
const choose = (filter: string): MemberChange => ({ is: 'removeChosen', filter: parseFilter(filter) });
const empty: MemberChange = { is: 'empty' };

describe('RFC 7644 §3.5.2: the members after several operations', () => {
  it.each<[string, readonly MemberChange[], object]>([
    ['nothing', [], UNCHANGED],
    ['add and remove', [add('x'), remove('a'), add('y')], { ...UNCHANGED, added: ['x', 'y'], removed: ['a'] }],
    ['add, then remove the same', [add('x'), remove('x')], { ...UNCHANGED, removed: ['x'] }],
    ['remove, then add the same', [remove('a'), add('a')], { ...UNCHANGED, added: ['a'] }],
    ['one by its ID', [choose('value eq "a"')], { ...UNCHANGED, removed: ['a'] }],
    ['one that was just added', [add('x'), choose('value eq "x"')], { ...UNCHANGED, removed: ['x'] }],
    ['by name', [choose('display co "of b"')], { ...UNCHANGED, removed: ['b'] }],
    ['all', [empty], { ...UNCHANGED, replaces: true, emptied: 3 }],
    [
      'all, with who has come and gone',
      [add('x', 'a'), remove('b'), empty],
      { ...UNCHANGED, replaces: true, emptied: 3 },
    ],
    ['all, then one', [empty, add('x')], { ...UNCHANGED, replaces: true, added: ['x'], emptied: 3 }],
    [
      'others in their place, then without one',
      [{ is: 'replace', userIds: ['x', 'y'] }, choose('value eq "x"')],
      { ...UNCHANGED, replaces: true, added: ['y'] },
    ],
  ])('%s', (_, changes, expected) => {
    expect(netOf(changes, known)).toEqual(expected);
  });

  it.each<[string, readonly MemberChange[]]>([
    ['nobody has the ID', [choose('value eq "z"')]],
    ['nobody has the name', [choose('display eq "z"')]],
    ['who had it has gone', [remove('a'), choose('value eq "a"')]],
    ['all have gone', [empty, choose('display pr')]],
  ])('SCM-013: noTarget where %s', (_, changes) => {
    expect(() => netOf(changes, known)).toThrow(expect.objectContaining({ scimType: 'noTarget' }));
  });

  it('SCM-016: few filters look at each member', () => {
    const changes = Array.from({ length: 11 }, () => [add('x'), choose('display pr or type eq "x"')]).flat();
    expect(() => netOf(changes, known)).toThrow(expect.objectContaining({ scimType: 'tooMany' }));
  });

  it('SCM-016: a thousand operations on ten thousand members take no more than a second', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => member(`m${at}`));
    const changes = Array.from({ length: 330 }, (_, at) => [
      add(...Array.from({ length: 30 }, (__, one) => `x${at}-${one}`)),
      choose(Array.from({ length: 30 }, (__, one) => `value eq "m${at * 30 + one}"`).join(' or ')),
      empty,
      { is: 'replace', userIds: many.slice(0, 30).map(({ userId }) => userId) } satisfies MemberChange,
      add(...many.slice(30, 60).map(({ userId }) => userId)),
      remove(...many.slice(0, 30).map(({ userId }) => userId)),
    ])
      .flat()
      .filter(({ is }, at) => at < 6 || is !== 'removeChosen');
    const begun = process.cpuUsage();
    netOf(changes, { all: many, named: new Set(many.map(({ userId }) => userId)) });
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
