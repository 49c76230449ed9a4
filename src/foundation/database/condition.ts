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
 * A filter by what another table holds. That is looked up first: only of values that it knows can the planner tell
 * whether they are those of all rows or of none.
 */
export interface LookedUp {
  /** A SELECT of the column `value`, to which the limit is added. */
  readonly select: Condition;
  readonly among: (values: readonly string[]) => Condition;
  /** The condition to use if there are more: then many rows match, and those in order are tried. */
  readonly otherwise: Condition;
}

export const MOST_LOOKED_UP = 1_000;

/** The condition that a column is one of the values that another table has. */
export function isAmong(column: string, select: Condition): LookedUp {
  return {
    select,
    among: (values) => isOneOf(column, values),
    otherwise: (bind) => `${column} IN (${select(bind)})`,
  };
}

/** A filter of a list. */
export type ListFilter = Condition | LookedUp;

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

/** How a moment is compared. Moments are kept to the microsecond and told to the millisecond. */
export type MomentMatch = 'equal' | 'before' | 'before_or_equal' | 'after' | 'after_or_equal';

/** Compares a column of times to the millisecond, by the index of the column. */
export function momentMatches(column: string, how: MomentMatch, at: Date): Condition {
  const next = new Date(at.getTime() + 1);
  switch (how) {
    case 'before':
      return (bind) => `${column} < ${bind(at)}`;
    case 'before_or_equal':
      return (bind) => `${column} < ${bind(next)}`;
    case 'after':
      return (bind) => `${column} >= ${bind(next)}`;
    case 'after_or_equal':
      return (bind) => `${column} >= ${bind(at)}`;
    case 'equal':
      return (bind) => `${column} >= ${bind(at)} AND ${column} < ${bind(next)}`;
  }
}

export function isOneOf(column: string, values: readonly string[]): Condition {
  return (bind) => `${column} = ANY (${bind(values)})`;
}

/** A column of texts that can be searched. */
export interface SearchedText {
  readonly column: string;
  /** The column in lower case, as it is indexed. */
  readonly folded: string;
  /**
   * Converts a text for comparison with `folded`: by us if the column holds normalized texts, otherwise by the
   * database.
   */
  readonly fold?: (text: string) => string;
  /** Converts texts to the form that the column holds, if that is not the form in which they are typed. */
  readonly spell?: (text: string) => string;
}

/** Searches `(lower(name) COLLATE "C")`, which the indexes for equality, prefixes and trigrams all contain. */
export function searched(column: string): SearchedText {
  return { column, folded: `(lower(${column}) COLLATE "C")` };
}

/** Uses the index in either case: a case-sensitive comparison filters what the case-insensitive one has found. */
export function textMatches(
  { column, folded, fold, spell = (text) => text }: SearchedText,
  how: TextMatch,
  typed: string,
): Condition {
  const compare = how.startsWith('equals') ? '=' : 'LIKE';
  const text = spell(typed);
  const asCompared = (one: string): string => (how.startsWith('equals') ? one : toPattern(how, one));
  const side = (bind: Bind): string => (fold ? bind(asCompared(fold(text))) : `lower(${bind(asCompared(text))})`);
  return allOf([
    (bind) => `${folded} ${compare} ${side(bind)}`,
    // A CASE, whose selectivity the planner does not estimate; it would otherwise take the same condition for two
    // independent ones.
    ...(how.endsWith('_ignore_case')
      ? []
      : [(bind: Bind) => `CASE WHEN ${column} ${compare} ${bind(asCompared(text))} THEN true END`]),
  ]);
}

/** A pattern for LIKE, in which the text stands for itself. */
function toPattern(how: TextMatch, text: string): string {
  const start = how.startsWith('starts') ? '' : '%';
  const end = how.startsWith('ends') ? '' : '%';
  return start + text.replace(/[\\%_]/g, '\\$&') + end;
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
