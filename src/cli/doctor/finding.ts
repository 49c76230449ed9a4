/** What an examination has found, and what to do about it. */
export interface Finding {
  /** `note`: it works, but not as well as it could. */
  readonly state: 'fine' | 'note' | 'wrong';
  readonly subject: string;
  readonly finding: string;
  /** What to do; absent if there is nothing. */
  readonly remedy?: string;
}
