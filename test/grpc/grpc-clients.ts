import { request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

/** Fields of messages, as the clients take and give them: in lowerCamelCase, 64 bits as text. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a call ended in, whatever wire it took. */
export interface Outcome {
  readonly code: number;
  readonly message: string;
  /** The stable id of a refusal. */
  readonly id?: string | undefined;
  /** The invalid fields of a request. */
  readonly fields?: readonly string[] | undefined;
  /** The first message of the details. */
  readonly details?: Fields | undefined;
  readonly answer?: Fields | undefined;
  readonly metadata?: Fields | undefined;
}

export type Method = grpc.MethodDefinition<object, Fields> & { readonly requestType: { readonly type: object } };

const PROTO = fileURLToPath(new URL('../../proto/', import.meta.url));
const STANDARD = [
  'google/rpc/error_details.proto',
  'google/rpc/status.proto',
  'grpc/health/v1/health.proto',
  'grpc/reflection/v1/reflection.proto',
  'grpc/reflection/v1alpha/reflection.proto',
];

const loaded = load(PROTO, 'service');

function load(folder: string, word: string): ReturnType<typeof loadSync> {
  const ours = [
    ...['admin', 'management', 'auth'].map((area) => `${word}/${area}/v1/${area}.proto`),
    `${word}/v1/types.proto`,
  ];
  return loadSync([...ours, ...STANDARD], {
    includeDirs: [folder],
    longs: String,
    enums: String,
    defaults: true,
    oneofs: false,
  });
}

/**
 * The methods of the .proto files, by the name of the service and their own: of the committed ones, or of those of
 * another word in a folder.
 */
export function methodsOf(
  service: string,
  other?: { readonly folder: string; readonly word: string },
): Readonly<Record<string, Method>> {
  return (other ? load(other.folder, other.word) : loaded)[service] as unknown as Readonly<Record<string, Method>>;
}

/** Raw metadata: a list where a key is sent more than once. */
export type Metadata = Readonly<Record<string, string | readonly string[]>>;

/** A client of gRPC, made from the committed .proto files. */
export class GrpcClient {
  private readonly client: grpc.Client;

  constructor(origin: string, options: grpc.ClientOptions = {}, credentials = grpc.credentials.createInsecure()) {
    this.client = new grpc.Client(new URL(origin).host, credentials, options);
  }

  async call(
    method: Method,
    fields: object,
    metadata: Metadata = {},
    options: grpc.CallOptions = {},
    path = method.path,
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      this.client.makeUnaryRequest(
        path,
        (value: object) => method.requestSerialize(value),
        (bytes) => method.responseDeserialize(bytes),
        fields,
        toMetadata(metadata),
        options,
        (error, answer) => {
          if (error) resolve(outcomeOfError(error));
          else resolve({ code: 0, message: '', answer });
        },
      );
    });
  }

  /** A message and an answer as bytes. */
  async callBytes(
    path: string,
    message: Buffer,
    metadata: Metadata = {},
    options: grpc.CallOptions = {},
  ): Promise<Outcome & { readonly bytes?: Buffer | undefined }> {
    return new Promise((resolve) => {
      this.client.makeUnaryRequest(
        path,
        (value: Buffer) => value,
        (value) => value,
        message,
        toMetadata(metadata),
        options,
        (error, bytes) => {
          if (error) resolve(outcomeOfError(error));
          else resolve({ code: 0, message: '', bytes });
        },
      );
    });
  }

  /** One question, and every answer that comes. `onAnswer`: as it comes. */
  async ask(method: Method, fields: object, onAnswer?: (answer: Fields) => void): Promise<Fields[]> {
    return new Promise((resolve, reject) => {
      const stream = this.client.makeBidiStreamRequest(
        method.path,
        (value: object) => method.requestSerialize(value),
        (bytes: Buffer) => method.responseDeserialize(bytes),
        new grpc.Metadata(),
      );
      const answers: Fields[] = [];
      stream.on('data', (answer: Fields) => {
        answers.push(answer);
        onAnswer?.(answer);
      });
      stream.on('error', reject);
      stream.on('end', () => resolve(answers));
      stream.write(fields);
      stream.end();
    });
  }

  close(): void {
    this.client.close();
  }
}

function outcomeOfError(error: grpc.ServiceError): Outcome {
  return toOutcome(
    error.code,
    error.details,
    error.metadata.get('grpc-status-details-bin')[0] as Buffer | undefined,
    error.metadata.getMap(),
  );
}

function toMetadata(entries: Metadata): grpc.Metadata {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(entries)) for (const one of [value].flat()) metadata.add(name, one);
  return metadata;
}

/** A frame of gRPC: what follows, how long it is, and the bytes. */
export function frame(bytes: Buffer, flag = 0, length = bytes.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag, 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
}

export interface WebReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Any bytes to a path of gRPC-web. */
export async function postWeb(
  origin: string,
  path: string,
  body: Buffer,
  metadata: Metadata = {},
  method = 'POST',
): Promise<WebReply> {
  const { hostname, port } = new URL(origin);
  const headers: Record<string, string | string[]> = {
    'Content-Type': 'application/grpc-web+proto',
    'X-Grpc-Web': '1',
  };
  for (const [name, value] of Object.entries(metadata)) headers[name] = typeof value === 'string' ? value : [...value];
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A call of gRPC-web: what a browser would send and read. */
export async function callWeb(
  origin: string,
  method: Method,
  fields: object,
  metadata: Metadata = {},
): Promise<Outcome> {
  const reply = await postWeb(origin, method.path, frame(method.requestSerialize(fields)), metadata);
  return webOutcome(reply, method);
}

export function webOutcome(reply: WebReply, method: Method): Outcome {
  const { bytes, ...outcome } = webTrailers(reply);
  return outcome.code === 0 ? { ...outcome, answer: method.responseDeserialize(bytes ?? Buffer.alloc(0)) } : outcome;
}

/** What the frames of an answer say. */
export function webTrailers(reply: WebReply): Outcome & { readonly bytes?: Buffer | undefined } {
  let trailers: Readonly<Record<string, string | string[] | undefined>> = reply.headers;
  let answer: Buffer | undefined;
  for (let at = 0; at + 5 <= reply.body.length; ) {
    const length = reply.body.readUInt32BE(at + 1);
    const bytes = reply.body.subarray(at + 5, at + 5 + length);
    if ((reply.body[at]! & 0x80) === 0) answer = bytes;
    else
      trailers = Object.fromEntries(
        bytes
          .toString()
          .trim()
          .split('\r\n')
          .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      );
    at += 5 + length;
  }
  const code = Number(trailers['grpc-status'] ?? NaN);
  if (code === 0) return { code, message: '', bytes: answer };
  const details = trailers['grpc-status-details-bin'] as string | undefined;
  return toOutcome(
    code,
    decodeURIComponent(String(trailers['grpc-message'] ?? '')),
    details === undefined ? undefined : Buffer.from(details, 'base64'),
    trailers,
  );
}

function toOutcome(code: number, message: string, details: Buffer | undefined, metadata: Fields): Outcome {
  if (!details) return { code, message, metadata };
  const any = readMessage('google.rpc.Status', details) as {
    details: ReadonlyArray<{ type_url?: string; typeUrl?: string; value: Buffer }>;
  };
  const [first] = any.details;
  const type = (first?.typeUrl ?? first?.type_url ?? '').split('/')[1] ?? '';
  if (!first) return { code, message, metadata };
  const said = readMessage(type, first.value);
  const { id, fieldViolations } = said as { id?: string; fieldViolations?: ReadonlyArray<{ field: string }> };
  return { code, message, metadata, details: said, id, fields: fieldViolations?.map(({ field }) => field) };
}

/** A message of the committed .proto files by its full name. */
export function readMessage(name: string, bytes: Buffer): Fields {
  return (loaded[name] as unknown as { deserialize: (bytes: Buffer) => Fields }).deserialize(bytes);
}

/** As AdminApi writes verdicts: `7 permission.missing`, `3 name, domain`. */
export function verdict({ code, id, fields }: Outcome): string {
  return `${code} ${fields?.join(', ') ?? id ?? ''}`.trim();
}
