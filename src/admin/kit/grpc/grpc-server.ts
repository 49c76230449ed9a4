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
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { Readiness } from '../../../foundation/health/readiness.js';
import { Http2Request } from '../../../foundation/http/http2-messages.js';
import { addressOf, closeIfUnread } from '../../../foundation/http/request.js';
import { Logger } from '../../../foundation/log/logger.js';
import type { Actor } from '../../../user/permission/actor.js';
import { headersOf, MAX_QUESTION_BYTES, MAX_TIMEOUT_MS, maxFieldsOf, within } from './call-limits.js';
import { ConnectCalls } from './connect-calls.js';
import { ErrorStatus, type StatusFields } from './error-status.js';
import { GOOGLE_FILES, STANDARD_SERVICES } from './google-files.js';
import { timeoutUnreadable } from './grpc.errors.js';
import { collectOperations, type KnownOperation } from './known-operation.js';
import { MAX_MESSAGE_BYTES, readFrame } from './message-frame.js';
import {
  CALLER,
  OperationCalls,
  type ServedOperation,
  servedOperation,
  type UnaryCall,
  withLongRoute,
} from './operation-calls.js';
import { describeProtos } from './proto-descriptors.js';
import { rpcName, serviceName, serviceProtos, servicesOf } from './service-protos.js';
import { serveHealth, serveReflection } from './standard-services.js';

export type NodeServerRequest = IncomingMessage | Http2ServerRequest;
export type NodeServerResponse = ServerResponse | Http2ServerResponse;

/** In gRPC, protobuf only; the text variant of gRPC-web and its JSON messages are not supported. */
const GRPC = /^application\/grpc(-web)?(\+proto)?\s*(;|$)/i;
const GRPC_WEB = /^application\/grpc-web/i;
const UNIT_MS = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The operations of the administrative API as gRPC and gRPC-web, from the same declarations and methods as in JSON. */
@Injectable()
export class GrpcServer {
  private handlers: ReadonlyMap<string, UniversalHandler> = new Map();
  /** The operations by path; the standard services are not among them. */
  private readonly operations = new Map<string, ServedOperation>();
  private registry: FileRegistry | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly calls: OperationCalls,
    private readonly connect: ConnectCalls,
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
      connect: false, // connect-calls.ts
      acceptCompression: [compressionGzip],
      readMaxBytes: MAX_MESSAGE_BYTES,
      maxTimeoutMs: MAX_TIMEOUT_MS,
    });
    for (const { service, owner } of servicesOf(operations))
      this.serve(
        router,
        registry,
        serviceName({ service, owner }, urnWord),
        operations.filter((one) => one.service === service && one.owner === owner),
      );
    const standard = createConnectRouter({
      acceptCompression: [compressionGzip],
      readMaxBytes: MAX_QUESTION_BYTES,
      maxTimeoutMs: MAX_TIMEOUT_MS,
    });
    serveHealth(standard, registry, this.readiness, services);
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
      const served = servedOperation(operation, method.input, method.output, registry);
      this.operations.set(`/${name}/${method.name}`, served);
      implementation[method.localName] = this.calls.of(served);
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
    const path = (request.url ?? '').split('?', 1)[0]!;
    if (!GRPC.test(type)) return this.answerConnect(path, request, response);
    // gRPC status travels in trailers, which most HTTP/1.1 proxies drop: downgraded calls get 505 (RFC 9110 §15.6.6).
    if (!(request instanceof Http2Request) && !GRPC_WEB.test(type))
      return void (response as ServerResponse).writeHead(505).end();
    const handler = this.handlers.get(path);
    if (!handler) return refuse(request, response, statusOf(Code.Unimplemented, 'The operation does not exist.'));
    if (!hasReadableAuthority(request))
      return refuse(request, response, statusOf(Code.InvalidArgument, 'The :authority of the request is malformed.'));
    const deadline = deadlineOf(request);
    if (deadline === 'unreadable') return this.refuseAs(request, response, timeoutUnreadable(MAX_TIMEOUT_MS / 1_000));
    const headers = headersOf(request.rawHeaders);
    const operation = this.operations.get(path)?.operation;
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
      const maxFields = maxFieldsOf(operation);
      const waitMs = Math.max(0, deadline - performance.now());
      const frame = await readFrame(request, handler.method.input, { maxBytes, maxFields, waitMs });
      if (frame instanceof DomainError)
        return this.refuseAs(request, response, operation ? withLongRoute(frame, operation) : frame);
      if (frame.isUnpacked) universal.header.delete('grpc-encoding');
      universal.body = once(frame.bytes);
      // The library counts from the arrival of the message, the caller from the moment it was sent.
      if (Number.isFinite(deadline))
        universal.header.set('grpc-timeout', `${Math.max(0, Math.ceil(deadline - performance.now()))}m`);
    }
    await universalResponseToNodeResponse(withReadableMessage(await handler(universal)), response);
  }

  /** Connect, and whatever is neither. */
  private answerConnect(path: string, request: NodeServerRequest, response: NodeServerResponse): Promise<void> {
    const [asked, answered] = [request as ExpressRequest, response as ExpressResponse];
    const served = this.operations.get(path);
    if (served) return this.connect.answer(served, asked, answered);
    return this.connect.answerStandard(this.handlers.get(path), asked, answered);
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
