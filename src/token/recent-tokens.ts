const MOST_TOKENS = 1_000;
/** A longer one would take the place of many others. */
const MOST_CHARACTERS = 2_048;

/**
 * What was read from the tokens that were used most recently. Only for genuine tokens, and only for what can never
 * change: whether a token is still valid is not part of it.
 */
export class RecentTokens<Contents extends object> {
  /** The contents by token, the least recently used first. */
  private readonly contents = new Map<string, Contents>();

  constructor(private readonly mostTokens = MOST_TOKENS) {}

  find(token: string): Contents | undefined {
    const found = this.contents.get(token);
    if (found) {
      this.contents.delete(token);
      this.contents.set(token, found);
    }
    return found;
  }

  keep(token: string, contents: Contents): void {
    if (token.length > MOST_CHARACTERS) return;
    const [oldest] = this.contents.keys();
    if (this.contents.size >= this.mostTokens && oldest !== undefined) this.contents.delete(oldest);
    this.contents.set(token, contents);
  }
}
