import { describe, expect, it } from '@jest/globals';
import type { TextMatch } from '../../../foundation/database/condition.js';
import { pageOfKnown, textFits } from './known-list.js';

describe('A list that is known without the database', () => {
  const readAt = new Date(0);

  it('is cut into pages, in either order', () => {
    const rows = ['a', 'b', 'c'];
    const page = (offset: bigint, limit: number, ascending: boolean) =>
      pageOfKnown(rows, { offset, limit, ascending }, readAt);
    expect(page(0n, 2, true)).toEqual({ rows: ['a', 'b'], total: 3n, position: 0n, readAt });
    expect(page(2n, 2, true).rows).toEqual(['c']);
    expect(page(0n, 2, false).rows).toEqual(['c', 'b']);
    expect(page(9_223_372_036_854_775_807n, 2, true).rows).toEqual([]);
  });

  it.each<[TextMatch, string, boolean]>([
    ['equals', 'id.test', true],
    ['equals', 'ID.test', false],
    ['equals_ignore_case', 'ID.test', true],
    ['starts_with', 'id.', true],
    ['starts_with', 'test', false],
    ['starts_with_ignore_case', 'ID', true],
    ['ends_with', '.test', true],
    ['ends_with', 'id', false],
    ['ends_with_ignore_case', 'TEST', true],
    ['contains', 'd.t', true],
    ['contains', 'D.T', false],
    ['contains_ignore_case', 'D.T', true],
  ])('is searched for texts: %s %s', (how, text, fits) => {
    expect(textFits(how, 'id.test', text)).toBe(fits);
  });
});
