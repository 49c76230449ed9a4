/**
 * A condition for each row of a set: whether the table has a row that fits, looked up by an index. A plain EXISTS may
 * be turned into a join, or be answered from a hash of all rows; the planner chooses so when its statistics are older
 * than the rows and the table seems to be nearly empty. OFFSET prevents both.
 */
export function isThere(table: string, condition: string): string {
  return `EXISTS (
    SELECT 1
    FROM ${table}
    WHERE ${condition}
    OFFSET 0
  )`;
}
