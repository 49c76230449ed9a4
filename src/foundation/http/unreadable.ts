import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { maySendLong } from './long-body.js';
import { LINGER_MS } from './request.js';

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Content Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers what is not an HTTP request, or exceeds the server's limits, and closes the connection (RFC 9112 §3, §9.6).
 */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // Node does not process this request again.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && maySendLong(socket)) return;
    const status = STATUS[error.code ?? ''] ?? '400 Bad Request';
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.on('error', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\nCache-Control: no-store\r\n\r\n`);
    socket.resume();
  });
}
