import pg from 'pg';

/** Sent in the background, whatever else happens: by the connection that announces changes, and by those who look for work. */
const BACKGROUND = /^(?:change\.heartbeat|outbox\.claim|logout_notice\.claim|webhook\.any_active)/;

type Query = (this: pg.Client, ...values: unknown[]) => unknown;

/**
 * The texts of all SQL statements that this process sends to PostgreSQL while `work` runs, transaction control included.
 * Statements of other worlds in this process are among them.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  const texts: string[] = [];
  prototype.query = function count(...values) {
    const text = textOf(values[0]);
    if (!BACKGROUND.test(text)) texts.push(text);
    return original.apply(this, values);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return texts;
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const { name, text } = query as { name?: string; text?: string };
  return name === undefined ? (text ?? '') : `${name}: ${text ?? ''}`;
}
