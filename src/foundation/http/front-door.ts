import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { randomToken } from '../crypto/random.js';
import { confine, type Work } from '../error/work.js';
import type { Logger } from '../log/logger.js';
import { Timeouts } from '../time/timeouts.js';
import { answerInTurn } from './answers-in-turn.js';
import type { Http2Request } from './http2-messages.js';
import { faultOf } from './message-rules.js';
import { answerPlainly, drop, type HeaderList, type NodeResponse } from './plain-answer.js';

type NodeRequest = IncomingMessage | Http2Request;

export interface GuardOptions {
  /** Headers of the answers that are given here. */
  readonly headers?: HeaderList;
  /** How long an answer of HTTP/1.1 may make no progress. */
  readonly unreadMs?: number;
}

/**
 * Must be installed after all other listeners of the server, and see everything before them. Refuses malformed
 * messages, limits what a connection holds, and confines errors: an error in a request ends that request, an error of a
 * connection that connection, and neither the process.
 */
export function guard(
  server: Server,
  log: Logger,
  { headers = [['Cache-Control', 'no-store']], unreadMs = new Timeouts().unreadMs }: GuardOptions = {},
): void {
  const connect = takeListeners(server, 'connection');
  server.on('connection', (socket: Socket) => {
    // Node asks for it once and remembers it. Limits and the log go by it, so who cannot be asked any more is not
    // served.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const connection = new Connection(socket, log);
    connection.confineEvents();
    confine(connection, () => connect(socket));
  });
  const answer = takeListeners(server, 'request');
  server.on('request', (request: NodeRequest, response: NodeResponse) => {
    confine(new Exchange(request, response, log, headers), () => {
      const fault = faultOf(request);
      if (!fault) return answer(request, response);
      log.warn({ status: fault.status, reason: fault.reason }, 'refused');
      answerPlainly(response, fault.status, fault.text, headers);
    });
  });
  answerInTurn(server, unreadMs);
  // An error of the server itself, such as a connection that cannot be accepted because too many files are open.
  server.on('error', (error) => server.listening && log.error({ err: error }, 'a connection could not be taken'));
}

/** All listeners of an event as one function; they are removed from the event. */
function takeListeners(server: Server, event: string): (...values: unknown[]) => void {
  const listeners = server.listeners(event) as Array<(...values: unknown[]) => void>;
  server.removeAllListeners(event);
  return (...values) => {
    for (const listener of listeners) listener.apply(server, values);
  };
}

class Connection implements Work {
  constructor(
    private readonly socket: Socket,
    private readonly log: Logger,
  ) {}

  /** Listeners of a socket run in the context of the server, not in that of the code that added them. */
  confineEvents(): void {
    const { socket } = this;
    const emit = socket.emit.bind(socket) as (...values: unknown[]) => boolean;
    socket.emit = (...values: unknown[]): boolean => {
      let wasHeard = true;
      confine(this, () => {
        wasHeard = emit(...values);
      });
      return wasHeard;
    };
  }

  giveUp(error: unknown): void {
    this.log.error({ err: error }, 'defect: an error escaped from a connection');
    this.socket.destroy();
  }
}

/** A request and its answer. */
class Exchange implements Work {
  constructor(
    private readonly request: NodeRequest,
    private readonly response: NodeResponse,
    private readonly log: Logger,
    private readonly headers: HeaderList,
  ) {}

  giveUp(error: unknown): void {
    const { request, response } = this;
    const reference = randomToken(6);
    this.log.error(
      { err: error, method: request.method, path: request.url?.split('?', 1)[0], reference },
      'defect: an error escaped from a request',
    );
    if (response.writableEnded) return;
    try {
      // The part of the answer that was sent cannot be taken back, and the rest is unknown.
      if (response.headersSent) drop(response);
      else answerPlainly(response, 500, `The service failed. Reference ${reference}`, this.headers);
    } catch {
      drop(response);
    }
  }
}
