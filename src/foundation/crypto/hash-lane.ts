import { DomainError } from '../error/domain-error.js';
import { FairQueue } from './fair-queue.js';

/**
 * Who waits for a check: first the network that asks, or the organization whose manager does, then the name that is asked about.
 * They take turns.
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
 * Lets so many checks run at once and the others wait, for a bounded time. Networks take turns, and within a network the names
 * that it asks about: many checks of one name make nobody wait but themselves. Where too many wait, who has most of them gives way.
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

  /** @throws DomainError ResourceExhausted `password.busy` if it would have to wait too long */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const enteredAtMs = performance.now();
    await this.enter(turn);
    // The slot is released when the work ends, even if nobody waits for the result any more.
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
