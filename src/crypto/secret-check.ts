import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { equalDigests, sha256 } from './digest.js';
import type { Turn } from './hash-lane.js';
import { type EncodedPassword, MAX_PASSWORD_CHARACTERS, PasswordHash } from './password-hash.js';
import type { Secret } from './secret.js';
import { slowHashIn } from './stored-secret.js';

/** More than the slow hashes in use; a forgotten one costs a check. */
const MAX_REMEMBERED = 10_000;

/**
 * Whether a secret is the stored one of an application or a service user. Most are stored as a SHA-256. For the few under a
 * slow hash, which a token endpoint cannot pay for at each request, the process remembers the last right secret as an HMAC
 * under a key that exists in its memory alone. The slow hash is part of what is remembered, so a replaced secret needs no
 * word to be forgotten. A wrong secret is never remembered: each guess pays the full price.
 */
@Injectable()
export class SecretCheck {
  private readonly key = randomBytes(32);
  /** By slow hash, the one used last at the end. */
  private readonly right = new Map<EncodedPassword, Buffer>();
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(private readonly passwords: PasswordHash) {}

  /** @throws DomainError ResourceExhausted `password.busy` when it would have to wait too long */
  async isRight(stored: Buffer | null, secret: Secret, turn: Turn): Promise<boolean> {
    if (stored === null) return false;
    const slowHash = slowHashIn(stored);
    if (slowHash === undefined) return equalDigests(sha256(secret.reveal()), stored);
    if ([...secret.reveal()].length > MAX_PASSWORD_CHARACTERS) return false;
    const fingerprint = createHmac('sha256', this.key).update(`${slowHash}\n${secret.reveal()}`).digest();
    return this.isRemembered(slowHash, fingerprint) || this.checkOnce(slowHash, secret, fingerprint, turn);
  }

  private isRemembered(slowHash: EncodedPassword, fingerprint: Buffer): boolean {
    const known = this.right.get(slowHash);
    if (!known || !equalDigests(known, fingerprint)) return false;
    this.remember(slowHash, known);
    return true;
  }

  /** A client that starts sends many requests at once, with one secret: one check serves them all. */
  private async checkOnce(
    slowHash: EncodedPassword,
    secret: Secret,
    fingerprint: Buffer,
    turn: Turn,
  ): Promise<boolean> {
    const name = fingerprint.toString('base64');
    const shared = this.underWay.get(name);
    if (shared) return shared;
    const check = this.passwords.verifyApart(slowHash, secret, turn).finally(() => this.underWay.delete(name));
    this.underWay.set(name, check);
    const isRight = await check;
    if (isRight) this.remember(slowHash, fingerprint);
    return isRight;
  }

  private remember(slowHash: EncodedPassword, fingerprint: Buffer): void {
    this.right.delete(slowHash);
    const [oldest] = this.right.keys();
    if (oldest !== undefined && this.right.size >= MAX_REMEMBERED) this.right.delete(oldest);
    this.right.set(slowHash, fingerprint);
  }
}
