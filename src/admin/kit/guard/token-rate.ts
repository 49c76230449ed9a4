import { Injectable } from '@nestjs/common';
import { AdminConfig } from '../../../foundation/config/config.js';
import { sha256Base64Url } from '../../../foundation/crypto/digest.js';
import { Clock } from '../../../foundation/time/clock.js';
import { tooManyRequests } from './admin-guard.errors.js';

/** For how many seconds' worth of requests a token may save up. */
const BURST_SECONDS = 2;
/** More than the number of tokens in use; beyond it, the least recently used one is forgotten. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  readonly left: number;
  readonly atMs: number;
}

/**
 * Limits the requests per token: a bucket that fills at a constant rate. It is in the memory of each process, so that a
 * refusal needs no database query; the limit is multiplied by the number of replicas. Only valid tokens have a bucket,
 * so callers without one cannot push others out.
 */
@Injectable()
export class TokenRate {
  /** The buckets by digest of the token, the least recently used first. */
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly config: AdminConfig,
    private readonly clock: Clock,
  ) {}

  /** Called before the token is checked. @throws DomainError ResourceExhausted `token.too_many_requests` */
  check(token: string): void {
    this.checkLeft(this.leftOf(sha256Base64Url(token)));
  }

  /** Counts a request with a valid token. @throws DomainError ResourceExhausted `token.too_many_requests` */
  count(token: string): void {
    const key = sha256Base64Url(token);
    const left = this.leftOf(key);
    this.checkLeft(left);
    this.buckets.delete(key);
    this.buckets.set(key, { left: left - 1, atMs: this.clock.elapsedMs() });
    if (this.buckets.size > MAX_BUCKETS) this.buckets.delete(this.buckets.keys().next().value!);
  }

  private leftOf(key: string): number {
    const full = this.config.ratePerSecond * BURST_SECONDS;
    const bucket = this.buckets.get(key);
    if (!bucket) return full;
    return Math.min(full, bucket.left + ((this.clock.elapsedMs() - bucket.atMs) / 1_000) * this.config.ratePerSecond);
  }

  private checkLeft(left: number): void {
    if (left < 1) throw tooManyRequests(this.config.ratePerSecond);
  }
}
