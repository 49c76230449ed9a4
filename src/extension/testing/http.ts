import { Agent, get, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** @public */
export type Headers = Readonly<Record<string, string | string[]>>;

/** A request. @public */
export interface Sent {
  readonly method?: string;
  /** Path and query, sent as they are. */
  readonly path: string;
  readonly headers?: Headers;
  /** An object becomes a form. */
  readonly body?: string | Buffer | Parameters;
  /** Keeps connections, where a test sends thousands of requests. */
  readonly over?: Agent;
}

/** Parameters of a query or a form; undefined ones are left out, lists are repeated. @public */
export type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One answer of the service, read to its end. @public */
export class Reply {
  constructor(
    /** The request line, for messages. */
    readonly request: string,
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    readonly text: string,
  ) {}

  /** @throws Error when the body is not valid JSON */
  json<T = Record<string, unknown>>(): T {
    try {
      return JSON.parse(this.text) as T;
    } catch {
      throw new Error(`${this.request} answered ${this.status} with no JSON: ${this.text.slice(0, 500)}`);
    }
  }

  get location(): string | undefined {
    return this.headers.location;
  }

  header(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }
}

/** A connection for each request would take as long as many of the requests. */
const agent = new Agent({ keepAlive: true });

/** The faults of an answer to a request, beyond what holds for all of them. */
export type AnswerCheck = (
  origin: string,
  answer: Pick<Reply, 'status' | 'headers' | 'text'> & { readonly method: string; readonly path: string },
) => readonly string[];

let furtherCheck: AnswerCheck = () => [];

/** Adds a check: from now on `send` also fails for what it finds. */
export function checkAnswers(check: AnswerCheck): void {
  furtherCheck = check;
}

/**
 * One request over HTTP/1.1, without following redirects and without tidying anything up.
 * Whatever a caller can send gets no 5xx, and every answer carries its content type and `nosniff`.
 * @throws Error where that does not hold
 */
export async function send(origin: string, sent: Sent): Promise<Reply> {
  const reply = await sendUnchecked(origin, sent);
  if (reply.status >= 500) throw new Error(`${reply.request} answered ${reply.status}: ${reply.text.slice(0, 500)}`);
  if (reply.header('x-content-type-options') !== 'nosniff')
    throw new Error(`${reply.request} answered without nosniff.`);
  const type = reply.header('content-type') ?? '';
  if (reply.text !== '' && !/charset=utf-8|^image\/(?!svg)|jwk-set\+json|^application\/jwt$/i.test(type)) {
    throw new Error(`${reply.request} answered with the content type "${type}".`);
  }
  const { method = 'GET', path } = sent;
  const { status, headers, text } = reply;
  const found = furtherCheck(origin, { method, path, status, headers, text });
  if (found.length > 0) throw new Error(`${reply.request} answered ${status}, ${found.join('; ')}`);
  return reply;
}

/** Like `send`, for tests that are about our own faults. */
export async function sendUnchecked(
  origin: string,
  { method = 'GET', path, headers = {}, body, over = agent }: Sent,
): Promise<Reply> {
  const isForm = body !== undefined && typeof body === 'object' && !Buffer.isBuffer(body);
  const payload = isForm ? toQuery(body) : body;
  const allHeaders: Record<string, string | string[]> = {
    ...(isForm ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
    ...(payload === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(payload)) }),
    ...headers,
  };
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent: over, hostname, port, method, path, headers: allHeaders }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const line = `${method} ${path.slice(0, 200)}`;
        resolve(new Reply(line, response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString()));
      });
    });
    request.on('error', reject);
    request.end(payload);
  });
}

/** `application/x-www-form-urlencoded`, as a browser writes it. */
export function toQuery(parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const one of [value].flat()) search.append(name, String(one));
  }
  return search.toString();
}

/** Bytes on a bare connection, and whatever comes back until it is closed: for requests that no client would write. */
export async function sendBytes(origin: string, bytes: string | Buffer, waitMs = 5000): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    const end = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.setTimeout(waitMs, end);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', end);
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? end() : reject(error)));
  });
}

/** Sends one request over kept connections. Returns the status, or `failed`. */
export async function askOnce(agent: Agent, url: string): Promise<number | 'failed'> {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', () => resolve('failed'));
    });
    request.once('error', () => resolve('failed'));
  });
}
