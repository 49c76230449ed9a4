import {
  type DescMethodUnary,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf';
import { ConnectError, type Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { ModulesContainer } from '@nestjs/core';
import { GOOGLE_FILES, STANDARD_SERVICES } from '../../admin/kit/grpc/google-files.js';
import { collectOperations, type KnownOperation as ServedOperation } from '../../admin/kit/grpc/known-operation.js';
import { describeProtos } from '../../admin/kit/grpc/proto-descriptors.js';
import { rpcName, serviceName, serviceProtos } from '../../admin/kit/grpc/service-protos.js';
import { fieldsOf } from '../../admin/kit/wire/declared-field.js';
import type { Reply } from './http.js';
import type { KnownOperation } from './operations.js';
import type { World } from './world.js';

/** How a call ended, whichever wire it took. */
export interface Outcome {
  /**
   * `7 permission.missing`, `3 name, domain`: the code of gRPC, and the stable id or the broken fields. `0`: it was
   * served.
   */
  readonly verdict: string;
  /** The answer in the JSON of the .proto file's message; undefined for a refusal. */
  readonly answer?: JsonValue | undefined;
}

/** The operations as clients of gRPC see them: over HTTP/2, by the .proto files of the running service. */
export class GrpcFace {
  private readonly sessions: Http2SessionManager;
  private readonly transport: Transport;
  private readonly served: readonly ServedOperation[];
  private readonly registry: FileRegistry;
  private readonly word: string;

  constructor(world: World) {
    this.sessions = new Http2SessionManager(world.origin);
    this.transport = createGrpcTransport({ baseUrl: world.origin, sessionManager: this.sessions });
    this.word = world.config.issuer.urnWord;
    this.served = collectOperations(world.get(ModulesContainer));
    this.registry = describeProtos([...GOOGLE_FILES, ...STANDARD_SERVICES, ...serviceProtos(this.served, this.word)]);
  }

  /** @param message by the names of the declared fields */
  async call(
    operation: KnownOperation,
    message: Readonly<Record<string, unknown>>,
    metadata: Readonly<Record<string, string>>,
  ): Promise<Outcome> {
    const method = this.methodOf(operation);
    const input = fromJson(method.input, inProtoNames(operation, method, message));
    try {
      const answer = await this.transport.unary(method, undefined, undefined, metadata, input, undefined);
      return { verdict: '0', answer: toJson(method.output, answer.message) };
    } catch (thrown) {
      const error = ConnectError.from(thrown);
      return { verdict: verdictOf(error.code, this.detailOf(error)) };
    }
  }

  /** An answer in JSON, in the words of gRPC. @throws Error for an answer that does not fit the .proto file */
  outcomeOf(operation: KnownOperation, reply: Reply): Outcome {
    const { output } = this.methodOf(operation);
    if (reply.status === 200)
      return { verdict: '0', answer: toJson(output, fromJson(output, reply.json<JsonObject>())) };
    const { code, details = [] } = reply.json<{ code: number; details?: readonly Detail[] }>();
    return { verdict: verdictOf(code, details[0]) };
  }

  /** Ends its connection. */
  close(): void {
    this.sessions.abort();
  }

  private methodOf({ facts }: KnownOperation): DescMethodUnary {
    const served = this.served.find((one) => one.facts === facts)!;
    const service = this.registry.getService(serviceName(served, this.word))!;
    const method = service.methods.find(({ name }) => name === rpcName(served, this.word))!;
    return method as DescMethodUnary;
  }

  private detailOf({ details }: ConnectError): Detail | undefined {
    const [first] = details;
    if (!first || !('type' in first)) return undefined;
    const message = this.registry.getMessage(first.type);
    return message ? (toJson(message, fromBinary(message, first.value)) as Detail) : undefined;
  }
}

interface Detail {
  readonly id?: string;
  readonly fieldViolations?: ReadonlyArray<{ readonly field: string }>;
}

function verdictOf(code: number, { id, fieldViolations }: Detail = {}): string {
  return `${code} ${fieldViolations?.map(({ field }) => field).join(', ') ?? id ?? ''}`.trim();
}

/** A field that stands in the path of JSON may have another name in the .proto file; its number is the same. */
function inProtoNames(
  { facts: { request } }: KnownOperation,
  { input }: DescMethodUnary,
  message: Readonly<Record<string, unknown>>,
): JsonObject {
  const numbers = new Map((request ? fieldsOf(request) : []).map(({ name, number }) => [name, number]));
  const nameOf = (name: string): string =>
    input.fields.find(({ number }) => number === numbers.get(name))?.jsonName ?? name;
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [nameOf(name), value as JsonValue]));
}
