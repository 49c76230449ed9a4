import { Injectable } from '@nestjs/common';
import { RequestRate } from '../../foundation/attempt/request-rate.js';
import { LoginConfig } from '../../foundation/config/config.js';
import { networkOf } from '../../foundation/network/network.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds } from '../../foundation/time/duration.js';

/** A large office that signs in within a minute is let through. */
export const MOST_TURNS_PER_MINUTE = 1_000;

/**
 * Limits how many turns to providers begin from one network, in each process. Each is kept for an hour or two, and a
 * stranger begins one by opening an address, where a request leads straight to its provider (IDP-035).
 */
@Injectable()
export class TurnRate {
  private readonly rate = new RequestRate(MOST_TURNS_PER_MINUTE, seconds.perMinute);
  private readonly messages = new RequestRate(MOST_TURNS_PER_MINUTE, seconds.perMinute);

  constructor(
    private readonly clock: Clock,
    private readonly config: LoginConfig,
  ) {}

  /** @throws DomainError ResourceExhausted `request.too_many` */
  count(address: string): void {
    if (this.config.limits) this.rate.count(networkOf(address), this.clock.now());
  }

  /**
   * A message of a provider comes from this network, in a browser that is not known.
   * @throws DomainError ResourceExhausted `request.too_many`
   */
  countMessage(address: string): void {
    if (this.config.limits) this.messages.count(networkOf(address), this.clock.now());
  }
}
