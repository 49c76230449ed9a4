import { expect, it } from '@jest/globals';
import { mustEncrypt } from './smtp-server.js';

const INTERNET = '8.8.8.8';
const OURS = '10.0.0.25';
const HERE = '127.0.0.1';

it.each([
  [true, '', HERE, true],
  [true, 'gate', OURS, true],
  [false, '', INTERNET, true],
  [false, '', '', true],
  [false, '', OURS, false],
  [false, 'gate', INTERNET, true],
  [false, 'gate', OURS, true],
  [false, 'gate', HERE, false],
])(
  'With TLS demanded: %s, and the user "%s", a connection to %s must be encrypted: %s [ADM-048]',
  (tls, userName, address, expected) => expect(mustEncrypt({ tls, userName }, address)).toBe(expected),
);
