/** The body of a request, read as it arrives. */
export type BodyStream = AsyncIterable<Uint8Array>;

/** The destination of a streamed response. */
export interface AnswerStream {
  /** How many entries may describe what was left out: a single message has a limit. */
  readonly maxErrors: number;
  /**
   * Sends the pieces of a JSON text. An error before the first piece is an ordinary refusal; after that the connection
   * is closed, as it is if the caller does not read them in time. In each case the iterator is closed.
   */
  send(pieces: AsyncGenerator<string>, limitMs: number): Promise<void>;
  /** Like `send`, for a document (src/migration/document). */
  sendDocument(pieces: AsyncGenerator<string>, limitMs: number): Promise<void>;
  /** The work continues in the background, and the caller can follow it at `location`; `body`: a message as JSON. */
  accept(location: string, body: object): void;
}

/** The request and the response of a streaming operation, for each protocol. */
export interface Exchange {
  /** @throws DomainError InvalidArgument `body.not_json`, `body.encoded`, and while it is read `body.unreadable` */
  readonly body: BodyStream;
  readonly answer: AnswerStream;
  /** RFC 7240 §4.1: whether the caller prefers not to wait. */
  readonly mayLeave: boolean;
}
