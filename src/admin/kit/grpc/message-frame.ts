import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type DescMessage, fromBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { hasMoreFields } from './field-count.js';
import { messageMalformed, messageTooLarge, messageUnfinished, tooManyFields } from './grpc.errors.js';

/** The limit of JSON bodies; it also applies to a compressed message after decompression. */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** The prefix: a flag for compression, and the length of the message. */
const PREFIX_BYTES = 5;
const COMPRESSED = 1;
/** Less than the time limit of requests, so that the sender gets a gRPC status. */
const MESSAGE_MS = 25_000;

const unpack = promisify(gunzip);

/** A message with its prefix, as sent or decompressed. */
export interface Frame {
  readonly bytes: Buffer;
  readonly isUnpacked: boolean;
}

/** How much is read of a message, and for how long. */
export interface FrameLimits {
  readonly maxBytes: number;
  /** The most fields that the message and those inside it may have together. */
  readonly maxFields: number;
  /** How long the sender waits for the answer. */
  readonly waitMs: number;
}

/**
 * The single message of a call. An empty body and an unknown compression are left to the library. A message that cannot
 * be decompressed or decoded, and anything but one whole frame, is refused here, since the library reports some of that
 * as an internal error. Rejects when the sender disconnects.
 */
export async function readFrame(
  request: IncomingMessage | Http2ServerRequest,
  message: DescMessage,
  { maxBytes, maxFields, waitMs }: FrameLimits,
): Promise<Frame | DomainError> {
  const limitMs = Math.min(waitMs, MESSAGE_MS);
  const body = await collect(request, { maxBytes, limitMs, prefixBytes: PREFIX_BYTES });
  if (body instanceof DomainError) return body;
  if (body.length === 0) return { bytes: body, isUnpacked: false };
  if (body.length < PREFIX_BYTES || body[0]! > COMPRESSED) return messageMalformed();
  if (body.readUInt32BE(1) !== body.length - PREFIX_BYTES) return messageMalformed();
  const isPacked = body[0] === COMPRESSED;
  const encoding = request.headers['grpc-encoding'] ?? 'identity';
  if (isPacked && encoding === 'identity') return messageMalformed();
  if (isPacked && encoding !== 'gzip') return { bytes: body, isUnpacked: false };
  const bytes = isPacked ? await unpackFrame(body, maxBytes) : body;
  if (bytes instanceof DomainError) return bytes;
  return messageProblem(message, bytes.subarray(PREFIX_BYTES), maxFields) ?? { bytes, isUnpacked: isPacked };
}

/**
 * The body of a unary call of Connect: a message without a prefix, decompressed. Rejects when the sender disconnects.
 */
export async function readMessageBody(
  request: IncomingMessage | Http2ServerRequest,
  { maxBytes, waitMs }: Pick<FrameLimits, 'maxBytes' | 'waitMs'>,
): Promise<Buffer | DomainError> {
  const limitMs = Math.min(waitMs, MESSAGE_MS);
  const body = await collect(request, { maxBytes, limitMs, prefixBytes: 0 });
  const isPacked = request.headers['content-encoding'] === 'gzip';
  return body instanceof DomainError || !isPacked ? body : unpackBytes(body, maxBytes);
}

/** Why bytes are not a message that has at most so many fields; undefined if they are. */
export function messageProblem(message: DescMessage, bytes: Buffer, maxFields: number): DomainError | undefined {
  if (hasMoreFields(message, bytes, maxFields)) return tooManyFields(maxFields);
  return decodes(message, bytes) ? undefined : messageMalformed();
}

/** How much is read of a body, and for how long. */
interface BodyLimits {
  readonly maxBytes: number;
  readonly limitMs: number;
  /** What stands before the message, and announces its length. */
  readonly prefixBytes: number;
}

/**
 * The whole message at once. Appending piece by piece would take quadratic time for a message that is sent byte by
 * byte. Rejects when the sender disconnects.
 */
function collect(
  request: IncomingMessage | Http2ServerRequest,
  { maxBytes, limitMs, prefixBytes }: BodyLimits,
): Promise<Buffer | DomainError> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => settle(messageUnfinished()), limitMs);
    const listeners: ReadonlyArray<readonly [string, (chunk: Buffer) => void]> = [
      ['data', take],
      ['end', settleWhole],
      ['error', gone],
      ['close', gone],
    ];
    for (const [event, listener] of listeners) request.on(event, listener);
    if (hasGone(request)) gone(); // while its sender was authenticated

    function take(chunk: Buffer): void {
      bytes += chunk.length;
      const isAnnounced = prefixBytes > 0 && announcesMore(maxBytes, chunks, chunk);
      if (isAnnounced || bytes > maxBytes + prefixBytes) settle(messageTooLarge(maxBytes));
      chunks.push(chunk);
    }
    function settleWhole(): void {
      settle(Buffer.concat(chunks));
    }
    function gone(): void {
      stop();
      reject(new ConnectError('The sender closed the connection.', Code.Canceled));
    }
    function settle(result: Buffer | DomainError): void {
      stop();
      resolve(result);
    }
    function stop(): void {
      clearTimeout(timer);
      for (const [event, listener] of listeners) request.off(event, listener);
      request.on('error', () => undefined); // the sender has disconnected
    }
  });
}

/** A request of HTTP/2 does not say so itself: only its stream does. */
function hasGone(request: IncomingMessage | Http2ServerRequest): boolean {
  return request.destroyed || ('stream' in request && request.stream.destroyed);
}

/** Whether the first chunk announces a message that is too large, so that it need not be awaited. */
function announcesMore(maxBytes: number, before: readonly Buffer[], chunk: Buffer): boolean {
  return before.length === 0 && chunk.length >= PREFIX_BYTES && chunk.readUInt32BE(1) > maxBytes;
}

async function unpackFrame(frame: Buffer, maxBytes: number): Promise<Buffer | DomainError> {
  const message = await unpackBytes(frame.subarray(PREFIX_BYTES), maxBytes);
  if (message instanceof DomainError) return message;
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

async function unpackBytes(packed: Buffer, maxBytes: number): Promise<Buffer | DomainError> {
  try {
    return await unpack(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? messageTooLarge(maxBytes)
      : messageMalformed();
  }
}

function decodes(message: DescMessage, bytes: Buffer): boolean {
  try {
    fromBinary(message, bytes);
    return true;
  } catch {
    return false;
  }
}
