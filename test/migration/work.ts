import type { SqlValue, Statement } from '../../src/foundation/database/statement.js';
import type { BulkConnection } from '../../src/migration/bulk-connection.js';

/** What PostgreSQL had to look at for one statement. */
export interface Work {
  readonly text: string;
  readonly rows: number;
  /** The step that looked at most of them. */
  readonly busiest: string;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const PLANNED = /^\s*(?:SELECT|WITH|DECLARE|INSERT|UPDATE|DELETE)\b/;
/** Those whose answer is needed; what others do, EXPLAIN ANALYZE has done. A cursor is planned for its first rows, and so is asked about as it is. */
const ANSWERS = /^\s*(?:SELECT|WITH|DECLARE)\b/;

/**
 * Has every statement of the bulk work itself counted: the rows that each step of its plan has handed on or thrown away. Unlike a time, that
 * is the same on every machine, and grows with the square of the rows where a plan compares each with each.
 */
export function countWork(connection: BulkConnection): Work[] {
  const found: Work[] = [];
  const { tx } = connection;
  const plain = tx.query.bind(tx);
  const counted = async <Row>(statement: Statement, values: readonly SqlValue[]): Promise<Row[]> => {
    if (!PLANNED.test(statement.text) || statement.name !== '') return plain<Row>(statement, values);
    const answer = ANSWERS.test(statement.text) ? await plain<Row>(statement, values) : [];
    const [row] = await plain<{ 'QUERY PLAN': ReadonlyArray<{ Plan: PlanNode }> }>(
      { name: '', text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}` },
      values,
    );
    const steps = stepsOf(row!['QUERY PLAN'][0]!.Plan);
    const busiest = steps.reduce((most, step) => (ownRows(step) > ownRows(most) ? step : most));
    found.push({
      text: statement.text,
      rows: steps.reduce((sum, step) => sum + ownRows(step), 0),
      busiest: JSON.stringify({ ...busiest, Plans: undefined }),
    });
    return answer;
  };
  Object.assign(tx, { query: counted });
  return found;
}

function stepsOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(stepsOf)];
}

function ownRows(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}
