import { Client, type PoolClient } from 'pg';
import { beginStatement, endFailed } from './statement-span.js';

/**
 * How long beyond the time limit of a statement we wait. The server keeps the limit as long as it runs: its own error
 * comes first, and leaves the connection usable.
 */
const GRACE_MS = 1_000;

/** A connection that knows how long a server owes it an answer. */
export class ServiceClient extends Client {
  readonly bornAtMs = performance.now();
  /** Whether it must not return to the pool: its server takes no changes, or it has somebody's settings. */
  isUnfit = false;
  private askedAtMs: number | undefined;
  private statementMs: number | undefined;

  constructor(config: ConstructorParameters<typeof Client>[0]) {
    super(config);
    this.on('drain', () => {
      this.askedAtMs = undefined;
    });
  }

  /** The signatures are those of pg; none of them matters here. */
  override query(...given: never[]): never {
    this.askedAtMs = performance.now();
    const asked = given as unknown as [string];
    // Statements have their spans where they are asked for (transaction.ts). This is the SQL of TypeORM, and the ends
    // of transactions: their answers are promises.
    const span = typeof asked[0] === 'string' ? beginStatement('', asked[0]) : undefined;
    const answer = super.query(...asked) as Promise<unknown> | undefined;
    if (span && answer)
      answer.then(
        () => span.end(),
        (error: unknown) => endFailed(span, error),
      );
    return answer as never;
  }

  /** How long the server lets a statement run from now on, until the connection returns to the pool. */
  allow(statementMs: number): void {
    this.statementMs = statementMs;
  }

  /** Takes back what one user of the connection has allowed, before the next one uses it. */
  forgetAllowance(): void {
    this.statementMs = undefined;
  }

  /** Whether the server has said nothing for longer than it may run a statement. */
  isOverdue(usualMs: number): boolean {
    if (this.askedAtMs === undefined) return false;
    return performance.now() - this.askedAtMs > (this.statementMs ?? usualMs) + GRACE_MS;
  }
}

/** Tells the connection of a pool that its server now lets a statement run so long. */
export function allowStatements(client: PoolClient, ms: number): void {
  if (client instanceof ServiceClient) client.allow(ms);
}

/** The pool closes that connection, once it is released, instead of lending it again. */
export function giveUp(client: PoolClient): void {
  if (client instanceof ServiceClient) client.isUnfit = true;
}
