import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/** Sent by those who look for work, also when a request wakes them. */
const BACKGROUND = /^(?:change\.heartbeat|outbox\.claim|logout_notice\.claim|webhook\.any_active)/;
/** Published by Node before a request is handled. */
const REQUEST_STARTS = 'http.server.request.start';

type Query = (this: pg.Client, ...values: unknown[]) => unknown;
type Connect = (this: pg.Pool, then?: (...values: unknown[]) => void) => unknown;

/** The counts that the running code belongs to: an HTTP request belongs to those during which it has arrived. */
const counts = new AsyncLocalStorage<ReadonlySet<string[]>>();
const running = new Set<string[]>();

/**
 * The texts of all SQL statements that `work` and the HTTP/1.1 requests that arrive while it runs send to PostgreSQL,
 * transaction control included. What the service does by itself meanwhile, such as removing expired rows, is not among
 * them.
 *
 * Written against pg 8.23: that everything is sent by `Client.query`, and that what waits for a connection is called
 * by whatever returns one.
 * @public
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const pool = pg.Pool.prototype as unknown as { connect: Connect };
  const [original, connect] = [prototype.query, pool.connect];
  const texts: string[] = [];
  prototype.query = function count(...values) {
    const text = textOf(values[0]);
    if (counts.getStore()?.has(texts) === true && !BACKGROUND.test(text)) texts.push(text);
    return original.apply(this, values);
  };
  // Keeps the context: otherwise, what waits for a connection goes on in the name of whatever returns one.
  pool.connect = function bind(then) {
    return connect.call(this, then && AsyncResource.bind(then));
  };
  if (running.size === 0) subscribe(REQUEST_STARTS, enter);
  running.add(texts);
  try {
    await counts.run(new Set(running), work);
  } finally {
    running.delete(texts);
    if (running.size === 0) unsubscribe(REQUEST_STARTS, enter);
    [prototype.query, pool.connect] = [original, connect];
  }
  return texts;
}

/** Counts everything that follows in the handling of the request. */
function enter(): void {
  counts.enterWith(new Set(running));
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const { name, text } = query as { name?: string; text?: string };
  return name === undefined ? (text ?? '') : `${name}: ${text ?? ''}`;
}
