import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import type { Transaction } from './transaction.js';

/**
 * A transaction that everything called within takes part in, whether or not it begins transactions of its own: what
 * each call does is seen by the next, and all of it is kept or nothing. Nothing read within is cached, and no question
 * is asked together with those of others, since the others must not see what may still be undone.
 */
export class SharedTransaction {
  /** What was started within and goes on afterwards is no longer a part of it. */
  isOver = false;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly tx: Transaction,
    readonly client: PoolClient,
  ) {}

  /** What has begun must end before the connection is given back. */
  async idle(): Promise<void> {
    await this.last;
  }

  /** Runs what would otherwise have a connection of its own: one after the other, since here there is one. */
  async inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => {
      if (this.isOver) throw new Error('The transaction is over: its connection belongs to others.');
      return ask();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

const current = new AsyncLocalStorage<SharedTransaction | undefined>();

/** The transaction that this call is a part of. */
export function sharedTransaction(): SharedTransaction | undefined {
  const shared = current.getStore();
  return shared?.isOver === true ? undefined : shared;
}

/** Runs `work` so that everything it calls is a part of the transaction. */
export async function sharing<T>(shared: SharedTransaction, work: () => Promise<T>): Promise<T> {
  try {
    return await current.run(shared, work);
  } finally {
    shared.isOver = true;
    await shared.idle();
  }
}
