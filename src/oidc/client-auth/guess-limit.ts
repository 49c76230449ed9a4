import { Injectable } from '@nestjs/common';
import { type AttemptLimit, AttemptService } from '../../foundation/attempt/attempt.service.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { networkOf } from '../../foundation/network/network.js';
import { Clock } from '../../foundation/time/clock.js';
import { secondsAfter } from '../../foundation/time/duration.js';

const MAX_FAILURES = 60;
const WINDOW_SECONDS = 60;
const MAX_REMEMBERED = 10_000;
const MAX_NAME_CHARACTERS = 200;

/**
 * Limits guessing the credentials of one client from one address, or one IPv6 network. Failures are counted in the
 * database. Only that a limit was reached is kept in memory, so that a correct request needs no query.
 */
@Injectable()
export class GuessLimit {
  private readonly closedUntil = new Map<string, Date>();

  constructor(
    private readonly attempts: AttemptService,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError ResourceExhausted while the limit is reached */
  check(clientId: string, address: string): void {
    const key = keyOf(clientId, address);
    const until = this.closedUntil.get(key);
    if (!until) return;
    const now = this.clock.now();
    if (until <= now) {
      this.closedUntil.delete(key);
      return;
    }
    throw new DomainError(
      'ResourceExhausted',
      'client.too_many_attempts',
      'Too many failed attempts. Try again later.',
      {
        retryAfterSeconds: Math.ceil((until.getTime() - now.getTime()) / 1000),
      },
    );
  }

  /** Counts a failure. @throws DomainError ResourceExhausted if it exceeds the limit */
  async countFailure(clientId: string, address: string): Promise<void> {
    const limit: AttemptLimit = {
      what: 'client',
      whom: keyOf(clientId, address),
      failures: MAX_FAILURES,
      windowSeconds: WINDOW_SECONDS,
    };
    try {
      await this.attempts.count([limit]);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'ResourceExhausted') {
        this.remember(keyOf(clientId, address), error.retryAfterSeconds ?? WINDOW_SECONDS);
      }
      throw error;
    }
  }

  private remember(key: string, retryAfterSeconds: number): void {
    if (this.closedUntil.size >= MAX_REMEMBERED) this.closedUntil.clear(); // the database still counts
    this.closedUntil.set(key, secondsAfter(this.clock.now(), retryAfterSeconds));
  }
}

function keyOf(clientId: string, address: string): string {
  return JSON.stringify([clientId.slice(0, MAX_NAME_CHARACTERS), networkOf(address)]);
}
