import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../foundation/config/secret.js';
import { MasterKeys } from '../../foundation/crypto/master-key.js';
import { ProofNonces } from './proof-nonces.js';

const NOW = 1_800_000_000;
const [OLD, NEW] = [new Secret('a master key that is long'), new Secret('another master key')];

let keys: MasterKeys;
let nonces: ProofNonces;
beforeAll(async () => {
  keys = await MasterKeys.from(OLD, []);
  nonces = new ProofNonces(keys);
});

describe('The nonce of a proof', () => {
  it('is valid in its minute and in the next one [DPO-014]', () => {
    const nonce = nonces.current(NOW);
    expect([-60, 0, 59, 60, 119, 120].map((after) => nonces.isFresh(nonce, NOW + after))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('stays valid when the master key is replaced', async () => {
    const replaced = new ProofNonces(await MasterKeys.from(NEW, [OLD]));
    expect(replaced.isFresh(nonces.current(NOW), NOW)).toBe(true);
    expect(nonces.isFresh(replaced.current(NOW), NOW)).toBe(false);
  });

  it('cannot be invented, nor made with the key of another purpose [DPO-014]', () => {
    const minute = String(NOW / 60);
    const foreign = createHmac('sha256', keys.current('user_code').key).update(minute).digest('base64url').slice(0, 22);
    const invented = [undefined, '', 1, {}, 'A'.repeat(22), `${nonces.current(NOW)}A`, foreign];
    expect(invented.map((nonce) => nonces.isFresh(nonce, NOW))).toEqual(invented.map(() => false));
  });
});
