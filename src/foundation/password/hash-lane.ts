import { DomainError } from '../error/domain-error.js';
import { FairQueue } from './fair-queue.js';

/**
 * Whose check is waiting: first the network of the request, or the organization of the manager who makes it; then the
 * user name. Networks take turns, and so do the names within a network.
 */
export interface Turn {
  readonly from: string;
  readonly name: string;
}

const MAX_WAITING = 500;
/** Refusals are spread out: all at once would be a burst that affects others. */
const MAX_WAIT_MS = { from: 5_000, to: 8_000 };
/** Including the wait. A request ends after 30 s, and has other work to do besides. */
const MAX_TOTAL_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  begin(): void;
  refuse(): void;
}

/**
 * Runs a limited number of checks at once; the others wait, for a bounded time. Networks take turns, and so do the
 * names within a network, so many checks of one name delay only one another. If too many are waiting, the newest check
 * of the network and name with the most waiting checks is refused.
 */
export class HashLane {
  private running = 0;
  private readonly queue: FairQueue<Waiting>;

  /** `maxOfTurn`: how many checks may wait for one network and name. */
  constructor(
    private readonly places: number,
    maxOfTurn = MAX_WAITING,
  ) {
    this.queue = new FairQueue(maxOfTurn);
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** @throws DomainError ResourceExhausted `password.busy` if it waits or runs too long, or too many are waiting */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const enteredAtMs = performance.now();
    await this.enter(turn);
    // The slot is released when the work ends, even if the caller has stopped waiting for the result.
    const result = work().finally(() => this.leave());
    return withDeadline(result, MAX_TOTAL_MS - (performance.now() - enteredAtMs));
  }

  private async enter({ from, name }: Turn): Promise<void> {
    if (this.running < this.places) {
      this.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          reject(passwordBusy());
        },
      };
      const timer = setTimeout(
        () => {
          this.queue.remove([from, name], waiting);
          waiting.refuse();
        },
        MAX_WAIT_MS.from + Math.random() * (MAX_WAIT_MS.to - MAX_WAIT_MS.from),
      );
      if (!this.queue.add([from, name], waiting)) waiting.refuse();
      else if (this.queue.size > MAX_WAITING) this.queue.dropNewest()?.refuse();
    });
  }

  /** Passes the slot on, leaving the count unchanged, or releases it. */
  private leave(): void {
    const next = this.queue.take();
    if (next) next.begin();
    else this.running -= 1;
  }
}

async function withDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(passwordBusy()), Math.max(0, milliseconds));
  });
  return Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}

export function passwordBusy(): DomainError {
  return new DomainError('ResourceExhausted', 'password.busy', 'Too many sign-ins at once. Try again shortly.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
