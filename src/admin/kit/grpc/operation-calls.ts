import { create, type DescMessage, type FileRegistry, type Message, toBinary } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { Injectable } from '@nestjs/common';
import { readAccessToken } from '../../../foundation/http/access-token-header.js';
import type { Actor } from '../../../user/permission/actor.js';
import { ExtCalls } from '../ext-calls.js';
import { boundTokenInGrpc, orgHeaderRepeated, tokenMalformed, tokenMissing } from '../guard/admin-guard.errors.js';
import { Authenticator } from '../guard/authenticator.js';
import type { Demand } from '../guard/demand.js';
import { prefersAsync } from '../wire/prefer.js';
import { readMessage } from '../wire/read-message.js';
import { ErrorStatus } from './error-status.js';
import { answerTooLarge } from './grpc.errors.js';
import type { KnownOperation } from './known-operation.js';
import { MessageExchange } from './message-exchange.js';
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

export const CALLER = createContextKey<Caller>({ headers: {}, address: 'unknown' });

export type UnaryCall = (received: Message, context: HandlerContext) => Promise<Message>;

interface Streaming {
  readonly json: Readonly<Record<string, unknown>>;
  readonly output: DescMessage;
  readonly registry: FileRegistry;
  readonly context: HandlerContext;
}

/** Creates the handler of each operation: the same steps, in the same order, as for a JSON request. */
@Injectable()
export class OperationCalls {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly errors: ErrorStatus,
    private readonly extCalls: ExtCalls,
  ) {}

  of(operation: KnownOperation, input: DescMessage, output: DescMessage, registry: FileRegistry): UnaryCall {
    const request = new WireMessage(operation.facts.request, input);
    const answer = new WireMessage(operation.facts.returns, output);
    return async (received, context) => {
      const { address, actor } = context.values.get(CALLER);
      const work = async (): Promise<Message> => {
        const json = request.toJson(received);
        await this.authorize(operation, actor, json);
        const {
          facts: { request: requested, streams },
        } = operation;
        const message = requested && streams !== 'both' ? readMessage(requested, json) : undefined;
        context.signal.throwIfAborted(); // no work for a caller that has disconnected
        const asked = [...(operation.access?.kind === 'permission' ? [actor] : []), ...(message ? [message] : [])];
        if (streams !== undefined)
          return withinLimit(
            output,
            await this.exchange(operation, asked, { json, output, registry, context }),
            operation,
          );
        const answered = await this.run(operation, async () =>
          create(output, answer.toWire((await operation.call!(...asked)) as object)),
        );
        if (operation.facts.deprecated)
          context.responseHeader.set('deprecation', `@${Math.floor(operation.facts.deprecated.getTime() / 1_000)}`);
        return withinLimit(output, answered, operation);
      };
      try {
        return await Promise.race([work(), abortOf(context.signal)]);
      } catch (error) {
        throw this.errors.toStatus(error, registry, {
          path: new URL(context.url).pathname,
          address,
          userId: actor?.userId,
        });
      }
    };
  }

  /** Runs a call; one of an extension's operation is limited, and its failures name the extension. */
  private async run<T>({ owner, facts }: KnownOperation, work: () => Promise<T>): Promise<T> {
    return owner === undefined ? work() : this.extCalls.run({ owner, operation: facts.id }, work);
  }

  /** An operation that streams in JSON, with one message each way. */
  private async exchange(
    operation: KnownOperation,
    asked: readonly unknown[],
    { json, output, registry, context }: Streaming,
  ): Promise<Message> {
    const { headers } = context.values.get(CALLER);
    const tooLarge = (): Error => answerTooLarge(MAX_ANSWER_BYTES, `${operation.httpMethod} ${operation.path}`);
    const exchange = new MessageExchange(
      json,
      output,
      prefersAsync(headers['prefer'] ?? []),
      context,
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
    json: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    if (access?.kind !== 'permission') return;
    if (!actor) throw tokenMissing();
    const idIn = (name: string | undefined): string | undefined =>
      name === undefined || json[name] === '' ? undefined : (json[name] as string | undefined);
    await this.authenticator.authorize(actor, {
      permission: access.permission as Demand['permission'],
      projectId: idIn(reach.project),
      grantId: idIn(reach.grant),
      some: reach.some ?? [],
    });
  }
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
