import type { AnyOperation } from './known-operation.js';

/** Why a token is asked for. @public */
export interface TokenRequest {
  /** The token that the service has just refused: another one is tried once. */
  readonly refused?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An access token or personal access token, or what gives one for each call, and remembers it. White space around it
 * does not matter.
 * @public
 */
export type Token = string | ((request: TokenRequest) => string | Promise<string>);

/** What the client needs of `fetch`, which is one. @public */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What `connect` and each call take; a call takes what it does not say itself from the connection. @public */
export interface CallOptions {
  readonly token?: Token | undefined;
  /**
   * The id of the organization that the call is about. Defaults to the caller's own; the second generation ignores it.
   */
  readonly organization?: string | undefined;
  /** Ends the call, and the waiting between its attempts, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** How long each attempt may take, in milliseconds; 0: as long as it takes. Defaults to 60,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How many attempts there are at most, 4 by default, and how long they may wait for one another in total, 30,000 ms
   * by default. The service is asked again when it says so (429, 503), and after a lost connection if the operation
   * changes nothing.
   */
  readonly retry?: { readonly attempts?: number; readonly maxWaitMs?: number } | undefined;
  readonly fetch?: Fetch | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as it is instead of the input that the path does not take, such as a stream; which is sent once. */
  readonly body?: string | Blob | ArrayBuffer | ReadableStream | undefined;
}

/**
 * A service and how to call it: the first argument of every operation. It shows no token when it is printed.
 * @public
 */
export interface Gatehouse {
  readonly url: string;
  /** What operations and `raw` do; not to be called otherwise. */
  send<T>(
    operation: AnyOperation,
    input: object,
    options: CallOptions,
    read: (answer: Response) => Promise<T>,
  ): Promise<T>;
}

/** One call, with what its connection says of all. */
export interface Call extends CallOptions {
  readonly address: string;
  readonly orgHeader: string;
  readonly operation: AnyOperation;
  readonly input: object;
}
