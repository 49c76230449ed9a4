import { describe, expect, it } from '@jest/globals';
import { built } from '../support/built.js';

/** What extensions import of the package. */
const ENTRIES = ['index', 'admin', 'experimental'].map((entry) => `extension/entry/${entry}`);

describe('A class in the bundle, where two of one name get different ones', () => {
  it.each(ENTRIES)('bears the name under which %s exports it', (entry) => {
    expect(classesOf(entry).filter(([name, one]) => (one as { name: string }).name !== name)).toEqual([]);
  });

  it('is found by the search of this test', () => {
    expect(classesOf(ENTRIES[0]!)).not.toEqual([]);
  });
});

function classesOf(entry: string): Array<[name: string, one: unknown]> {
  return Object.entries(built<Record<string, unknown>>(entry)).filter(([, one]) => isClass(one));
}

function isClass(one: unknown): boolean {
  return typeof one === 'function' && /^class\b/.test(Function.prototype.toString.call(one));
}
