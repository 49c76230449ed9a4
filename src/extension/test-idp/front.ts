import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { paths } from '../testing/relying-party.js';
import type { Fault, FaultEndpoint } from './fault.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** What stands behind the front, beside the service. */
export interface Behind {
  /** The control surface. @returns false if the request is not for it */
  control(request: IncomingMessage, response: ServerResponse): boolean;
  /** The faults that are due at one of the endpoints, for the application whose request it is. */
  due(endpoints: readonly FaultEndpoint[], form: Form): Promise<readonly Fault[]>;
  isAnyArmed(endpoints: readonly FaultEndpoint[]): boolean;
  /** Whether some applications take every address of this machine, which must be learned first. */
  readonly learns: boolean;
  learn(path: string, form: Form): Promise<void>;
  changeTokens(
    answer: Readonly<Record<string, unknown>>,
    faults: readonly Fault[],
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** What a request says of itself: its parameters, and who sends it. */
export interface Form {
  readonly parameters: URLSearchParams;
  readonly authorization: string | undefined;
}

/** With it, a request is one of the front itself, which the service answers. */
const MARK = 'x-gatehouse-front';
const MAX_BYTES = 1_000_000;
/** How long to wait for requests that are being answered. */
const STILL_MS = 2_000;
const PAR = '/oauth/v2/par';
const LEARNED_FROM = [paths.authorize, paths.endSession, PAR] as readonly string[];

/**
 * Stands before the service of tests, and nowhere else: every request passes here first. What the service must do wrong
 * is done to its requests and answers, which it gives as ever.
 */
export class Front {
  private readonly mark = randomBytes(16).toString('hex');
  private readonly underWay = new Set<ServerResponse>();
  private opening: Promise<void> | undefined;

  constructor(private readonly behind: Behind) {}

  standBefore(server: Server): void {
    const listeners = server.listeners('request') as Listener[];
    server.removeAllListeners('request');
    const service: Listener = (request, response) => {
      for (const listener of listeners) listener.call(server, request, response);
    };
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers[MARK] === this.mark) return service(request, response);
      if (this.behind.control(request, response)) return;
      void this.take(request, response, service).catch(() => response.destroy());
    });
  }

  /** Lets nobody in while something is done to all there is. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.opening) await this.opening;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.opening = promise;
    try {
      for (let waited = 0; this.underWay.size > 0 && waited < STILL_MS; waited += 1) await sleep(1);
      return await work();
    } finally {
      this.opening = undefined;
      resolve();
    }
  }

  private async take(request: IncomingMessage, response: ServerResponse, service: Listener): Promise<void> {
    while (this.opening) await this.opening;
    this.underWay.add(response);
    response.once('close', () => this.underWay.delete(response));
    const { method = '' } = request;
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const endpoints = method === 'OPTIONS' ? [] : endpointsAt(path);
    const mayFail = this.behind.isAnyArmed(endpoints);
    const mayTeach = this.behind.learns && LEARNED_FROM.includes(path);
    if (!mayFail && !mayTeach) return service(request, response);
    if (!mayFail && method === 'GET') {
      await this.behind.learn(path, { parameters: new URLSearchParams(query), authorization: undefined });
      return service(request, response);
    }
    const body = await bodyOf(request);
    const text = isForm(request) ? body.toString() : '';
    const form = { parameters: new URLSearchParams(`${query}&${text}`), authorization: request.headers.authorization };
    if (mayTeach) await this.behind.learn(path, form);
    const asked =
      form.parameters.get('grant_type') === 'refresh_token' ? endpoints : endpoints.filter((one) => one !== 'refresh');
    await this.answer(request, response, body, await this.behind.due(asked, form));
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    faults: readonly Fault[],
  ): Promise<void> {
    const has = (mishap: Fault['mishap']): boolean => faults.some((fault) => fault.mishap === mishap);
    const delayMs = faults.reduce((sum, fault) => sum + (fault.mishap === 'slow' ? fault.delayMs : 0), 0);
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    if (has('unreachable')) return void request.socket.destroy();
    if (has('unavailable')) return answerUnavailable(response);
    const answered = await this.askService(request, body);
    if (has('lost')) return void request.socket.destroy();
    const changed = await this.changed(answered, faults);
    response.writeHead(answered.status, [...withoutLength(answered.headers), 'Content-Length', String(changed.length)]);
    response.end(changed);
  }

  private async changed(answered: Answered, faults: readonly Fault[]): Promise<Buffer> {
    const ofTokens = faults.filter(({ mishap }) => mishap === undefined);
    if (answered.status !== 200 || ofTokens.length === 0) return answered.body;
    const answer = JSON.parse(answered.body.toString()) as Readonly<Record<string, unknown>>;
    return Buffer.from(JSON.stringify(await this.behind.changeTokens(answer, ofTokens)));
  }

  /** Over the wire, as everybody asks it. */
  private async askService(request: IncomingMessage, body: Buffer): Promise<Answered> {
    const { localPort: port } = request.socket;
    const { method, url: path, headers } = request;
    const { 'transfer-encoding': _, connection: __, ...others } = headers;
    return new Promise((resolve, reject) => {
      const asked = send(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          agent: false,
          headers: { ...others, [MARK]: this.mark, ...(body.length > 0 ? { 'content-length': body.length } : {}) },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 502, headers: answer.rawHeaders, body: Buffer.concat(chunks) }),
          );
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }
}

interface Answered {
  readonly status: number;
  /** Names and values alternating. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const ENDPOINTS: Readonly<Record<string, readonly FaultEndpoint[]>> = {
  [paths.token]: ['token', 'refresh'],
  [paths.userinfo]: ['userinfo'],
  [paths.keys]: ['jwks'],
  [paths.discovery]: ['discovery'],
  [paths.introspect]: ['introspection'],
  [paths.revoke]: ['revocation'],
};

function endpointsAt(path: string): readonly FaultEndpoint[] {
  return ENDPOINTS[path] ?? [];
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
}

function answerUnavailable(response: ServerResponse): void {
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Retry-After': '1',
  });
  response.end(JSON.stringify({ error: 'temporarily_unavailable', error_description: 'A test has asked for this.' }));
}

/** Headers of the connection, and those that another body changes. */
function withoutLength(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    if (!/^(content-length|transfer-encoding|connection|keep-alive|date)$/i.test(headers[at]!))
      kept.push(headers[at]!, headers[at + 1]!);
  }
  return kept;
}
