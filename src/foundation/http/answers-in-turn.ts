import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Http2Request } from './http2-messages.js';

/** Requests that may wait on one connection; HTTP/2 has as many streams. */
const MAX_WAITING = 100;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * What Node leaves open for HTTP/1.1 (OPS-014): an answer that its reader does not take ends the connection, and
 * requests that are sent before the answers to those before them (RFC 9112 §9.3.2) are answered one after another, so
 * that a connection holds one answer. Must be installed after all other listeners for requests.
 * @param unreadMs how long an answer may make no progress
 */
export function answerInTurn(server: Server, unreadMs: number): void {
  const listeners = server.listeners('request') as Answer[];
  const answer: Answer = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  const lines = new WeakMap<Socket, Line>();
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request instanceof Http2Request) return answer(request, response); // Its streams are independent.
    const { socket } = request;
    const line = lines.get(socket) ?? new Line(socket, answer);
    lines.set(socket, line);
    line.enter(request, response);
  });
  server.timeout = unreadMs;
  // Nothing has moved on the connection for that time or, between two requests, for that of an idle one.
  server.on('timeout', (socket: Socket) => {
    const line = lines.get(socket);
    if (line) line.giveUp();
    else socket.destroy();
  });
}

/** The requests of a connection. */
class Line {
  private current: ServerResponse | undefined;
  private isPaused = false;
  private readonly waiting: Array<readonly [IncomingMessage, ServerResponse]> = [];

  constructor(
    private readonly socket: Socket,
    private readonly answer: Answer,
  ) {}

  /** Ends the connection because nothing has moved, unless the service has to do something next, and not the reader. */
  giveUp(): void {
    if (this.current === undefined) this.socket.destroy();
    // What the kernel holds of the answer goes as well; a mere end would wait for the reader to take it.
    else if (this.socket.writableLength > 0) this.socket.resetAndDestroy();
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    if (!this.current) return this.begin(request, response);
    if (this.socket.destroyed) return;
    if (this.waiting.push([request, response]) > MAX_WAITING) {
      this.socket.destroy();
      return;
    }
    // Anything else that the peer sends is no sign that it reads.
    this.isPaused = true;
    this.socket.pause();
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    this.current = response;
    response.once('close', () => this.next());
    this.answer(request, response);
  }

  private next(): void {
    this.current = undefined;
    if (this.socket.destroyed) this.waiting.length = 0;
    const next = this.waiting.shift();
    if (this.isPaused && this.waiting.length === 0) {
      this.isPaused = false;
      this.socket.resume();
    }
    if (next) this.begin(...next);
  }
}
