import { Statement } from '../../src/foundation/database/statement.js';
import type { BulkConnection } from '../../src/migration/part/bulk-connection.js';
import type { Values } from '../../src/migration/part/unprepared-query.js';

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

interface Explained {
  readonly 'QUERY PLAN': ReadonlyArray<{ readonly Plan: PlanNode }>;
}

const PLANNED = /^\s*(?:SELECT|WITH|DECLARE|INSERT|UPDATE|DELETE)\b/;
/**
 * Statements whose rows are needed, so they run as well. EXPLAIN ANALYZE alone does what the others do. A cursor is
 * planned for its first rows, so it is explained as a cursor.
 */
const ANSWERS = /^\s*(?:SELECT|WITH|DECLARE)\b/;

/**
 * Counts, for every statement of the bulk work, the rows that each step of its plan returned or removed. Unlike a
 * duration, this count is the same on every machine; it grows quadratically where a plan compares each row with each.
 */
export function countWork(connection: BulkConnection): Work[] {
  const found: Work[] = [];
  const { tx } = connection;
  const plain = tx.query.bind(tx);
  const counted = async <Row>(statement: Statement<Values, Row>, values: Values = {}): Promise<Row[]> => {
    if (!PLANNED.test(statement.text) || statement.name !== '') return plain(statement, values);
    const answer = ANSWERS.test(statement.text) ? await plain(statement, values) : [];
    const [row] = await plain(explained(statement), values);
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

function explained({ text, parameters }: Statement<Values>): Statement<Values, Explained> {
  return new Statement('', { text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, parameters });
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
