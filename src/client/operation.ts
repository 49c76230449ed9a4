import type { CallOptions, Gatehouse } from './call.js';
import { ConnectionError } from './error.js';
import type { AnyOperation, Traits } from './known-operation.js';

/** The rest of the arguments: what an operation takes may be left out if nothing in it must be sent. @public */
export type Arguments<I> = object extends I
  ? [input?: I | undefined, options?: CallOptions]
  : [input: I, options?: CallOptions];

/**
 * An operation of the API, as a function.
 * @throws GatehouseError if the service refuses the call; ConnectionError if no answer of it comes; the reason of the
 * signal that was aborted
 * @public
 */
export interface Operation<I, O, R extends string = string> extends AnyOperation {
  (gatehouse: Gatehouse, ...rest: Arguments<I>): Promise<O>;
  /** For the compiler alone: what it takes, answers, and refuses. */
  readonly types?: readonly [input: I, output: O, reason: R];
}

/** An operation that answers a page of a list: `each` goes through all of it. @public */
export interface ListOperation<I, O, R extends string, Items extends string> extends Operation<I, O, R> {
  readonly traits: Traits & { readonly items: Items };
}

/**
 * An operation by its method and path: those of the API are exported by name; this is for routes of extensions. Members
 * of the input that the path names go there, others into the query of a GET or DELETE, or else into the body.
 * @public
 */
export function operation<I, O, R extends string = string>(
  method: string,
  path: string,
  traits: Traits = {},
): Operation<I, O, R> {
  const facts = { method, path, traits };
  const call = (gatehouse: Gatehouse, input: object = {}, options: CallOptions = {}): Promise<unknown> =>
    gatehouse.send(self, input, options, (answer) => contentOf(self, gatehouse.url, answer));
  const self = Object.assign(call, facts);
  return self as unknown as Operation<I, O, R>;
}

/** An operation whose answers are pages of a list. @public */
export function list<I, O, R extends string, Items extends string>(
  method: string,
  path: string,
  traits: Traits & { readonly items: Items },
): ListOperation<I, O, R, Items> {
  return operation<I, O, R>(method, path, traits) as ListOperation<I, O, R, Items>;
}

/**
 * Calls an operation for the response itself, whose body is not yet read: for what is larger than memory. Its timeout
 * ends with the head of the response.
 * @throws as the operation does
 * @public
 */
export function raw<I, O, R extends string>(
  gatehouse: Gatehouse,
  called: Operation<I, O, R>,
  ...[input, options]: Arguments<I>
): Promise<Response> {
  return gatehouse.send(called, input ?? {}, options ?? {}, (answer) => Promise.resolve(answer));
}

async function contentOf(called: AnyOperation, url: string, answer: Response): Promise<unknown> {
  if (called.traits.answers === 'page') return answer;
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('image/')) return answer.blob();
  const text = await answer.text();
  if (text === '') return undefined;
  if (!type.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('not_gatehouse', 'The answer is not the JSON that it should be.', {
      url,
      operation: called,
      status: answer.status,
      cause,
    });
  }
}
