import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MasterKeys, type PurposeKey } from '../../foundation/crypto/master-key.js';
import { seconds } from '../../foundation/time/duration.js';

const PURPOSE = 'proof_nonce';
/** 132 bits. */
const CHARACTERS = 22;

/**
 * The nonces of proofs (RFC 9449 §8): a MAC of the minute, so that every process knows them and none is stored. They
 * show that a proof was not made long ago; that it is used once is shown otherwise.
 */
@Injectable()
export class ProofNonces {
  constructor(private readonly masterKeys: MasterKeys) {}

  current(nowSeconds: number): string {
    return nonceOf(this.masterKeys.current(PURPOSE), minuteOf(nowSeconds));
  }

  /** Whether it is the nonce of this minute or of the last one, also with the keys of earlier master keys. */
  isFresh(nonce: unknown, nowSeconds: number): boolean {
    const minute = minuteOf(nowSeconds);
    return this.masterKeys
      .all(PURPOSE)
      .some((key) => nonce === nonceOf(key, minute) || nonce === nonceOf(key, minute - 1));
  }
}

function minuteOf(nowSeconds: number): number {
  return Math.floor(nowSeconds / seconds.perMinute);
}

function nonceOf({ key }: PurposeKey, minute: number): string {
  return createHmac('sha256', key).update(String(minute)).digest('base64url').slice(0, CHARACTERS);
}
