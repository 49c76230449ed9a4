import { fromBinary, type DescMessage, type DescService, type FileRegistry } from '@bufbuild/protobuf';
import { Code, ConnectError, createConnectRouter, createContextValues, type ConnectRouter, type ServiceImpl } from '@connectrpc/connect';
import { compressionGzip, universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Readable } from 'node:stream';
import { IssuerConfig } from '../../config/config.js';
import type { DomainError } from '../../error/domain-error.js';
import { Readiness } from '../../health/readiness.js';
import { closeIfUnread } from '../../http/request.js';
import { Logger } from '../../log/logger.js';
import { STATUS } from '../status/status.js';
import { GOOGLE_FILES, STANDARD_SERVICES } from './google-files.js';
import { messageMalformed, messageTooLarge, messageUnfinished } from './grpc.errors.js';
import { AREAS, collectOperations, type KnownOperation } from './known-operation.js';
import { CALLER, OperationCalls, type UnaryCall } from './operation-calls.js';
import { describeProtos } from './proto-descriptors.js';
import { rpcName, serviceName, serviceProtos } from './service-protos.js';
import { serveHealth, serveReflection } from './standard-services.js';

export type NodeServerRequest = IncomingMessage | Http2ServerRequest;
export type NodeServerResponse = ServerResponse | Http2ServerResponse;

/** As large as a body in JSON may be; a compressed message may not be larger once it is unpacked. */
const MAX_MESSAGE_BYTES = 1_048_576;
/** What tells whether a message is compressed, and its length. */
const PREFIX_BYTES = 5;
const COMPRESSED = 1;
/** In protobuf; the text variant of gRPC-web and messages in JSON are not spoken. */
const CONTENT_TYPE = /^application\/grpc(-web)?(\+proto)?\s*(;|$)/i;
/** Questions of reflection are short; they are read as they come. */
const MAX_QUESTION_BYTES = 4_096;
const MESSAGE_SECONDS = 30;
/** No call of ours takes longer; what asks for more has miscounted. */
const MAX_TIMEOUT_MS = 3_600_000;

/** The operations of the administrative API as gRPC and gRPC-web, from the very declarations and methods that JSON has. */
@Injectable()
export class GrpcServer {
  private handlers: ReadonlyMap<string, UniversalHandler> = new Map();

  constructor(
    private readonly modules: ModulesContainer,
    private readonly calls: OperationCalls,
    private readonly readiness: Readiness,
    private readonly issuer: IssuerConfig,
    private readonly log: Logger,
  ) {}

  /** The packages whose paths are ours: `/service.admin.v1.AdminService/…`. */
  get services(): string[] {
    return AREAS.map((area) => serviceName(area, this.issuer.urnWord));
  }

  /** Once every controller is there. */
  open(): void {
    const { urnWord } = this.issuer;
    const operations = collectOperations(this.modules);
    const registry = describeProtos([...GOOGLE_FILES, ...STANDARD_SERVICES, ...serviceProtos(operations, urnWord)]);
    const all = [...this.services, ...STANDARD_SERVICES.flatMap((file) => (file.services ?? []).map(({ name }) => `${file.package}.${name}`))];
    const router = createConnectRouter({
      connect: false, acceptCompression: [compressionGzip], readMaxBytes: MAX_MESSAGE_BYTES, maxTimeoutMs: MAX_TIMEOUT_MS,
    });
    for (const area of AREAS) this.serve(router, registry, serviceName(area, urnWord), operations.filter((one) => one.area === area));
    serveHealth(router, registry, this.readiness, all);
    const standard = createConnectRouter({ connect: false, acceptCompression: [compressionGzip], readMaxBytes: MAX_QUESTION_BYTES, maxTimeoutMs: MAX_TIMEOUT_MS });
    serveReflection(standard, registry, all);
    this.handlers = new Map([...router.handlers, ...standard.handlers].map((handler) => [handler.requestPath, handler]));
  }

  private serve(router: ConnectRouter, registry: FileRegistry, name: string, operations: readonly KnownOperation[]): void {
    const service = registry.getService(name)!;
    const byName = new Map(service.methods.map((method) => [method.name, method]));
    const implementation: Record<string, UnaryCall> = {};
    for (const operation of operations) {
      const method = byName.get(rpcName(operation, this.issuer.urnWord))!;
      implementation[method.localName] = this.calls.of(operation, method.input, method.output, registry);
    }
    router.service(service, implementation as unknown as Partial<ServiceImpl<DescService>>);
  }

  /** Answers one call. Never throws: what cannot be answered ends with its stream. */
  async answer(request: NodeServerRequest, response: NodeServerResponse): Promise<void> {
    try {
      await this.answerCall(request, response);
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Aborted && ConnectError.from(error).code !== Code.Canceled) this.log.debug({ err: error, path: request.url }, 'a call ended early');
      destroy(response);
    }
  }

  private async answerCall(request: NodeServerRequest, response: NodeServerResponse): Promise<void> {
    if (!CONTENT_TYPE.test(request.headers['content-type'] ?? '')) return void (response as ServerResponse).writeHead(415).end();
    const handler = this.handlers.get((request.url ?? '').split('?', 1)[0]!);
    if (!handler) return refuse(request, response, Code.Unimplemented, 'There is no such operation.');
    if (!hasReadableAuthority(request)) return refuse(request, response, Code.InvalidArgument, 'The authority of the request cannot be read.');
    const caller = { headers: headersOf(request.rawHeaders), address: request.socket.remoteAddress ?? 'unknown' };
    const universal = universalRequestFromNodeRequest(request, response, undefined, createContextValues().set(CALLER, caller));
    if (handler.method.methodKind !== 'bidi_streaming') {
      const body = await collect(request);
      if (!Buffer.isBuffer(body)) return refuse(request, response, STATUS[body.kind].code, `${body.message} (${body.reason})`);
      if (!isReadable(handler.method.input, body)) return refuse(request, response, Code.InvalidArgument, 'The message is not one of this operation. (message.malformed)');
      universal.body = once(body);
    }
    await universalResponseToNodeResponse(await handler(universal), response);
  }
}

/**
 * The whole message at once. Read piece by piece, a message sent byte by byte would cost time that grows with the square of its length.
 */
async function collect(request: NodeServerRequest): Promise<Buffer | DomainError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let tooLate = false;
  const timer = setTimeout(() => {
    tooLate = true;
    request.destroy();
  }, MESSAGE_SECONDS * 1_000);
  try {
    for await (const chunk of (request as Readable).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_MESSAGE_BYTES + PREFIX_BYTES || announces(chunks, chunk)) return messageTooLarge(MAX_MESSAGE_BYTES);
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    return body.length > 0 && body[0]! > COMPRESSED ? messageMalformed() : body;
  } catch (error) {
    if (tooLate) return messageUnfinished(MESSAGE_SECONDS);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the first piece says that a message comes that is too large: nobody need wait for it. */
function announces(before: readonly Buffer[], chunk: Buffer): boolean {
  return before.length === 0 && chunk.length >= PREFIX_BYTES && chunk.readUInt32BE(1) > MAX_MESSAGE_BYTES;
}

/** The library takes what it cannot decode for a fault of ours. What is compressed is left to it. */
function isReadable(message: DescMessage, body: Buffer): boolean {
  if (body.length < PREFIX_BYTES || body[0] === COMPRESSED || body.readUInt32BE(1) !== body.length - PREFIX_BYTES) return true;
  try {
    fromBinary(message, body.subarray(PREFIX_BYTES));
    return true;
  } catch {
    return false;
  }
}

async function* once(body: Buffer): AsyncIterable<Uint8Array> {
  yield body;
}

/** A status without an answer, in the form of the protocol that was spoken. */
function refuse(request: NodeServerRequest, response: NodeServerResponse, code: number, message: string): void {
  const status = { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) };
  closeIfUnread(request, response);
  if ('stream' in response) {
    response.writeHead(200, { 'content-type': 'application/grpc' });
    response.addTrailers(status);
  } else {
    response.writeHead(200, { 'Content-Type': 'application/grpc-web+proto', ...status });
  }
  response.end();
}

/** RFC 9113 §5.4.2: an HTTP/2 connection has other calls, only this one's stream ends. */
function destroy(response: NodeServerResponse): void {
  if ('stream' in response) response.stream?.destroy();
  else response.destroy();
}

/** Every value of each header, also where the protocol's own reader keeps the first alone. */
function headersOf(raw: readonly string[]): NodeJS.Dict<string[]> {
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (let index = 0; index + 1 < raw.length; index += 2) (headers[raw[index]!.toLowerCase()] ??= []).push(raw[index + 1]!);
  return headers;
}

function hasReadableAuthority(request: NodeServerRequest): boolean {
  const authority = 'authority' in request ? request.authority : request.headers.host;
  return authority !== undefined && URL.canParse(request.url ?? '', `http://${authority}`);
}
