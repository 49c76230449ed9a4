import { setProcessNumber } from '../../foundation/crypto/id.js';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';

const NEXT = statement('process.number', "SELECT nextval('process_number')::integer AS number").rows<{
  number: number;
}>();

/**
 * Takes a number that none of the last thousand processes on this database has, for ids that no two of them make. A
 * sequence gives it out once, whatever becomes of the process: nothing has to be given back.
 */
export async function numberThisProcess(database: Database): Promise<void> {
  const [row] = await database.query(NEXT);
  setProcessNumber(row!.number);
}
