/** One wording for every kind of handle, so that one alarm finds them all. */
export const HANDLE_KEPT = 'an extension has used what it was given after its call had ended';

/**
 * Something of the product that an extension has for the time of one call. What it keeps of it is refused afterwards.
 */
export class Loan {
  private hasEnded = false;
  private isReported = false;

  /**
   * @param what in the words of the refusal: `transaction`
   * @param report called at the first use after the end, for the log
   */
  constructor(
    private readonly what: string,
    private readonly report: (error: Error) => void,
  ) {}

  /** @throws Error after the end */
  check(): void {
    if (!this.hasEnded) return;
    const error = new Error(`This ${this.what} has ended.`);
    if (!this.isReported) this.report(error);
    this.isReported = true;
    throw error;
  }

  end(): void {
    this.hasEnded = true;
  }
}
