import type { Server } from 'node:http';
import { constants, createServer, type Http2Session, type Http2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Http2Request, Http2Response, retire } from './http2-messages.js';
import { maySendLong } from './long-body.js';
import { LINGER_MS } from './request.js';
import { sniff } from './sniff.js';

const MAX_STREAMS = 100;
/** More than `faultOf` takes: nghttp2 gives no answer but a reset to requests that it refuses itself. */
const MAX_HEADER_LIST = 65_535;
const MAX_HEADERS = 128;
/** The memory in MB that a connection may use before it gets no more streams. */
const MAX_SESSION_MB = 8;
/** Streams that a client may reset at once, and then per second (CVE-2023-44487). */
const RESETS = { streamResetBurst: 300, streamResetRate: 33 };
/** How long an idle connection may take to close after GOAWAY. */
const GOODBYE_MS = 5_000;

export interface Http2Limits {
  /** The time until the protocol must be known. */
  readonly prefaceMs: number;
  /** The time limit of a whole request. */
  readonly requestMs: number;
  /** The time limit of an idle connection. */
  readonly idleMs: number;
  /** The time limit of an answer that makes no progress. */
  readonly unreadMs: number;
}

/**
 * Lets an HTTP/1.1 server accept HTTP/2 without TLS (prior knowledge, RFC 9113 §3.3) on its port: the first bytes of a
 * connection identify the protocol. The same server listens, dispatches and closes for both.
 *
 * Written against node 24: that a server of HTTP/1.1 has one listener for connections, to which a socket can be given
 * later, and that a server of HTTP/2 makes its session of a connection at once.
 */
export function takeHttp2(server: Server, limits: Http2Limits): void {
  const http2 = createServer(
    {
      settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_LIST },
      maxHeaderListPairs: MAX_HEADERS,
      maxSessionMemory: MAX_SESSION_MB,
      ...RESETS,
      Http2ServerRequest: Http2Request,
      Http2ServerResponse: Http2Response,
    },
    (request, response) => {
      limit(request, response, limits);
      server.emit('request', request, response);
    },
  );
  const sessions = new Set<Http2Session>();
  const undecided = new Set<Socket>();
  let accepted: Socket | undefined;
  http2.on('session', (session) => {
    sessions.add(session);
    if (accepted) sockets.set(session, accepted);
    session.once('close', () => sessions.delete(session));
    endIfIdle(session, limits);
  });
  const [http1, ...more] = server.listeners('connection') as Array<(socket: Socket) => void>;
  if (!http1 || more.length > 0) throw new Error('A server of HTTP/1.1 has one listener for connections.');
  server.off('connection', http1);
  server.on('connection', (socket: Socket) => {
    undecided.add(socket);
    socket.once('close', () => undecided.delete(socket));
    sniff(socket, limits.prefaceMs, (isHttp2) => {
      undecided.delete(socket);
      if (!isHttp2) return void http1.call(server, socket);
      // An HTTP/1.1 client may half-close while it waits for its answer; an HTTP/2 client has gone.
      socket.allowHalfOpen = false;
      accepted = socket;
      http2.emit('connection', socket); // which makes the session at once
      accepted = undefined;
    });
  });
  closeTogether(server, sessions, undecided);
}

/** The limits that Node applies to HTTP/1.1 only. */
function limit(request: Http2Request, response: Http2Response, { requestMs, unreadMs }: Http2Limits): void {
  const { stream } = request;
  const timer = setTimeout(() => {
    if (maySendLong(request)) return;
    if (response.headersSent) stream.close(constants.NGHTTP2_CANCEL);
    else response.writeHead(408).end();
  }, requestMs);
  const inTime = (): void => clearTimeout(timer);
  if (stream.endAfterHeaders) inTime();
  stream.once('end', inTime);
  stream.once('close', inTime);
  // RFC 9113 §8.1: a client that has its answer need not send the rest. A reset sent at once would overtake the
  // trailers.
  stream.once('finish', () => {
    if (request.complete) return;
    const linger = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), LINGER_MS);
    stream.once('close', () => clearTimeout(linger));
    stream.resume();
  });
  stream.setTimeout(unreadMs, () => {
    if (stream.writableLength > 0) cancel(stream);
  });
}

const questioned = new WeakSet<Http2Session>();
const sockets = new WeakMap<Http2Session, Socket>();

/** Node would wait until what the session has written is taken, which a peer that does not read never does. */
function end(session: Http2Session): void {
  session.destroy();
  sockets.get(session)?.destroy();
}

function cancel(stream: Http2Stream): void {
  const { session } = stream;
  stream.close(constants.NGHTTP2_CANCEL);
  if (session) endIfDeaf(session);
}

/**
 * A peer that takes nothing of its connection does not even take the end of a stream, and answers that Node has handed
 * to the connection wait there for it. Its answer to a ping tells (RFC 9113 §6.7).
 */
function endIfDeaf(session: Http2Session): void {
  if (session.destroyed || questioned.has(session)) return;
  questioned.add(session);
  const goodbye = setTimeout(() => end(session), GOODBYE_MS).unref();
  session.ping(() => {
    clearTimeout(goodbye);
    questioned.delete(session);
  });
}

/**
 * Ends an idle session, with a timer of its own: that of Node would hold a session that has ended, and all that belongs
 * to it, until it is over.
 */
function endIfIdle(session: Http2Session, { idleMs, unreadMs }: Http2Limits): void {
  let streams = 0;
  let goodbye: NodeJS.Timeout | undefined;
  let unread: NodeJS.Timeout | undefined;
  const idle = setTimeout(() => {
    if (streams > 0) return; // Each has its own limits.
    session.close();
    goodbye = setTimeout(() => end(session), GOODBYE_MS).unref();
  }, idleMs).unref();
  session.on('stream', (stream: Http2Stream) => {
    streams += 1;
    stream.once('close', () => {
      streams -= 1;
      idle.refresh();
      clearTimeout(unread);
      if (streams === 0) unread = setTimeout(() => endIfDeaf(session), unreadMs).unref();
    });
  });
  session.once('close', () => {
    clearTimeout(idle);
    clearTimeout(goodbye);
    clearTimeout(unread);
  });
}

/** A server counts the connections of both, but can only close those of HTTP/1.1 by itself. */
function closeTogether(server: Server, sessions: ReadonlySet<Http2Session>, undecided: ReadonlySet<Socket>): void {
  const close = server.close.bind(server);
  const closeAllConnections = server.closeAllConnections.bind(server);
  server.close = (callback) => {
    for (const session of sessions) retire(session);
    for (const socket of undecided) socket.destroy();
    return close(callback);
  };
  server.closeAllConnections = () => {
    for (const session of sessions) end(session);
    closeAllConnections();
  };
}
