import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type DescMessage, fromBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { DomainError } from '../../foundation/error/domain-error.js';
import { messageMalformed, messageTooLarge, messageUnfinished } from './grpc.errors.js';

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

/**
 * The single message of a call. Anything but one frame, or an unknown compression, is left to the library. A message that cannot be
 * decompressed or decoded is refused here, since the library would report an internal error. Rejects when the sender disconnects.
 * @param timeoutMs how long the sender waits for the answer
 */
export async function readFrame(
  request: IncomingMessage | Http2ServerRequest,
  message: DescMessage,
  timeoutMs: number,
): Promise<Frame | DomainError> {
  const body = await collect(request, Math.min(timeoutMs, MESSAGE_MS));
  if (body instanceof DomainError) return body;
  if (body.length > 0 && body[0]! > COMPRESSED) return messageMalformed();
  if (body.length < PREFIX_BYTES || body.readUInt32BE(1) !== body.length - PREFIX_BYTES)
    return { bytes: body, isUnpacked: false };
  const isPacked = body[0] === COMPRESSED;
  if (isPacked && request.headers['grpc-encoding'] !== 'gzip') return { bytes: body, isUnpacked: false };
  const bytes = isPacked ? await unpackFrame(body) : body;
  if (bytes instanceof DomainError) return bytes;
  return decodes(message, bytes.subarray(PREFIX_BYTES)) ? { bytes, isUnpacked: isPacked } : messageMalformed();
}

/**
 * The whole message at once. Appending piece by piece would take quadratic time for a message that is sent byte by byte.
 * Rejects when the sender disconnects.
 */
function collect(request: IncomingMessage | Http2ServerRequest, limitMs: number): Promise<Buffer | DomainError> {
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

    function take(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > MAX_MESSAGE_BYTES + PREFIX_BYTES || announces(chunks, chunk))
        settle(messageTooLarge(MAX_MESSAGE_BYTES));
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

/** Whether the first chunk announces a message that is too large, so that it need not be awaited. */
function announces(before: readonly Buffer[], chunk: Buffer): boolean {
  return before.length === 0 && chunk.length >= PREFIX_BYTES && chunk.readUInt32BE(1) > MAX_MESSAGE_BYTES;
}

async function unpackFrame(frame: Buffer): Promise<Buffer | DomainError> {
  try {
    const message = await unpack(frame.subarray(PREFIX_BYTES), { maxOutputLength: MAX_MESSAGE_BYTES });
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(message.length, 1);
    return Buffer.concat([prefix, message]);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? messageTooLarge(MAX_MESSAGE_BYTES)
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
