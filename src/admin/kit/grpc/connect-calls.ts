import { fromBinary, type Message, toBinary, toJson } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { parseJsonBody } from '../../../foundation/http/json-body.js';
import { addressOf, closeIfUnread } from '../../../foundation/http/request.js';
import type { Actor } from '../../../user/permission/actor.js';
import { headersOf, MAX_QUESTION_BYTES, MAX_TIMEOUT_MS, maxFieldsOf, within } from './call-limits.js';
import { sendConnectError } from './connect-error.js';
import { ErrorStatus } from './error-status.js';
import { connectTimeoutUnreadable, connectVersionUnknown, deadlinePassed } from './grpc.errors.js';
import { MAX_MESSAGE_BYTES, messageProblem, readMessageBody } from './message-frame.js';
import { type JsonObject, OperationCalls, type ServedOperation, withLongRoute } from './operation-calls.js';

/** How a message is written: the codecs of the protocol. */
type Codec = 'json' | 'proto';

const MEDIA_TYPE: Readonly<Record<Codec, string>> = {
  json: 'application/json; charset=utf-8',
  proto: 'application/proto',
};
const ACCEPTED = ['application/json', 'application/proto', 'application/grpc', 'application/grpc-web'];
const UNARY = /^application\/(json|proto)\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
/** Unary calls, and those of streams. */
const OF_CONNECT = /^application\/(?:connect\+)?(?:json|proto)\s*(?:;|$)/i;
const ENCODINGS: ReadonlySet<string> = new Set(['gzip', 'identity']);

/**
 * Unary calls of the Connect protocol (https://connectrpc.com/docs/protocol): a POST of one message, as JSON or in
 * binary, answered by one message with the status of HTTP. JSON is read by the reader of the administrative API, so
 * that what it refuses is refused here.
 */
@Injectable()
export class ConnectCalls {
  constructor(
    private readonly calls: OperationCalls,
    private readonly errors: ErrorStatus,
  ) {}

  async answer(served: ServedOperation, request: ExpressRequest, response: ExpressResponse): Promise<void> {
    const codec = UNARY.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase() as Codec | undefined;
    if (codec === undefined) return refuseMediaType(request, response);
    if (!ENCODINGS.has(request.headers['content-encoding'] ?? 'identity')) return refuseEncoding(request, response);
    const responseHeader = new Headers();
    let actor: Actor | undefined;
    try {
      if ((request.headers['connect-protocol-version'] ?? '1') !== '1') throw connectVersionUnknown();
      const deadline = deadlineOf(request);
      const headers = headersOf(request.rawHeaders);
      actor = await within(this.calls.authenticate(served.operation, headers), deadline);
      const read = await this.read(served, request, { codec, deadline, isKnown: actor !== undefined });
      const caller = { headers, address: addressOf(request), actor };
      const signal = untilClosed(response, deadline);
      const answer = await this.calls.answer(served, read, { caller, path: request.path, signal, responseHeader });
      for (const [name, value] of responseHeader) response.setHeader(name, value);
      response.setHeader('Content-Type', MEDIA_TYPE[codec]);
      response.status(200).end(codec === 'json' ? jsonOf(served, answer) : toBinary(served.output, answer));
    } catch (error) {
      const call = { path: request.path, address: addressOf(request), userId: actor?.userId };
      const status = error instanceof ConnectError ? error : this.errors.toStatus(error, served.registry, call);
      closeIfUnread(request, response);
      sendConnectError(response, status);
    }
  }

  /**
   * A call of a standard service (health, reflection), whose JSON is that of the library. `handler`: undefined if the
   * path is not that of a procedure.
   */
  async answerStandard(
    handler: UniversalHandler | undefined,
    request: ExpressRequest,
    response: ExpressResponse,
  ): Promise<void> {
    if (!OF_CONNECT.test(request.headers['content-type'] ?? '')) return refuseMediaType(request, response);
    if (!handler || !URL.canParse(request.url, `http://${request.headers.host}`)) {
      closeIfUnread(request, response);
      return sendConnectError(response, new ConnectError('The operation does not exist.', Code.Unimplemented), 404);
    }
    const universal = universalRequestFromNodeRequest(request, response, undefined, undefined);
    await universalResponseToNodeResponse(await handler(universal), response);
  }

  /** @throws DomainError for a body that is too large, and for one that is no message */
  private async read(
    { operation, input, request: message }: ServedOperation,
    request: ExpressRequest,
    { codec, deadline, isKnown }: { readonly codec: Codec; readonly deadline: number; readonly isKnown: boolean },
  ): Promise<() => JsonObject> {
    const maxBytes = isKnown ? MAX_MESSAGE_BYTES : MAX_QUESTION_BYTES;
    const waitMs = Math.max(0, deadline - performance.now());
    const body = await readMessageBody(request, { maxBytes, waitMs });
    if (body instanceof DomainError) throw withLongRoute(body, operation);
    if (codec === 'json') {
      const json = message.renamed(parseJsonBody(body));
      // Anything but an object has no members; the reader refuses it.
      return () => json as JsonObject;
    }
    const problem = messageProblem(input, body, maxFieldsOf(operation));
    if (problem) throw problem;
    return () => message.toJson(fromBinary(input, body));
  }
}

/** The answer to any other Content-Type: HTTP has a status for it, and Connect has no code. */
function refuseMediaType(request: ExpressRequest, response: ExpressResponse): void {
  closeIfUnread(request, response);
  response.setHeader('Accept-Post', ACCEPTED.join(', '));
  response
    .status(415)
    .json({ code: 'unimplemented', message: `The Content-Type must be one of ${ACCEPTED.join(', ')}.` });
}

/** RFC 9110 §15.5.16 */
function refuseEncoding(request: ExpressRequest, response: ExpressResponse): void {
  closeIfUnread(request, response);
  response.setHeader('Accept-Encoding', 'gzip');
  sendConnectError(
    response,
    new ConnectError('The Content-Encoding must be gzip or identity.', Code.Unimplemented),
    415,
  );
}

/**
 * When the caller stops waiting, by the monotonic clock. "Timeout-Milliseconds": up to ten digits.
 * @throws DomainError InvalidArgument
 */
function deadlineOf({ headers }: ExpressRequest): number {
  const timeout = headers['connect-timeout-ms'];
  if (timeout === undefined) return Infinity;
  const ms = /^\d{1,10}$/.test(String(timeout)) ? Number(timeout) : Infinity;
  if (ms > MAX_TIMEOUT_MS) throw connectTimeoutUnreadable(MAX_TIMEOUT_MS);
  return performance.now() + ms;
}

/** Aborts when the caller disconnects, and at the deadline. */
function untilClosed(response: ExpressResponse, deadline: number): AbortSignal {
  const controller = new AbortController();
  const timer = Number.isFinite(deadline)
    ? setTimeout(() => controller.abort(deadlinePassed()), Math.max(0, deadline - performance.now()))
    : undefined;
  response.once('close', () => {
    clearTimeout(timer);
    controller.abort();
  });
  return controller.signal;
}

function jsonOf({ output, registry }: ServedOperation, answer: Message): string {
  return JSON.stringify(toJson(output, answer, { registry }));
}
