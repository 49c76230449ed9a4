import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { HEADERS_TOO_LARGE } from './header-size.js';
import { maySendLong } from './long-body.js';
import { LINGER_MS } from './request.js';

interface Answer {
  readonly status: string;
  readonly text: string;
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', text: HEADERS_TOO_LARGE },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Content Too Large',
    text: 'The extensions of the chunks of the body are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', text: 'The request did not arrive in time.' },
};
const NOT_HTTP: Answer = { status: '400 Bad Request', text: 'This is not a valid HTTP request.' };

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
    const { status, text } = ANSWERS[error.code ?? ''] ?? NOT_HTTP;
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.on('error', () => socket.destroy());
    const headers = `Connection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length + 1}\r\nCache-Control: no-store`;
    socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${text}\n`);
    socket.resume();
  });
}
