import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type DescMessage, fromBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { DomainError } from '../../foundation/error/domain-error.js';
import { messageMalformed, messageTooLarge, messageUnfinished } from './grpc.errors.js';

/** As large as a body in JSON may be; a compressed message may not be larger once it is unpacked. */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** What tells whether a message is compressed, and its length. */
const PREFIX_BYTES = 5;
const COMPRESSED = 1;
/** Less than a request may take, so that its sender is told in the words of gRPC. */
const MESSAGE_MS = 25_000;

const unpack = promisify(gunzip);

/** One message with its prefix, as it was sent or unpacked. */
export interface Frame {
  readonly bytes: Buffer;
  readonly isUnpacked: boolean;
}

/**
 * The one message of a call. What is no single frame, or is compressed in a way that is not known, is left to the library; what
 * cannot be unpacked or decoded is refused here, since the library takes it for a fault of ours. Rejects when the sender goes.
 * @param timeoutMs how long the sender would wait for the answer
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
 * The whole message at once. Read piece by piece, a message sent byte by byte would cost time that grows with the square of its length.
 * Rejects when the sender goes.
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
      request.on('error', () => undefined); // who has gone is not waited for
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
