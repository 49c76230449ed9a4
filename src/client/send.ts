import type { Call } from './call.js';
import { ConnectionError, GatehouseError } from './error.js';
import { refusalOf } from './refusal.js';
import { requestOf } from './request.js';
import { tokenOfText } from './token.js';

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const MAX_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 100;

/** Calls until there is an answer, or no point in another attempt. @throws as operations do */
export async function send<T>(call: Call, read: (answer: Response) => Promise<T>): Promise<T> {
  const { attempts = ATTEMPTS, maxWaitMs = MAX_WAIT_MS } = call.retry ?? {};
  let refused: string | undefined;
  for (let attempt = 1, waitedMs = 0; ; attempt += 1) {
    call.signal?.throwIfAborted();
    const token = await tokenOf(call, refused);
    try {
      return await tryOnce(call, token, read);
    } catch (error) {
      // A token that a function has given may have been ended: it is asked for another one, once.
      if (refused === undefined && typeof call.token === 'function' && isUnauthenticated(error) && isRepeatable(call)) {
        refused = token;
        continue;
      }
      const waitMs = attempt < attempts && isRepeatable(call) ? waitAfter(error, attempt, call) : undefined;
      if (waitMs === undefined || waitedMs + waitMs > maxWaitMs) throw error;
      waitedMs += waitMs;
      await pause(waitMs, call.signal);
    }
  }
}

async function tokenOf({ operation, token, signal }: Call, refused: string | undefined): Promise<string | undefined> {
  if (operation.traits.open) return undefined;
  const given = typeof token === 'function' ? await token({ refused, signal }) : token;
  return given === undefined ? undefined : tokenOfText(given);
}

async function tryOnce<T>(call: Call, token: string | undefined, read: (answer: Response) => Promise<T>): Promise<T> {
  const { operation, address: url, signal, timeoutMs = TIMEOUT_MS } = call;
  const { url: target, init } = requestOf(call, token);
  const timeout = new AbortController();
  const timer = timeoutMs > 0 ? setTimeout(() => timeout.abort(), timeoutMs) : undefined;
  try {
    const ask = call.fetch ?? fetch;
    const answer = await ask(target, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    });
    const isDone = answer.ok || (answer.status < 400 && operation.traits.answers === 'page');
    if (!isDone) throw await refusalOf(call, answer);
    return await read(answer);
  } catch (cause) {
    if (cause instanceof GatehouseError || cause instanceof ConnectionError) throw cause;
    signal?.throwIfAborted();
    if (timeout.signal.aborted)
      throw new ConnectionError('timeout', `${url} did not answer within ${timeoutMs} ms.`, { url, operation, cause });
    throw new ConnectionError('unreachable', `No connection to ${url}, or it was lost.`, { url, operation, cause });
  } finally {
    clearTimeout(timer);
  }
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof GatehouseError && error.status === 401;
}

/** A stream has been read. */
function isRepeatable({ body }: Call): boolean {
  return !(body instanceof ReadableStream);
}

/** How long to wait before another attempt; undefined if there should be none. */
function waitAfter(error: unknown, attempt: number, { operation }: Call): number | undefined {
  if (!(error instanceof GatehouseError || error instanceof ConnectionError)) return undefined;
  const reads = operation.method === 'GET' || operation.traits.reads === true;
  if (mayBeDone(error) && !reads) return undefined;
  const isBusy = error.status === 429 || error.status === 503;
  if (isBusy && error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  const isLost = error instanceof ConnectionError && (error.problem === 'unreachable' || (error.status ?? 0) >= 500);
  // Half of it at random, so that those who were refused together do not come back together.
  return reads && (isBusy || isLost) ? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2) : undefined;
}

/** Whether the service itself does not know if the change was made: 503 stands for that, too. */
function mayBeDone(error: GatehouseError | ConnectionError): boolean {
  return error instanceof GatehouseError && error.reason === 'database.outcome_unknown';
}

/** @throws the reason of the signal */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
