import { describe, expect, it } from '@jest/globals';
import { passwordLimits } from './limits.js';

describe('The name that a limit counts', () => {
  it('is the one that signing in would look for, in whatever spelling', () => {
    const nameOf = (typed: string): string => passwordLimits(typed, undefined, '192.0.2.7').name.whom;
    for (const typed of [' Alice ', 'ALICE', 'ａｌｉｃｅ']) expect(nameOf(typed)).toBe(nameOf('alice'));
    expect(nameOf('alice@orga.test')).not.toBe(nameOf('alice'));
  });

  it('is counted in addition to its account, or to a counter for unknown names', () => {
    const accountOf = (typed: string, userId?: string): string =>
      passwordLimits(typed, userId, '192.0.2.7').account.whom;
    expect(accountOf('alice', '7')).toBe(accountOf('alice@orga.test', '7'));
    expect(accountOf('alice')).not.toBe(accountOf('alice@orga.test'));
    expect(accountOf('7')).not.toBe(accountOf('alice', '7'));
  });
});
