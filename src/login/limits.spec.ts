import { describe, expect, it } from '@jest/globals';
import { networkOf, passwordLimits } from './limits.js';

describe('The address that a limit counts', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2'],
    ['no address', 'no address'],
    ['', ''],
  ])('of %j is %j: one for a whole IPv6 network', (address, expected) => {
    expect(networkOf(address)).toBe(expected);
  });
});

describe('The name that a limit counts', () => {
  it('is the one that signing in would look for, in whatever spelling', () => {
    const [first, ...others] = ['alice', ' Alice ', 'ALICE', 'ａｌｉｃｅ'].map((name) => passwordLimits(name, '192.0.2.7').account.whom);
    for (const other of others) expect(other).toBe(first);
    expect(passwordLimits('alice@orga.test', '192.0.2.7').account.whom).not.toBe(first);
  });
});
