import { DomainError } from '../error/domain-error.js';

/** Beyond this number all are forgotten: the cost of a flood from many addresses is bounded elsewhere. */
const MOST_REMEMBERED = 10_000;

/** Limits how often requests of one kind come from one place, in the memory of the process. */
export class RequestRate {
  private readonly windows = new Map<string, { readonly endsAt: number; count: number }>();

  constructor(
    private readonly most: number,
    private readonly windowSeconds: number,
  ) {}

  /**
   * Counts a request.
   * @throws DomainError ResourceExhausted `request.too_many` with the seconds until the window ends
   */
  count(from: string, now: Date): void {
    const at = now.getTime();
    const known = this.windows.get(from);
    if (known === undefined || known.endsAt <= at) {
      if (this.windows.size >= MOST_REMEMBERED) this.windows.clear();
      this.windows.set(from, { endsAt: at + this.windowSeconds * 1_000, count: 1 });
      return;
    }
    known.count += 1;
    if (known.count > this.most) {
      throw new DomainError('ResourceExhausted', 'request.too_many', 'Too many requests. Try again later.', {
        retryAfterSeconds: Math.ceil((known.endsAt - at) / 1_000),
      });
    }
  }
}
