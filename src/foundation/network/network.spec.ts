import { describe, expect, it } from '@jest/globals';
import { networkOf } from './network.js';

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
