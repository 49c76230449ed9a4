import { create, type DescMessage, type FileRegistry, type Message, toBinary } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../../foundation/error/domain-error.js';
import { readAccessToken } from '../../../foundation/http/access-token-header.js';
import type { Actor } from '../../../user/permission/actor.js';
import { ExtCalls } from '../ext-calls.js';
import { boundTokenInGrpc, orgHeaderRepeated, tokenMalformed, tokenMissing } from '../guard/admin-guard.errors.js';
import { Authenticator } from '../guard/authenticator.js';
import { demandOf } from '../guard/demand.js';
import { prefersAsync } from '../wire/prefer.js';
import { readMessage } from '../wire/read-message.js';
import { ErrorStatus } from './error-status.js';
import { answerTooLarge, messageTooLarge } from './grpc.errors.js';
import type { KnownOperation } from './known-operation.js';
import { MessageExchange } from './message-exchange.js';
import { MAX_MESSAGE_BYTES } from './message-frame.js';
import { WireMessage } from './wire-message.js';

/** The default limit of gRPC clients. */
const MAX_ANSWER_BYTES = 4_194_304;

/** The facts about a call besides its message. */
export interface Caller {
  /** All values of each header, so that two conflicting credentials are refused instead of one being chosen. */
  readonly headers: NodeJS.Dict<string[]>;
  readonly address: string;
  /** Undefined where an operation is open to everybody. */
  readonly actor?: Actor | undefined;
}

/** A message as JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const CALLER = createContextKey<Caller>({ headers: {}, address: 'unknown' });

export type UnaryCall = (received: Message, context: HandlerContext) => Promise<Message>;

/** An operation and its messages. */
export interface ServedOperation {
  readonly operation: KnownOperation;
  readonly input: DescMessage;
  readonly output: DescMessage;
  readonly registry: FileRegistry;
  readonly request: WireMessage;
  readonly answer: WireMessage;
}

export function servedOperation(
  operation: KnownOperation,
  input: DescMessage,
  output: DescMessage,
  registry: FileRegistry,
): ServedOperation {
  const request = new WireMessage(operation.facts.request, input);
  const answer = new WireMessage(operation.facts.returns, output);
  return { operation, input, output, registry, request, answer };
}

/** What a call brings besides its message, and where its answer may put headers. */
export interface Call {
  readonly caller: Caller;
  readonly path: string;
  readonly signal: AbortSignal;
  readonly responseHeader: Headers;
}

/** Answers a call of each operation: the same steps, in the same order, as for a JSON request. */
@Injectable()
export class OperationCalls {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly errors: ErrorStatus,
    private readonly extCalls: ExtCalls,
  ) {}

  /** The handler of gRPC and gRPC-web. */
  of(served: ServedOperation): UnaryCall {
    return (received, { values, url, signal, responseHeader }) =>
      this.answer(served, () => served.request.toJson(received), {
        caller: values.get(CALLER),
        path: new URL(url).pathname,
        signal,
        responseHeader,
      });
  }

  /**
   * @param read the message of the request as JSON, by the names of its declaration
   * @throws ConnectError
   */
  async answer(served: ServedOperation, read: () => JsonObject, call: Call): Promise<Message> {
    const { address, actor } = call.caller;
    try {
      return await Promise.race([this.perform(served, read, call), abortOf(call.signal)]);
    } catch (error) {
      throw this.errors.toStatus(error, served.registry, { path: call.path, address, userId: actor?.userId });
    }
  }

  private async perform(served: ServedOperation, read: () => JsonObject, call: Call): Promise<Message> {
    const { operation, output, answer } = served;
    const { access, facts } = operation;
    const json = read();
    await this.authorize(operation, call.caller.actor, json);
    const message = facts.request && facts.streams !== 'both' ? readMessage(facts.request, json) : undefined;
    call.signal.throwIfAborted(); // no work for a caller that has disconnected
    const asked = [...(access?.kind === 'permission' ? [call.caller.actor] : []), ...(message ? [message] : [])];
    if (facts.streams !== undefined)
      return withinLimit(output, await this.exchange(served, asked, json, call), operation);
    const answered = await this.run(operation, async () =>
      create(output, answer.toWire((await operation.call!(...asked)) as object)),
    );
    if (facts.deprecated) call.responseHeader.set('deprecation', `@${Math.floor(facts.deprecated.getTime() / 1_000)}`);
    return withinLimit(output, answered, operation);
  }

  /** Runs a call; one of an extension's operation is limited, and its failures name the extension. */
  private async run<T>({ owner, facts }: KnownOperation, work: () => Promise<T>): Promise<T> {
    return owner === undefined ? work() : this.extCalls.run({ owner, operation: facts.id }, work);
  }

  /** An operation that streams in JSON, with one message each way. */
  private async exchange(
    { operation, output, registry }: ServedOperation,
    asked: readonly unknown[],
    json: JsonObject,
    { caller, signal, responseHeader }: Call,
  ): Promise<Message> {
    const tooLarge = (): Error => answerTooLarge(MAX_ANSWER_BYTES, `${operation.httpMethod} ${operation.path}`);
    const exchange = new MessageExchange(
      json,
      output,
      prefersAsync(caller.headers['prefer'] ?? []),
      { signal, responseHeader },
      registry,
      MAX_ANSWER_BYTES,
      tooLarge,
    );
    await operation.call!(...asked, exchange);
    return exchange.answered;
  }

  /**
   * The caller of an operation, by its metadata alone: decoding a message costs far more than a stranger should be able
   * to cause.
   * @throws DomainError Unauthenticated, ResourceExhausted
   */
  async authenticate({ access }: KnownOperation, headers: NodeJS.Dict<string[]>): Promise<Actor | undefined> {
    if (access?.kind !== 'permission') return undefined;
    const sent = readAccessToken({ headersDistinct: headers });
    if (sent === 'missing') throw tokenMissing();
    if (sent === 'malformed') throw tokenMalformed();
    // A call has no URL of which a proof could speak, and no certificate: bound tokens are for HTTP.
    if (sent.scheme !== 'Bearer') throw boundTokenInGrpc();
    const orgs = headers[this.authenticator.orgHeader] ?? [];
    if (orgs.length > 1) throw orgHeaderRepeated(this.authenticator.orgHeader);
    return this.authenticator.authenticate(
      { token: sent.token, proof: undefined, certificate: undefined },
      orgs[0] === '' ? undefined : orgs[0],
    );
  }

  /** @throws DomainError Unauthenticated, PermissionDenied, NotFound `org.not_found` */
  private async authorize(
    { access, reach }: KnownOperation,
    actor: Actor | undefined,
    json: JsonObject,
  ): Promise<void> {
    if (access?.kind !== 'permission') return;
    if (!actor) throw tokenMissing();
    await this.authenticator.authorize(actor, demandOf(access.permission, reach, json));
  }
}

/** The refusal of a message that is too large, with the route of JSON that takes any length. */
export function withLongRoute(refusal: DomainError, { facts, httpMethod, path }: KnownOperation): DomainError {
  const isTooLarge = refusal.reason === messageTooLarge(MAX_MESSAGE_BYTES).reason;
  return isTooLarge && facts.streams === 'both' ? messageTooLarge(MAX_MESSAGE_BYTES, `${httpMethod} ${path}`) : refusal;
}

/**
 * Rejects at the deadline, or when the caller disconnects: the operation itself runs to its end, as a whole or not at
 * all.
 */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function withinLimit(descriptor: DescMessage, answer: Message, { httpMethod, path }: KnownOperation): Message {
  if (roughBytes(answer) > MAX_ANSWER_BYTES && toBinary(descriptor, answer).length > MAX_ANSWER_BYTES)
    throw answerTooLarge(MAX_ANSWER_BYTES, `${httpMethod} ${path}`);
  return answer;
}

/** An upper bound of its size on the wire, without encoding it. */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * 3 + 8;
  if (value instanceof Uint8Array) return value.length + 8;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + roughBytes(one), 8);
  if (typeof value !== 'object' || value === null) return 12;
  return Object.values(value).reduce((sum: number, one) => sum + roughBytes(one), 8);
}
