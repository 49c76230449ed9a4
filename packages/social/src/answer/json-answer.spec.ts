import { describe, expect, it } from '@jest/globals';
import { identifierOf, listIn, objectIn, textOf } from './json-answer.js';

describe('An answer in JSON', () => {
  it('keeps numbers above 2^53 as their digits (SOC-005)', () => {
    const { id, next, small, text } = objectIn({
      text: '{"id": 9007199254740993, "next": 9007199254740992, "small": 42, "text": "9007199254740993"}',
    });
    expect([id, next, small, text].map(identifierOf)).toEqual([
      '9007199254740993',
      '9007199254740992',
      '42',
      '9007199254740993',
    ]);
  });

  it.each([
    ['a list', '[{"id": 1}]'],
    ['null', 'null'],
    ['a text', '"a"'],
    ['no JSON', '<html>'],
    ['nothing', ''],
  ])('is refused if it is %s, and not quoted (SOC-005)', (_, text) => {
    expect(() => objectIn({ text })).toThrow(/^The answer of the provider is no(t JSON| JSON object)\.$/);
  });

  it('is a list where one is expected', () => {
    expect(listIn({ text: '[1]' })).toEqual([1]);
    expect(() => listIn({ text: '{}' })).toThrow('no JSON list');
  });

  it.each([[{}], [[1]], [null], [true], [1.5], [1e300], [''], [undefined]])(
    'identifies nobody by %j (SOC-005)',
    (value) => {
      expect(identifierOf(value)).toBeUndefined();
    },
  );

  it('has no members but its own', () => {
    expect(textOf({}, 'constructor')).toBeUndefined();
    expect(textOf({ a: 'b', c: '' }, 'a')).toBe('b');
    expect(textOf({ a: 'b', c: '' }, 'c')).toBeUndefined();
  });
});
