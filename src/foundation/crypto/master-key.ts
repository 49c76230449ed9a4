import { createHmac, createSecretKey, hkdfSync, type KeyObject, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Secret } from '../config/secret.js';

const scryptAsync = promisify<string, string, number, { N: number; r: number; p: number }, Buffer>(scrypt);

/** A key for one purpose, with a short public id by which sealed values refer to it. */
export interface PurposeKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Turns what an operator chose as a key into 32 bytes that are expensive to guess. */
export type KeyStretch = (key: Secret) => Promise<Buffer>;

/** By scrypt, about 40 ms. */
export const stretchKey: KeyStretch = (key) =>
  scryptAsync(key.reveal(), 'gatehouse master key v1', 32, { N: 16_384, r: 8, p: 1 });

/**
 * The master key and those it replaces. A master key never encrypts anything itself: each purpose has a key of its own,
 * derived by HKDF, so that a value sealed for one purpose cannot be opened for another.
 */
export class MasterKeys {
  private readonly derived = new Map<string, readonly PurposeKey[]>();

  private constructor(private readonly roots: readonly Buffer[]) {}

  /**
   * An operator may choose a passphrase, so the keys are stretched once: that makes guessing expensive for an attacker
   * who has the database.
   */
  static async from(current: Secret, previous: readonly Secret[], stretch = stretchKey): Promise<MasterKeys> {
    return new MasterKeys(await Promise.all([current, ...previous].map(stretch)));
  }

  /** The key for sealing with this purpose. */
  current(purpose: string): PurposeKey {
    return this.all(purpose)[0]!;
  }

  find(purpose: string, keyId: string): PurposeKey | undefined {
    return this.all(purpose).find((key) => key.id === keyId);
  }

  /** The current key first. For values that do not say which key made them. */
  all(purpose: string): readonly PurposeKey[] {
    let keys = this.derived.get(purpose);
    if (!keys) {
      keys = this.roots.map((root) => {
        const key = createSecretKey(Buffer.from(hkdfSync('sha256', root, '', `gatehouse/${purpose}`, 32)));
        return { id: createHmac('sha256', key).update('key id').digest('base64url').slice(0, 6), key };
      });
      this.derived.set(purpose, keys);
    }
    return keys;
  }
}
