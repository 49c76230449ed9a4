import { createHmac, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MasterKeys, type PurposeKey } from '../../foundation/crypto/master-key.js';
import { plainCode } from '../../foundation/crypto/typed-code.js';

const PURPOSE = 'user_code';
/** RFC 8628 §6.1: upper-case consonants, which spell no words and are not mistaken for digits. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const GROUP = 4;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** A code for typing, without the dash that is shown in the middle. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** The code as devices and pages show it: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, GROUP)}-${code.slice(GROUP)}`;
}

/** RFC 8628 §6.1: case, dashes and blanks do not matter. Undefined for what cannot be a code. */
export function parseUserCode(typed: string): string | undefined {
  const code = plainCode(typed);
  return CODE.test(code) ? code : undefined;
}

/** User codes are stored as a MAC: they are short, so that a plain digest could be guessed. */
@Injectable()
export class UserCodeHashes {
  constructor(private readonly masterKeys: MasterKeys) {}

  of(code: string): Buffer {
    return macOf(this.masterKeys.current(PURPOSE), code);
  }

  /** The digests of a code, also by earlier master keys, so that codes outlive a change of the master key. */
  all(code: string): readonly Buffer[] {
    return this.masterKeys.all(PURPOSE).map((key) => macOf(key, code));
  }
}

function macOf({ key }: PurposeKey, code: string): Buffer {
  return createHmac('sha256', key).update(code).digest();
}
