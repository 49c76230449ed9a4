import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Secret } from '../config/secret.js';
import { equalDigests, sha256 } from '../crypto/digest.js';
import { type EncodedPassword } from './encoded-password.js';
import type { Turn } from './hash-lane.js';
import { MAX_PASSWORD_CHARACTERS, PasswordHash } from './password-hash.js';
import { slowHashIn } from './stored-secret.js';

/** More than the slow hashes in use; an evicted one costs a check. */
const MAX_REMEMBERED = 10_000;

/**
 * Compares a secret with the stored one of an application or a service user. Most are stored as SHA-256. For the few
 * with a slow hash, which is too expensive for each request to a token endpoint, the process caches the last correct
 * secret as an HMAC with a key that exists only in its memory. The slow hash is part of the cache key, so replacing a
 * secret needs no invalidation. Wrong secrets are never cached: each guess costs the full price.
 */
@Injectable()
export class SecretCheck {
  private readonly key = createSecretKey(randomBytes(32));
  /** The right secrets by slow hash, least recently used first. */
  private readonly right = new Map<EncodedPassword, Buffer>();
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(private readonly passwords: PasswordHash) {}

  /** @throws DomainError ResourceExhausted `password.busy` if it would have to wait too long */
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

  /** A starting client sends many requests at once with one secret: they share one check. */
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
