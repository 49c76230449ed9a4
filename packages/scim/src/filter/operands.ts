import { invalidFilter } from '../error/scim-error.js';
import type { Comparand, Comparison, Filter } from './filter.js';

/** A comparison with a value. */
export type Compared = Extract<Filter, { is: 'compare' }>;

/** How a text is found, as `UserFilter` and `GroupFilter` say it. */
export type TextMatch = 'equal' | 'startsWith' | 'endsWith' | 'contains';

const TEXT_MATCHES: Partial<Record<Comparison, TextMatch>> = {
  eq: 'equal',
  co: 'contains',
  sw: 'startsWith',
  ew: 'endsWith',
};

/** @throws ScimError `invalidFilter` for an order of texts, which no index serves */
export function textMatchOf(operator: Comparison): TextMatch {
  const match = TEXT_MATCHES[operator];
  if (!match) throw invalidFilter('Texts are compared by eq, ne, co, sw and ew.');
  return match;
}

/** The comparison that `ne` denies. */
export function equalityOf(operator: Comparison): Comparison {
  return operator === 'ne' ? 'eq' : operator;
}

/** The text to compare with; null stands for no text (RFC 7643 §2.5). @throws ScimError `invalidFilter` */
export function textOperand(value: Comparand): string {
  if (value === null) return '';
  if (typeof value !== 'string') throw invalidFilter('The attribute is a text.');
  return value;
}

/** @throws ScimError `invalidFilter` */
export function flagOperand(value: Comparand): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  throw invalidFilter('The attribute is true or false.');
}

/** RFC 7643 §2.3.5: xsd:dateTime. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** @throws ScimError `invalidFilter` */
export function momentOperand(value: Comparand): Date {
  const moment = typeof value === 'string' && MOMENT.test(value) ? new Date(value) : undefined;
  if (!moment || Number.isNaN(moment.getTime()))
    throw invalidFilter('The attribute is a moment such as 2026-11-30T08:00:00Z.');
  return moment;
}

/** Whether a text can be that of a row: PostgreSQL stores no NUL, and UTF-8 has no lone surrogates (SCM-001). */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A pattern for LIKE in which the text stands for itself. */
export function patternOf(match: TextMatch, text: string): string {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  const start = match === 'contains' || match === 'endsWith' ? '%' : '';
  const end = match === 'contains' || match === 'startsWith' ? '%' : '';
  return start + literal + end;
}
