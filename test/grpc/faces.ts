import {
  type DescMethod,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { ModulesContainer } from '@nestjs/core';
import { GOOGLE_FILES, STANDARD_SERVICES } from '../../src/admin/kit/grpc/google-files.js';
import { collectOperations, type KnownOperation } from '../../src/admin/kit/grpc/known-operation.js';
import { describeProtos } from '../../src/admin/kit/grpc/proto-descriptors.js';
import { rpcName, serviceName, serviceProtos } from '../../src/admin/kit/grpc/service-protos.js';
import { fieldsOf } from '../../src/admin/kit/wire/declared-field.js';
import type { DeclaredField } from '../../src/admin/kit/wire/field.js';
import { send } from '../support/http.js';
import type { World } from '../support/world.js';
import { frame, type GrpcClient, type Outcome, postWeb, readMessage, verdict, webTrailers } from './grpc-clients.js';

/** An operation, and its method in the .proto files. */
export type Method = KnownOperation & { readonly rpc: DescMethod };

/** One call in the words of each wire. */
export interface Call {
  readonly rpc: DescMethod;
  readonly http: { readonly method: string; readonly path: string; readonly body?: string | undefined };
  readonly message: JsonObject;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What came of a call: code and stable id or broken fields, the message, and the answer as its .proto writes it. */
export interface Seen {
  readonly verdict: string;
  readonly message: string;
  readonly details?: unknown;
  readonly answer?: JsonValue;
}

/** A way to ask. */
export type Face = (call: Call) => Promise<Seen>;

export function methodsById(world: World): Map<string, Method> {
  const known = collectOperations(world.get(ModulesContainer));
  const registry = describeProtos([...GOOGLE_FILES, ...STANDARD_SERVICES, ...serviceProtos(known, 'service')]);
  const rpcOf = (one: KnownOperation): DescMethod =>
    registry.getService(serviceName(one, 'service'))!.methods.find(({ name }) => name === rpcName(one, 'service'))!;
  return new Map(known.map((one) => [one.facts.id, { ...one, rpc: rpcOf(one) }]));
}

/** A message with the names of the .proto: a field that stands in the path of JSON may have another one there. */
export function inProtoNames({ facts: { request }, rpc }: Method, message: JsonObject): JsonObject {
  const numbers = new Map((request ? fieldsOf(request) : []).map(({ name, number }) => [name, number]));
  const nameOf = (name: string): string =>
    rpc.input.fields.find(({ number }) => number === numbers.get(name))?.jsonName ?? name;
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [nameOf(name), value]));
}

export function overJson(origin: string): Face {
  return async ({ rpc, http: { method, path, body }, metadata }) => {
    const headers = { ...metadata, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
    const reply = await send(origin, { method, path, headers, ...(body === undefined ? {} : { body }) });
    // Through the .proto and back: zeros are left out, and what it does not know would be noticed.
    if (reply.status === 200)
      return {
        verdict: '0',
        message: '',
        answer: toJson(rpc.output, fromJson(rpc.output, reply.json<JsonObject>() as JsonValue)),
      };
    const { code, message, details } = reply.json<{
      code: number;
      message: string;
      details: ReadonlyArray<Record<string, unknown>>;
    }>();
    const { '@type': _, ...said } = details[0] ?? {};
    const { id, fieldViolations } = said as { id?: string; fieldViolations?: ReadonlyArray<{ field: string }> };
    return {
      verdict: verdict({ code, message, id, fields: fieldViolations?.map(({ field }) => field) }),
      message,
      details: details[0] && said,
    };
  };
}

export function overGrpc(client: GrpcClient): Face {
  return async (call) => see(call, await client.callBytes(pathOf(call), bytesOf(call), call.metadata));
}

export function overWeb(origin: string): Face {
  return async (call) =>
    see(call, webTrailers(await postWeb(origin, pathOf(call), frame(bytesOf(call)), call.metadata)));
}

/** `json`: by the names of the .proto. */
export function overConnect(origin: string, codec: 'json' | 'proto'): Face {
  return async (call) => {
    const { rpc, message, metadata } = call;
    const sent = codec === 'json' ? Buffer.from(JSON.stringify(message)) : bytesOf(call);
    const headers = { ...metadata, 'Content-Type': `application/${codec}`, 'Connect-Protocol-Version': '1' };
    const { status, body } = await postWeb(origin, pathOf(call), sent, headers);
    if (status !== 200) return seeConnectError(JSON.parse(body.toString()) as ConnectErrorBody);
    const answer =
      codec === 'json' ? (JSON.parse(body.toString()) as JsonValue) : toJson(rpc.output, fromBinary(rpc.output, body));
    return { verdict: '0', message: '', answer };
  };
}

interface ConnectErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: ReadonlyArray<{ readonly type: string; readonly value: string }>;
}

function seeConnectError({ code, message, details }: ConnectErrorBody): Seen {
  const [first] = details.map(({ type, value }) => readMessage(type, Buffer.from(value, 'base64')));
  const { id, fieldViolations } = (first ?? {}) as { id?: string; fieldViolations?: ReadonlyArray<{ field: string }> };
  const fields = fieldViolations?.map(({ field }) => field);
  const number = Code[pascal(code) as keyof typeof Code];
  return { verdict: verdict({ code: number, message, id, fields }), message, details: first };
}

/** `invalid_argument` as `InvalidArgument`. */
function pascal(code: string): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function pathOf({ rpc }: Call): string {
  return `/${rpc.parent.typeName}/${rpc.name}`;
}

function bytesOf({ rpc, message }: Call): Buffer {
  return Buffer.from(toBinary(rpc.input, fromJson(rpc.input, message)));
}

function see({ rpc }: Call, { bytes, ...outcome }: Outcome & { readonly bytes?: Buffer | undefined }): Seen {
  if (outcome.code !== 0) return { verdict: verdict(outcome), message: outcome.message, details: outcome.details };
  return { verdict: '0', message: '', answer: toJson(rpc.output, fromBinary(rpc.output, bytes ?? Buffer.alloc(0))) };
}

/** An answer without what each service makes for itself: ids, times, secrets. */
export function shape(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(shape).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  if (typeof value === 'string') return /\d|^[A-Z2-7]{32}$/.test(value) || value.length > 40 ? '…' : value;
  if (typeof value === 'number') return value > 1_000_000_000 ? '…' : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, shape(inner)]),
  );
}

export function pathFields({ path }: Method): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

export function looseFields(method: Method): readonly DeclaredField[] {
  const inPath = pathFields(method);
  return method.facts.request ? fieldsOf(method.facts.request).filter(({ name }) => !inPath.includes(name)) : [];
}

export function takesBody(method: Method): boolean {
  return method.httpMethod !== 'GET' && method.httpMethod !== 'DELETE' && looseFields(method).length > 0;
}

export function toCall(method: Method, message: JsonObject, metadata: Readonly<Record<string, string>>): Call {
  const inPath = pathFields(method);
  const path = method.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(message[name] as string));
  const body = takesBody(method)
    ? JSON.stringify(Object.fromEntries(Object.entries(message).filter(([name]) => !inPath.includes(name))))
    : undefined;
  return {
    rpc: method.rpc,
    http: { method: method.httpMethod, path, body },
    message: inProtoNames(method, message),
    metadata,
  };
}
