import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { equalDigests } from '../../foundation/crypto/digest.js';
import { MasterKeys, type PurposeKey } from '../../foundation/crypto/master-key.js';
import { smallRandomBytes } from '../../foundation/crypto/random.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter, toUnixSeconds } from '../../foundation/time/duration.js';

const PURPOSE = 'webauthn';
/** WebAuthn Level 3 §13.4.3: at least 16 random bytes. */
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;

/** The place and purpose of a challenge, so that an answer to one proves nothing elsewhere. */
export interface ChallengePlace {
  readonly purpose: 'sign-in' | 'second-factor' | 'register-passkey' | 'register-u2f';
  readonly browserId: string;
  /** The pending request, the session, or the user of a mailed link. */
  readonly about: string;
  /** Undefined while nobody has been named. */
  readonly userId?: string | undefined;
}

/** A challenge that is ours and not too old; it may have been answered already. */
export interface OpenChallenge {
  readonly value: string;
  /** Afterwards nothing needs to remember it. */
  readonly expiresAt: Date;
}

/** Challenges of a sign-in last as long as its pages. */
export const SIGN_IN_CHALLENGE_SECONDS = seconds.perHour;
/** How long all other challenges last. */
export const CHALLENGE_SECONDS = 10 * seconds.perMinute;

/**
 * Challenges without rows: random bytes, the time, and a MAC over both and over what the challenge is for. They are
 * made with the page, since no script of ours requests anything. A row is written when one is answered
 * (`SpentChallenges`).
 */
@Injectable()
export class Challenges {
  constructor(
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
  ) {}

  /** In base64url. */
  issue(place: ChallengePlace): string {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(toUnixSeconds(this.clock.now()), 0, TIME_BYTES);
    const head = Buffer.concat([smallRandomBytes(RANDOM_BYTES), time]);
    return Buffer.concat([head, macOf(this.masterKeys.current(PURPOSE), head, place)]).toString('base64url');
  }

  /** Undefined for a challenge that is not ours, was made for another place, or is older than `lifetimeSeconds`. */
  open(value: string, place: ChallengePlace, lifetimeSeconds: number): OpenChallenge | 'expired' | undefined {
    const bytes = Buffer.from(value, 'base64url');
    if (bytes.length !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES || bytes.toString('base64url') !== value)
      return undefined;
    const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
    const mac = bytes.subarray(RANDOM_BYTES + TIME_BYTES);
    if (!this.masterKeys.all(PURPOSE).some((key) => equalDigests(mac, macOf(key, head, place)))) return undefined;
    const issuedAt = new Date(head.readUIntBE(RANDOM_BYTES, TIME_BYTES) * 1000);
    const expiresAt = secondsAfter(issuedAt, lifetimeSeconds);
    return expiresAt <= this.clock.now() ? 'expired' : { value, expiresAt };
  }
}

function macOf({ key }: PurposeKey, head: Buffer, place: ChallengePlace): Buffer {
  const { purpose, browserId, about, userId = null } = place;
  return createHmac('sha256', key)
    .update(head)
    .update(JSON.stringify([purpose, browserId, about, userId]))
    .digest();
}
