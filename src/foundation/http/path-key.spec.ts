import { describe, expect, it } from '@jest/globals';
import { PathKey } from './path-key.js';

const key = new PathKey(['_bulk', '_search', 'human']);

describe('A key that a caller chooses for a path', () => {
  it.each(['_bulk', '_SEARCH', 'Human', '.', '..'])(
    'is not what a path means something else by: %s [ADM-098]',
    (text) => {
      expect(key.problem(text)).toMatch(`must not be ${text}, `);
    },
  );

  it.each(['bulk', '_other', '...', 'a/b', '%2f', '%2e', '__proto__', '_Bulk2', 'humans', 'hümän'])(
    'may be %s',
    (text) => {
      expect(key.problem(text)).toBeUndefined();
    },
  );
});
