import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { coseKeyProblem, MAX_COSE_KEY_BYTES } from './cose-key.js';

type Members = ReadonlyArray<readonly [label: number, value: number | Buffer]>;

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  return count < 256
    ? Buffer.from([(major << 5) | 24, count])
    : Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}

const item = (value: number | Buffer): Buffer => {
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return value < 0 ? head(1, -1 - value) : head(0, value);
};
const map = (members: Members): Buffer =>
  Buffer.concat([head(5, members.length), ...members.flatMap(([label, value]) => [item(label), item(value)])]);
const bytes = (base64url = ''): Buffer => Buffer.from(base64url, 'base64url');

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const ed = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });

const ES256: Members = [
  [1, 2],
  [3, -7],
  [-1, 1],
  [-2, bytes(ec.x)],
  [-3, bytes(ec.y)],
];
const ED25519: Members = [
  [1, 1],
  [3, -8],
  [-1, 6],
  [-2, bytes(ed.x)],
];
const rs256 = (modulusLength: number, exponent?: Buffer): Members => {
  const { n, e } = rsa(modulusLength);
  return [
    [1, 3],
    [3, -257],
    [-1, bytes(n)],
    [-2, exponent ?? bytes(e)],
  ];
};
const changed = (label: number, value: number | Buffer): Buffer =>
  map(ES256.map(([each, old]) => [each, each === label ? value : old]));

const NO_KEY = 'must be a COSE key: one CBOR map of numbers to numbers and bytes';
const NO_ALGORITHM = 'must be of one of the algorithms -8, -7, -257';

describe('A COSE key', () => {
  it.each<[string, Members]>([
    ['ES256', ES256],
    ['Ed25519', ED25519],
    ['RS256', rs256(2048)],
    ['ES256 in another order, with a member that means nothing here', [...ES256.toReversed(), [2, bytes('AQID')]]],
  ])('of %s may be stored', (_, members) => {
    expect(coseKeyProblem(map(members))).toBeUndefined();
  });

  it.each<[string, Buffer, string]>([
    ['of no bytes', Buffer.alloc(0), NO_KEY],
    ['that is a text', Buffer.from('pQECAyYgASFYIA'), NO_KEY],
    ['that is cut', map(ES256).subarray(0, -1), NO_KEY],
    ['with something behind it', Buffer.concat([map(ES256), Buffer.alloc(1)]), NO_KEY],
    ['with a member twice', map([...ES256, [3, -7]]), NO_KEY],
    ['of indefinite length', Buffer.concat([Buffer.from([0xbf]), map(ES256).subarray(1), Buffer.from([0xff])]), NO_KEY],
    ['that claims four billion members', Buffer.from('baffffffff', 'hex'), NO_KEY],
    ['that claims four billion bytes', Buffer.from('a1015affffffff', 'hex'), NO_KEY],
    ['nested 1,000 times', Buffer.alloc(1_000, 0xa1), NO_KEY],
    ['of ES512', changed(3, -36), NO_ALGORITHM],
    ['of no algorithm', map(ES256.filter(([label]) => label !== 3)), NO_ALGORITHM],
    ['of RS1', map(rs256(2048).map(([label, value]) => [label, label === 3 ? -65_535 : value])), NO_ALGORITHM],
    ['of ES256 on another curve', changed(-1, 2), 'must be of its algorithm'],
    ['of ES256 of the type RSA', changed(1, 3), 'must be of its algorithm'],
    ['of a point that is not on the curve', changed(-3, Buffer.alloc(32, 1)), 'must have the numbers of a valid key'],
    ['without a coordinate', map(ES256.slice(0, 4)), 'must have the numbers of a valid key'],
    ['of 1024 bits', map(rs256(1024)), 'must have 2048 to 8192 bits'],
    ['with the exponent 3', map(rs256(2048, Buffer.from([3]))), 'must have the public exponent 65537 or a larger one'],
    ['of 1 MB', Buffer.alloc(1_000_000), `must have at most ${MAX_COSE_KEY_BYTES} bytes`],
  ])('%s may not [PKY-009, PKY-011]', (_, key, problem) => {
    expect(coseKeyProblem(key)).toBe(problem);
  });
});
