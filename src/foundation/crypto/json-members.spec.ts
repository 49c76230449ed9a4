import { describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../../../test/support/effort.js';
import { duplicateMember, isNestedDeeperThan, unstorableMember } from './json-members.js';

describe('A member that stands twice', () => {
  it.each([
    ['{"sub":"svc1","sub":"admin"}', 'sub'],
    ['{"a":1, "sub" : 1 ,"b":{},"sub":2}', 'sub'],
    ['{"sub":1,"s\\u0075b":2}', 'sub'],
    ['{"a":{"a":1},"b":[{"b":1}],"b":1}', 'b'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a":"\\"a\\":","a":1}', 'a'],
    ['{"sub":1,"sub"\n\t :2}', 'sub'],
    [`{"sub":1,"sub"${' '.repeat(1000)}:2}`, 'sub'],
    ['{"user":{"name":"a","name":"b"}}', 'user.name'],
    ['{"queries":[{"a":1},{"a":[1,2],"a":1}]}', 'queries[1].a'],
    ['[[],[{"a":{},"a":{}}]]', '[1][0].a'],
    [`${'{"a":'.repeat(1000)}{"b":1,"b":2}`, `${'a.'.repeat(100)}`],
  ])('is found in %s', (json, name) => {
    expect(duplicateMember(json)).toBe(name);
  });

  it.each([
    '{}',
    '{"a":1,"b":1}',
    '{"a":{"b":1},"b":1}',
    '{"a":[{"b":1},{"b":1}],"b":{"b":{"b":1}}}',
    '{"a":"{\\"b\\":1,\\"b\\":1}"}',
    ']]}}{"a":1',
    '{"a":"b","c":"b"}',
    '{"a":["a","a"]}',
    '[]',
    '',
    'null',
    '{"a',
    '{"A":1,"a":1}',
    '{"a":"\\"b\\":1","b":2}',
  ])('is not in %s', (json) => {
    expect(duplicateMember(json)).toBeUndefined();
  });

  it('is looked for in linear time', async () => {
    const texts = [
      '{'.repeat(100_000),
      '"'.repeat(99_999),
      `{${'"a":1,'.repeat(1)}${'[['.repeat(50_000)}`,
      `{"${'\\'.repeat(99_999)}`,
      `{"a":"${'x'.repeat(1_000_000)}"}`,
      `{"a":[${'{"b":1},'.repeat(50_000)}{}]}`,
    ];
    const cpuMs = await cpuMsOf(() => texts.map(duplicateMember));
    expect(cpuMs).toBeLessThan(1_000); // in squared time: a minute
  });
});

describe('Nesting', () => {
  const around = (depth: number, inner = '1'): string =>
    `${'{"a":['.repeat(depth / 2)}${inner}${']}'.repeat(depth / 2)}`;

  it.each([
    ['objects and arrays beyond the limit', around(102)],
    ['one level beyond it', around(100, '[]')],
    ['what is never closed', '['.repeat(101)],
    ['a string that ends in a backslash before it', `["\\\\",${around(100)}]`],
  ])('is too deep for %s [REG-009]', (_, json) => {
    expect(isNestedDeeperThan(100, json)).toBe(true);
  });

  it.each([
    ['exactly the limit', around(100)],
    ['many values beside each other', `[${'{"a":[]},'.repeat(1_000)}1]`],
    ['brackets in a string', `["${'{['.repeat(1_000)}"]`],
    ['brackets after an escaped quotation mark', `["\\"${'{['.repeat(1_000)}"]`],
    ['brackets in a name', `{"${'['.repeat(1_000)}":1}`],
    ['brackets in a string that does not end', `["${'{['.repeat(1_000)}`],
    ['nothing', ''],
  ])('is not too deep for %s', (_, json) => {
    expect(isNestedDeeperThan(100, json)).toBe(false);
  });
});

describe('What cannot be stored', () => {
  it.each([
    ['an unpaired surrogate', String.raw`{"a":"\ud800"}`, 'a'],
    ['NUL', String.raw`{"a":"\u0000"}`, 'a'],
    ['a pair in the wrong order', String.raw`{"a":"\udc00\ud800"}`, 'a'],
    ['a text deep within', String.raw`{"jwks":{"keys":[{},{"kid":"\ud800"}]}}`, 'jwks.keys[1].kid'],
    ['the name of a member', String.raw`{"jwks":{"\ud800":1}}`, 'jwks'],
    ['the whole', String.raw`"\ud800"`, ''],
  ])('is found with its path: %s', (_, json, path) => {
    expect(unstorableMember(json, JSON.parse(json))).toBe(path);
  });

  it.each([String.raw`{"a":"\ud83d\ude00"}`, '{"😀":"😀"}', String.raw`{"a":["\u0041",null,1]}`, '[]'])(
    'is nothing of %s',
    (json) => {
      expect(unstorableMember(json, JSON.parse(json))).toBeUndefined();
    },
  );
});
