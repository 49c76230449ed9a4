import type { Database, Transaction } from '../../src/foundation/database/database.js';
import type { SqlValue, Statement } from '../../src/foundation/database/statement.js';
import type { World } from './world.js';

type Values = Readonly<Record<string, SqlValue>>;

/**
 * Does something in a transaction that is rolled back, so that no worker of any process sees it.
 * @param work `within`: the database as what runs statements of its own sees it in this transaction
 */
export async function uncommitted(
  world: World,
  work: (tx: Transaction, within: Database) => Promise<void>,
): Promise<void> {
  let isDone = false;
  const doAndLeave = async (tx: Transaction): Promise<never> => {
    const atomically = async (statement: Statement<Values>, values: Values) => tx.query(statement, values);
    await work(tx, { atomically } as unknown as Database);
    isDone = true;
    throw new Error('This transaction is rolled back.');
  };
  await world.transaction(doAndLeave).catch((error: unknown) => {
    if (!isDone) throw error;
  });
}
