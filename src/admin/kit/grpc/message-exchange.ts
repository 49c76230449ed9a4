import { setImmediate } from 'node:timers/promises';
import {
  create,
  type DescMessage,
  type FileRegistry,
  fromJson,
  type JsonValue,
  type Message,
} from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { AnswerStream, BodyStream, Exchange } from '../wire/exchange.js';
import { DocumentMessage } from './document-message.js';

/** This many errors always fit into one message, given what a single message can import. */
const MAX_ERRORS = 10_000;
/** How much of a request is read at a time, so that other requests are served meanwhile. */
const SLICE_BYTES = 65_536;

/**
 * Turns streams of HTTP into one message each way: a request into its JSON, and the JSON text of the answer into a
 * message.
 */
export class MessageExchange implements Exchange, AnswerStream {
  readonly answer = this;
  readonly maxErrors = MAX_ERRORS;
  private gathered: Message | undefined;

  /** @param tooLarge creates the error for an answer of more than `maxBytes` */
  constructor(
    private readonly request: object,
    private readonly output: DescMessage,
    readonly mayLeave: boolean,
    private readonly context: Pick<HandlerContext, 'signal' | 'responseHeader'>,
    private readonly registry: FileRegistry,
    private readonly maxBytes: number,
    private readonly tooLarge: () => Error,
  ) {}

  /** The whole answer as one message. */
  get answered(): Message {
    return this.gathered ?? create(this.output);
  }

  get body(): BodyStream {
    return slicesOf(Buffer.from(JSON.stringify(this.request)));
  }

  async send(pieces: AsyncGenerator<string>): Promise<void> {
    let text = '';
    for await (const piece of this.whileWanted(pieces)) text += piece;
    this.gathered = this.read(JSON.parse(text) as JsonValue);
  }

  async sendDocument(pieces: AsyncGenerator<string>): Promise<void> {
    const document = new DocumentMessage(this.output, this.maxBytes, this.tooLarge);
    for await (const piece of this.whileWanted(pieces)) document.write(piece);
    this.gathered = document.end();
  }

  accept(location: string, body: object): void {
    this.context.responseHeader.set('location', location);
    this.gathered = this.read(JSON.parse(JSON.stringify(body)) as JsonValue);
  }

  private read(json: JsonValue): Message {
    return fromJson(this.output, json, { registry: this.registry });
  }

  /** The loop releases what the pieces hold, whether it ends or is left early. */
  private async *whileWanted(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      this.context.signal.throwIfAborted();
      yield piece;
    }
  }
}

async function* slicesOf(body: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    yield body.subarray(at, at + SLICE_BYTES);
    await setImmediate();
  }
}
