import type { SqlValue } from './statement.js';

/** How a text is compared. */
export type TextMatch =
  | 'equals'
  | 'equals_ignore_case'
  | 'starts_with'
  | 'starts_with_ignore_case'
  | 'contains'
  | 'contains_ignore_case'
  | 'ends_with'
  | 'ends_with_ignore_case';

/** Binds a value and returns its placeholder. */
export type Bind = (value: SqlValue) => string;

/** A part of a WHERE clause. Columns are our own SQL; values are only ever bound. */
export type Condition = (bind: Bind) => string;

/**
 * SQL: a column of texts as an expression, so that the planner can take no index for it. For a filter beside a look-up
 * by name or id: where statistics are older than the rows, the planner expects next to none with the value, and would
 * read all of them each time.
 */
export function withoutIndex(column: string): string {
  return `(${column} || '')`;
}

export function equals(column: string, value: SqlValue): Condition {
  return (bind) => `${column} = ${bind(value)}`;
}

export function isOneOf(column: string, values: readonly string[]): Condition {
  return (bind) => `${column} = ANY (${bind(values)})`;
}

export function textMatches(column: string, how: TextMatch, text: string): Condition {
  const ignoreCase = how.endsWith('_ignore_case');
  const side = ignoreCase ? `lower(${column})` : column;
  if (how === 'equals' || how === 'equals_ignore_case') {
    return (bind) => (ignoreCase ? `${side} = lower(${bind(text)})` : `${side} = ${bind(text)}`);
  }
  const start = how.startsWith('starts') ? '' : '%';
  const end = how.startsWith('ends') ? '' : '%';
  const pattern = start + text.replace(/[\\%_]/g, '\\$&') + end;
  return (bind) => (ignoreCase ? `${side} LIKE lower(${bind(pattern)})` : `${side} LIKE ${bind(pattern)}`);
}

export function allOf(conditions: readonly Condition[]): Condition {
  return (bind) => (conditions.length === 0 ? 'true' : conditions.map((one) => `(${one(bind)})`).join(' AND '));
}

export function anyOf(conditions: readonly Condition[]): Condition {
  return (bind) => (conditions.length === 0 ? 'false' : conditions.map((one) => `(${one(bind)})`).join(' OR '));
}

export function not(condition: Condition): Condition {
  return (bind) => `NOT (${condition(bind)})`;
}
