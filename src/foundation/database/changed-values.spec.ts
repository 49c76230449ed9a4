import { describe, expect, it } from '@jest/globals';
import { changedValues } from './changed-values.js';

describe('The changed values of a row', () => {
  it('are those that differ, and leave out what is not wanted otherwise', () => {
    const row = { name: 'Acme', state: 'active', days: 30 };
    expect(changedValues(row, { name: 'Acme', state: 'inactive' })).toEqual({ state: 'inactive' });
  });

  it('contain no list, JSON or time that is equal', () => {
    const row = { scopes: ['a', 'b'], settings: { one: 1, two: 2 }, at: new Date(0) };
    expect(changedValues(row, { scopes: ['a', 'b'], settings: { two: 2, one: 1 }, at: new Date(0) })).toEqual({});
  });

  it('contain a list whose entries have another order, since order may matter', () => {
    expect(changedValues({ scopes: ['a', 'b'] }, { scopes: ['b', 'a'] })).toEqual({ scopes: ['b', 'a'] });
  });
});
