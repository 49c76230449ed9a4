import { describe, expect, it } from '@jest/globals';
import { MEMBER, memberAt } from './member-path.js';

const document = { id: 1, 'a.b': 2, data: { user: { id: 3 }, 'x/y': 4, 'm~n': 5 }, list: [{ id: 6 }] };

describe('The name of a member', () => {
  it.each<[string, unknown]>([
    ['id', 1],
    ['a.b', 2],
    ['/data/user/id', 3],
    ['/data/x~1y', 4],
    ['/data/m~0n', 5],
    ['/list/0/id', 6],
    ['/id', 1],
    ['', undefined],
    ['/', undefined],
    ['data.user', undefined],
    ['/data/none/id', undefined],
    ['constructor', undefined],
    ['/data/__proto__/constructor', undefined],
    ['/list/length', 1],
  ])('%j means %j (RFC 6901 §4)', (path, value) => {
    expect(memberAt(document, path)).toBe(value);
  });

  it('has a tilde as an escape alone in a path (RFC 6901 §3)', () => {
    expect(['a~b', '/a~1b', '/a~0', '/a~2', '/a~'].map(MEMBER.fits)).toEqual([true, true, true, false, false]);
  });
});
