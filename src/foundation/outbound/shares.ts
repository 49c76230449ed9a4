interface Owner {
  running: number;
  /** Each call lets one in. */
  readonly waiting: Set<() => void>;
}

/**
 * Lets each owner have so many of a scarce thing at once; more of the same owner wait in the order in which they came.
 */
export class Shares {
  private readonly owners = new Map<string, Owner>();

  constructor(private readonly size: number) {}

  /** @throws the reason of `signal` if that is aborted before it is this one's turn; what `work` throws */
  async run<Result>(ownerId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const owner = this.owners.get(ownerId) ?? { running: 0, waiting: new Set() };
    this.owners.set(ownerId, owner);
    if (owner.running < this.size) owner.running += 1;
    else await turn(owner, signal);
    try {
      return await work();
    } finally {
      this.leave(ownerId, owner);
    }
  }

  private leave(ownerId: string, owner: Owner): void {
    const [next] = owner.waiting;
    if (next) return next();
    owner.running -= 1;
    if (owner.running === 0) this.owners.delete(ownerId);
  }
}

/** Until the place of another one is handed on. */
async function turn({ waiting }: Owner, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const enter = (): void => {
      waiting.delete(enter);
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      waiting.delete(enter);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.add(enter);
  });
}
