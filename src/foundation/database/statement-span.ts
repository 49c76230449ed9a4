import { type Attributes, errorType, runningSpan, type Span } from '../trace/span.js';
import { sqlState } from './database-failure.js';

/** A statement within the span that runs; undefined if none does. `name`: empty for SQL without one. */
export function beginStatement(name: string, text: string): Span | undefined {
  const around = runningSpan();
  if (!around?.isSampled) return undefined;
  const summary = name === '' ? summaryOf(text) : name;
  const attributes: Attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  return around.begin(summary, 'client', attributes);
}

export function endFailed(span: Span, error: unknown): void {
  const { code } = sqlState(error);
  if (code !== undefined) span.set('db.response.status_code', code);
  span.fail(code ?? errorType(error));
  span.end();
}

/**
 * The first word and the first table: `SELECT webhook`. SQL with a literal is shown by its first word alone, since what
 * is between quotes may look like a table.
 */
export function summaryOf(text: string): string {
  const [, word = 'SQL'] = /^\s*([a-z]{1,20})\b/i.exec(text) ?? [];
  const [, table] = text.includes("'") ? [] : (/\b(?:FROM|INTO|UPDATE)\s+"?([a-z_]\w{0,62})\b/i.exec(text) ?? []);
  return table === undefined ? word.toUpperCase() : `${word.toUpperCase()} ${table}`;
}
