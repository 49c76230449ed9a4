import { describe, expect, it } from '@jest/globals';
import { isLoopbackAddress, isNetwork, isPublicAddress, Networks } from './address.js';

describe('An address of the internet', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450::1',
    '2400:cb00::1',
  ])('is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '0.0.0.0',
    '10.9.0.9',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fd00::9',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::a09:9',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    'fec0::1',
    'localhost',
    '',
    '8.8.8',
    '2130706433',
  ])('is not %s [IDP-018]', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('A set of networks', () => {
  const networks = new Networks(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1']);

  it.each(['10.1.2.3', '127.0.0.1', 'fd12::1', '::1', '::ffff:10.1.2.3', '::ffff:7f00:1'])('has %s', (address) =>
    expect(networks.has(address)).toBe(true),
  );
  it.each(['10.2.0.1', '127.0.0.2', 'fe80::1', '::2', '::ffff:10.2.0.1', 'localhost', ''])('has not %s', (address) =>
    expect(networks.has(address)).toBe(false),
  );

  it.each(['10.0.0.0/8', '10.0.0.1', '::1', 'fd00::/8', '0.0.0.0/0', '::/0'])('is written %s', (text) =>
    expect(isNetwork(text)).toBe(true),
  );
  it.each([
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    'example.com',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '*',
  ])('is not written "%s"', (text) => expect(isNetwork(text)).toBe(false));
});

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['8.8.8.8', false],
  ['fd00::1', false],
])('%s is of this machine: %s', (address, expected) => expect(isLoopbackAddress(address)).toBe(expected));
