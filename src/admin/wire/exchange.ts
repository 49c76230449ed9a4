/** The body of a request that is read as it comes. */
export type BodyStream = AsyncIterable<Uint8Array>;

/** Where an answer goes that is written as it is made. */
export interface AnswerStream {
  /** So many entries may say what was left out: what stands in one message has its limit. */
  readonly maxErrors: number;
  /**
   * The pieces of a JSON text. What fails before the first of them is an ordinary refusal; later the connection breaks off, as it
   * does when the caller has not taken all of them in time. In any case the pieces are given up then.
   */
  send(pieces: AsyncGenerator<string>, limitMs: number): Promise<void>;
  /** The same, of a text that is a document (src/migration/document). */
  sendDocument(pieces: AsyncGenerator<string>, limitMs: number): Promise<void>;
  /** What was asked for goes on without the caller, who finds out there what becomes of it; `body`: a message as JSON. */
  accept(location: string, body: object): void;
}

/** How an operation that streams is asked and answers, by whatever wire. */
export interface Exchange {
  /** @throws DomainError InvalidArgument `body.not_json`, `body.encoded`, and while it is read `body.unreadable` */
  readonly body: BodyStream;
  readonly answer: AnswerStream;
  /** RFC 7240 §4.1: whether the caller would rather not wait. */
  readonly mayLeave: boolean;
}
