import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { DescService, FileRegistry } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createConnectRouter,
  createContextValues,
  type ServiceImpl,
} from '@connectrpc/connect';
import type { UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol';
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Request as ExpressRequest } from 'express';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { Readiness } from '../../../foundation/health/readiness.js';
import { Http2Request } from '../../../foundation/http/http2-messages.js';
import { addressOf, closeIfUnread } from '../../../foundation/http/request.js';
import { Logger } from '../../../foundation/log/logger.js';
import type { Actor } from '../../../user/permission/actor.js';
import { ErrorStatus, type StatusFields } from './error-status.js';
import { GOOGLE_FILES, STANDARD_SERVICES } from './google-files.js';
import { deadlinePassed, messageTooLarge, timeoutUnreadable } from './grpc.errors.js';
import { collectOperations, type KnownOperation } from './known-operation.js';
import { MAX_MESSAGE_BYTES, readFrame } from './message-frame.js';
import { CALLER, OperationCalls, type UnaryCall } from './operation-calls.js';
import { describeProtos } from './proto-descriptors.js';
import { rpcName, serviceName, serviceProtos, servicesOf } from './service-protos.js';
import { serveHealth, serveReflection } from './standard-services.js';

export type NodeServerRequest = IncomingMessage | Http2ServerRequest;
export type NodeServerResponse = ServerResponse | Http2ServerResponse;

/** Protobuf only; the text variant of gRPC-web and JSON messages are not supported. */
const CONTENT_TYPE = /^application\/grpc(-web)?(\+proto)?\s*(;|$)/i;
const GRPC_WEB = /^application\/grpc-web/i;
/** The limit for callers without a token, such as the requests of reflection and health, which are short. */
const MAX_QUESTION_BYTES = 4_096;
/** Several times as many as the largest request needs; decoding them takes some hundredths of a second. */
const MAX_FIELDS = 10_000;
/** The limit for documents of a migration, which consist of many small entries. */
const MAX_DOCUMENT_FIELDS = 200_000;
/** No call takes longer; a larger value is a mistake of the client. */
const MAX_TIMEOUT_MS = 3_600_000;
const UNIT_MS = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The operations of the administrative API as gRPC and gRPC-web, from the same declarations and methods as in JSON. */
@Injectable()
export class GrpcServer {
  private handlers: ReadonlyMap<string, UniversalHandler> = new Map();
  /** The operations by path; the standard services are not among them. */
  private readonly operations = new Map<string, KnownOperation>();
  /** The JSON route that accepts the same request in any length, by the path of the operation. */
  private readonly longRoutes = new Map<string, string>();
  private registry: FileRegistry | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly calls: OperationCalls,
    private readonly errors: ErrorStatus,
    private readonly readiness: Readiness,
    private readonly issuer: IssuerConfig,
    private readonly log: Logger,
  ) {}

  /**
   * Called once all controllers exist.
   * @param services the names of all services
   */
  open(services: readonly string[]): void {
    const { urnWord } = this.issuer;
    const operations = collectOperations(this.modules);
    const registry = describeProtos([...GOOGLE_FILES, ...STANDARD_SERVICES, ...serviceProtos(operations, urnWord)]);
    this.registry = registry;
    const router = createConnectRouter({
      connect: false,
      acceptCompression: [compressionGzip],
      readMaxBytes: MAX_MESSAGE_BYTES,
      maxTimeoutMs: MAX_TIMEOUT_MS,
    });
    for (const { area, owner } of servicesOf(operations))
      this.serve(
        router,
        registry,
        serviceName({ area, owner }, urnWord),
        operations.filter((one) => one.area === area && one.owner === owner),
      );
    serveHealth(router, registry, this.readiness, services);
    const standard = createConnectRouter({
      connect: false,
      acceptCompression: [compressionGzip],
      readMaxBytes: MAX_QUESTION_BYTES,
      maxTimeoutMs: MAX_TIMEOUT_MS,
    });
    serveReflection(standard, registry, services);
    this.handlers = new Map(
      [...router.handlers, ...standard.handlers].map((handler) => [handler.requestPath, handler]),
    );
  }

  private serve(
    router: ConnectRouter,
    registry: FileRegistry,
    name: string,
    operations: readonly KnownOperation[],
  ): void {
    const service = registry.getService(name)!;
    const byName = new Map(service.methods.map((method) => [method.name, method]));
    const implementation: Record<string, UnaryCall> = {};
    for (const operation of operations) {
      if (operation.facts.binds !== undefined) continue;
      const method = byName.get(rpcName(operation, this.issuer.urnWord))!;
      this.operations.set(`/${name}/${method.name}`, operation);
      if (operation.facts.streams === 'both')
        this.longRoutes.set(`/${name}/${method.name}`, `${operation.httpMethod} ${operation.path}`);
      implementation[method.localName] = this.calls.of(operation, method.input, method.output, registry);
    }
    router.service(service, implementation as unknown as Partial<ServiceImpl<DescService>>);
  }

  /** Whether it is the path of an operation, one of a limited number. */
  knows(path: string): boolean {
    return this.handlers.has(path);
  }

  /** Answers one call. Never throws: if there is no way to answer, the stream is closed. */
  async answer(request: NodeServerRequest, response: NodeServerResponse): Promise<void> {
    try {
      await this.answerCall(request, response);
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Aborted && ConnectError.from(error).code !== Code.Canceled)
        this.log.debug({ err: error, path: request.url }, 'a call ended early');
      destroy(response);
    }
  }

  private async answerCall(request: NodeServerRequest, response: NodeServerResponse): Promise<void> {
    const type = request.headers['content-type'] ?? '';
    if (!CONTENT_TYPE.test(type)) return void (response as ServerResponse).writeHead(415).end();
    // gRPC status travels in trailers, which most HTTP/1.1 proxies drop: downgraded calls get 505 (RFC 9110 §15.6.6).
    if (!(request instanceof Http2Request) && !GRPC_WEB.test(type))
      return void (response as ServerResponse).writeHead(505).end();
    const handler = this.handlers.get((request.url ?? '').split('?', 1)[0]!);
    if (!handler) return refuse(request, response, statusOf(Code.Unimplemented, 'The operation does not exist.'));
    if (!hasReadableAuthority(request))
      return refuse(request, response, statusOf(Code.InvalidArgument, 'The :authority of the request is malformed.'));
    const deadline = deadlineOf(request);
    if (deadline === 'unreadable') return this.refuseAs(request, response, timeoutUnreadable(MAX_TIMEOUT_MS / 1_000));
    const headers = headersOf(request.rawHeaders);
    const operation = this.operations.get(handler.requestPath);
    let actor: Actor | undefined;
    try {
      actor = operation && (await within(this.calls.authenticate(operation, headers), deadline));
    } catch (error) {
      return this.refuseAs(request, response, error);
    }
    const caller = { headers, address: addressOf(request as ExpressRequest), actor };
    const universal = universalRequestFromNodeRequest(
      request,
      response,
      undefined,
      createContextValues().set(CALLER, caller),
    );
    if (handler.method.methodKind !== 'bidi_streaming') {
      const maxBytes = actor ? MAX_MESSAGE_BYTES : MAX_QUESTION_BYTES;
      const maxFields = operation?.facts.streams === 'both' ? MAX_DOCUMENT_FIELDS : MAX_FIELDS;
      const waitMs = Math.max(0, deadline - performance.now());
      const frame = await readFrame(request, handler.method.input, { maxBytes, maxFields, waitMs });
      if (frame instanceof DomainError)
        return this.refuseAs(request, response, this.withRoute(frame, handler.requestPath));
      if (frame.isUnpacked) universal.header.delete('grpc-encoding');
      universal.body = once(frame.bytes);
      // The library counts from the arrival of the message, the caller from the moment it was sent.
      if (Number.isFinite(deadline))
        universal.header.set('grpc-timeout', `${Math.max(0, Math.ceil(deadline - performance.now()))}m`);
    }
    await universalResponseToNodeResponse(withReadableMessage(await handler(universal)), response);
  }

  private withRoute(refusal: DomainError, path: string): DomainError {
    const route = this.longRoutes.get(path);
    const isTooLarge = refusal.reason === messageTooLarge(MAX_MESSAGE_BYTES).reason;
    return isTooLarge && route !== undefined ? messageTooLarge(MAX_MESSAGE_BYTES, route) : refusal;
  }

  private refuseAs(request: NodeServerRequest, response: NodeServerResponse, refusal: unknown): void {
    const path = (request.url ?? '').split('?', 1)[0]!;
    refuse(
      request,
      response,
      this.errors.toFields(refusal, this.registry!, { path, address: addressOf(request as ExpressRequest) }),
    );
  }
}

async function* once(body: Buffer): AsyncIterable<Uint8Array> {
  yield body;
}

function statusOf(code: Code, message: string): StatusFields {
  return { 'grpc-status': String(code), 'grpc-message': message };
}

/** A status without a message, in the form of the protocol of the request: a proxy may send gRPC-web over HTTP/2. */
function refuse(request: NodeServerRequest, response: NodeServerResponse, fields: StatusFields): void {
  const status = { ...fields, 'grpc-message': encodeMessage(fields['grpc-message']) };
  closeIfUnread(request, response);
  if ('stream' in response && !GRPC_WEB.test(request.headers['content-type'] ?? '')) {
    response.writeHead(200, { 'content-type': 'application/grpc' });
    response.addTrailers(status);
  } else {
    (response as ServerResponse).writeHead(200, { 'content-type': 'application/grpc-web+proto', ...status });
  }
  response.end();
}

/** gRPC over HTTP/2, "Status-Message": only what must be escaped is, since some clients do not unescape the rest. */
function encodeMessage(message: string): string {
  return message.replace(/[^ -$&-~]+/gu, (some) => encodeURIComponent(some.toWellFormed()));
}

/**
 * The library escapes punctuation as well. In gRPC-web the trailers are part of the body, where every client unescapes
 * it.
 */
function withReadableMessage(answer: UniversalServerResponse): UniversalServerResponse {
  const { body, trailer } = answer;
  if (!body || !trailer) return answer;
  return {
    ...answer,
    trailer,
    body: endingWith(body, () => {
      const message = trailer.get('grpc-message');
      if (message !== null) trailer.set('grpc-message', encodeMessage(decodeURIComponent(message)));
    }),
  };
}

async function* endingWith(body: AsyncIterable<Uint8Array>, atEnd: () => void): AsyncIterable<Uint8Array> {
  yield* body;
  atEnd();
}

/** RFC 9113 §5.4.2: an HTTP/2 connection carries other calls, so only the stream of this one is closed. */
function destroy(response: NodeServerResponse): void {
  if ('stream' in response) response.stream?.destroy();
  else response.destroy();
}

/** @throws DomainError DeadlineExceeded if the work takes longer; it runs to its end */
async function within<Result>(work: Promise<Result>, deadline: number): Promise<Result> {
  if (!Number.isFinite(deadline)) return work;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(deadlinePassed()), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}

/** Every value of each header, also where the library keeps only the first. */
function headersOf(raw: readonly string[]): NodeJS.Dict<string[]> {
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (let index = 0; index + 1 < raw.length; index += 2)
    (headers[raw[index]!.toLowerCase()] ??= []).push(raw[index + 1]!);
  return headers;
}

function hasReadableAuthority(request: NodeServerRequest): boolean {
  const authority = 'authority' in request ? request.authority : request.headers.host;
  return authority !== undefined && URL.canParse(request.url ?? '', `http://${authority}`);
}

/**
 * When the caller stops waiting, by the monotonic clock. gRPC over HTTP/2, "Timeout": up to eight digits and a unit.
 */
function deadlineOf({ headers }: NodeServerRequest): number | 'unreadable' {
  const timeout = headers['grpc-timeout'];
  if (timeout === undefined) return Infinity;
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(String(timeout)) ?? [];
  const ms = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return ms <= MAX_TIMEOUT_MS ? performance.now() + ms : 'unreadable';
}
