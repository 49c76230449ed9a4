import { type ClientHttp2Session, type ClientSessionOptions, connect, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket, type Socket } from 'node:net';
import { type Headers, Reply } from './http.js';

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
  /** Leaves the request unfinished. */
  readonly halfOpen?: boolean;
}

/** An answer, or how the stream ended without a whole one. */
export interface StreamEnd {
  readonly reply: Reply;
  readonly trailers: IncomingHttpHeaders;
  /** The code of RST_STREAM; 0 where nothing went wrong. */
  readonly reset: number;
}

/** A connection of HTTP/2 without TLS that sends the given frames, also those that no proper client would. */
export function connectHttp2(origin: string): ClientHttp2Session {
  const session = connect(origin, { strictSingleValueFields: false } as ClientSessionOptions);
  session.on('error', () => undefined); // errors are reported by the streams
  return session;
}

export async function askOver(
  session: ClientHttp2Session,
  { method = 'GET', path, headers = {}, body, halfOpen = false }: Asked,
): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const stream = session.request(
      { ':method': method, ':path': path, ...headers },
      { endStream: body === undefined && !halfOpen },
    );
    let answered: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('response', (received) => (answered = received));
    stream.on('trailers', (received) => (trailers = received));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      const { ':status': status = 0, ...rest } = answered;
      resolve({
        reply: new Reply(`${method} ${path}`, Number(status), rest, Buffer.concat(chunks).toString()),
        trailers,
        reset: stream.rstCode ?? 0,
      });
    });
    if (body !== undefined) stream.write(body);
    if (body !== undefined && !halfOpen) stream.end();
  });
}

/** One request on a connection of its own. */
export async function sendHttp2(origin: string, asked: Asked): Promise<StreamEnd> {
  const session = connectHttp2(origin);
  try {
    return await askOver(session, asked);
  } finally {
    session.destroy();
  }
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
export const FRAME = { headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, continuation: 9 } as const;

/** RFC 9113 §4.1 */
export function http2Frame(type: number, payload: Buffer, { flags = 0, stream = 0 } = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A bare connection that has said the preface and its settings. */
export async function bareHttp2(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connectSocket(Number(port), hostname);
  socket.on('error', () => undefined); // a reset is an end as well
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(Buffer.concat([Buffer.from(PREFACE), http2Frame(FRAME.settings, Buffer.alloc(0))]));
  return socket;
}

/** RFC 7541 §6.2.2: fields as literals without names or values that the other side would have to remember. */
export function headerBlock(fields: ReadonlyArray<readonly [string, string]>): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), lengthAndText(name), lengthAndText(value)]),
  );
}

function lengthAndText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([Math.min(bytes.length, 126)]), bytes.subarray(0, 126)]);
}
