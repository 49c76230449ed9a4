import { Injectable } from '@nestjs/common';
import { type AttemptLimit, AttemptService } from '../../../foundation/attempt/attempt.service.js';
import { networkOf } from '../../../foundation/network/network.js';
import { seconds } from '../../../foundation/time/duration.js';

/** The limits are those of passwords (`session/proof/limits.ts`). */
const WINDOW_SECONDS = 15 * seconds.perMinute;
const FAILURES_PER_VALUE = 10;
const FAILURES_PER_ADDRESS = 100;

/** One token request by a grant of an extension. */
export interface GrantAttempt {
  readonly grantType: string;
  readonly clientId: string;
  readonly address: string;
  /** The value for which something could be guessed, if the request has one. */
  readonly guessedFor: string | undefined;
}

/**
 * Limits guessing by grants of extensions, which cannot count by themselves (record 9): by client and address, and by
 * what is guessed at.
 */
@Injectable()
export class GrantAttempts {
  constructor(private readonly attempts: AttemptService) {}

  /** Counts it as a failure, until `forgive`. @throws DomainError ResourceExhausted `attempt.too_many` */
  async count(attempt: GrantAttempt): Promise<void> {
    await this.attempts.count([...valueLimits(attempt), addressLimit(attempt)]);
  }

  /** Forgets the failures of what was guessed at, since the attempt has succeeded. */
  async succeed(attempt: GrantAttempt): Promise<void> {
    await this.attempts.forgive(valueLimits(attempt), [addressLimit(attempt)]);
  }

  /** Undoes `count`: the extension failed, which says nothing about the caller. */
  async forgive(attempt: GrantAttempt): Promise<void> {
    await this.attempts.forgive([], [...valueLimits(attempt), addressLimit(attempt)]);
  }
}

/**
 * Whichever client asks: many clients must not get more tries. Nor must other ways to write a value that an extension
 * may take for the same one: capitals, spaces around it, and compatible characters (Unicode UAX #15, NFKC).
 */
function valueLimits({ grantType, guessedFor }: GrantAttempt): AttemptLimit[] {
  if (guessedFor === undefined) return [];
  const whom = JSON.stringify([grantType, guessedFor.normalize('NFKC').trim().toLowerCase()]);
  return [{ what: 'grant', whom, failures: FAILURES_PER_VALUE, windowSeconds: WINDOW_SECONDS }];
}

function addressLimit({ grantType, clientId, address }: GrantAttempt): AttemptLimit {
  const whom = JSON.stringify([grantType, clientId, networkOf(address)]);
  return { what: 'grant-address', whom, failures: FAILURES_PER_ADDRESS, windowSeconds: WINDOW_SECONDS, isShared: true };
}
