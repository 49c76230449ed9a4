import { describe, expect, it } from '@jest/globals';
import { areAttributes, readAttributes, readGroups } from './said-attributes.js';

describe('Attributes of an account', () => {
  it('are texts by their names; what is malformed is dropped', () => {
    const said = { dept: ['Sales', 1, '', 'a\nb', 'R&D'], empty: [], text: 'x', 'a\u0000': ['y'], __proto__: ['z'] };
    expect(readAttributes(said)).toEqual({ dept: ['Sales', 'R&D'] });
    expect([readAttributes(undefined), readAttributes(null), readAttributes(['a'])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('have limits, beyond which they are dropped', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`n${index}`, ['v']]));
    expect(Object.keys(readAttributes(many)!)).toHaveLength(50);
    expect(readAttributes({ a: Array<string>(30).fill('v') })!['a']).toHaveLength(20);
    expect(readAttributes({ a: ['x'.repeat(9_000)], b: ['y'.repeat(8_000)], c: ['z'.repeat(300)] })).toEqual({
      b: ['y'.repeat(8_000)],
    });
  });

  it('can hold a name that every object has', () => {
    const said = JSON.parse('{"__proto__":["a"],"constructor":["b"]}') as object;
    expect(Object.entries(readAttributes(said)!)).toEqual([
      ['__proto__', ['a']],
      ['constructor', ['b']],
    ]);
  });

  it('of a document are refused as a whole', () => {
    expect(areAttributes({ dept: ['Sales'] })).toBe(true);
    expect(areAttributes({ dept: 'Sales' })).toBe(false);
  });
});

describe('Groups of an account', () => {
  it('are ids, each once', () => {
    expect(readGroups(['1', '2', '1', 3, ''])).toEqual(['1', '2']);
    expect(readGroups('1')).toBeUndefined();
  });
});
