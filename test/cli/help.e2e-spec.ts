import { describe, expect, it } from '@jest/globals';
import { gatehouseApart } from './command-apart.js';

describe('gatehouse', () => {
  it.each([['--help'], ['export', '--help'], ['import', '-h']])('explains itself: %s', async (...args) => {
    expect(await gatehouseApart(args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('gatehouse'),
      stderr: '',
    });
  });

  it('lists its commands if called without or with an unknown one', async () => {
    expect(await gatehouseApart([])).toMatchObject({ code: 2, stdout: expect.stringContaining('export') });
    expect(await gatehouseApart(['frobnicate'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Commands: register, pull, plan'),
    });
  });
});
