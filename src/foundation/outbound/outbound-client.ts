import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../config/config.js';
import { unstorableMember } from '../crypto/json-members.js';
import { DomainError } from '../error/domain-error.js';
import { TimeLimit } from '../time/time-limit.js';
import { Timeouts } from '../time/timeouts.js';
import { type Attributes, asCall } from '../trace/span.js';
import {
  certificateRefused,
  compressed,
  nameUnknown,
  notEncrypted,
  notHttp,
  notJson,
  redirected,
  statusUnexpected,
  tooLarge,
  tooSlow,
  unreachable,
  urlRefused,
} from './outbound.errors.js';
import { OutboundAddresses } from './outbound-addresses.js';
import { Shares } from './shares.js';
import { targetUrlProblem } from './target-url.js';

/** The limit of an answer. */
export const MAX_ANSWER_BYTES = 1_000_000;
/** A limit per host, so that one silent server does not delay the others. */
const MAX_SOCKETS_PER_HOST = 8;
/** A limit for memory: each connection holds an answer of at most a megabyte. */
const MAX_SOCKETS = 192;
/** Silent servers of one organization, of as many names as it likes, must not delay the requests of others. */
const MAX_SOCKETS_PER_OWNER = 16;
const NOTHING = Buffer.alloc(0);
/**
 * A connection is dialled, and its address checked, for each request. Without limits of its own, which all owners would
 * share: those who are first at a server would delay others there.
 */
const AGENT = { keepAlive: false } as const;

export interface OutboundRequest {
  readonly url: string;
  /** The owner of the configured URL: an organization, or the instance. */
  readonly ownerId: string;
  /** Whose share of connections it takes, if not that of the owner. */
  readonly share?: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A lower limit than the one megabyte that always applies. */
  readonly maxBytes?: number;
  /** A shorter time than the one that always applies. */
  readonly timeoutMs?: number;
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** Whether only the status matters: the body is not read, whatever its size. */
  readonly isBodyIgnored?: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** @public */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The only way to call what an administrator configured. Only https (http for this machine in development), only public
 * addresses and those of OUTBOUND_ALLOW, no redirects, no cookies, no proxies, ten seconds, one megabyte. The address
 * counts, not the name: it is looked up once, checked, and that very address is dialled.
 */
@Injectable()
export class OutboundClient {
  private readonly http = new HttpAgent(AGENT);
  private readonly https = new HttpsAgent({ ...AGENT, maxCachedSessions: 0 });
  private readonly perHost = new Shares(MAX_SOCKETS_PER_HOST);
  private readonly perOwner = new Shares(MAX_SOCKETS_PER_OWNER, MAX_SOCKETS);

  constructor(
    private readonly issuer: IssuerConfig,
    private readonly addresses: OutboundAddresses,
    private readonly timeouts: Timeouts,
  ) {}

  /**
   * The response, whatever its status except a redirect.
   * @throws DomainError `outbound.…`, which says what failed
   */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const problem = targetUrlProblem(request.url, this.issuer);
    if (problem !== undefined) throw urlRefused(problem);
    const url = new URL(request.url);
    const method = request.method ?? 'GET';
    return asCall(
      method,
      () => attributesOf(url, method),
      async (span) => {
        const answer = await this.sendTo(url, request);
        span?.set('http.response.status_code', answer.status);
        if (answer.status >= 400) span?.fail(String(answer.status));
        return answer;
      },
    );
  }

  private async sendTo(url: URL, request: OutboundRequest): Promise<OutboundAnswer> {
    const timeoutMs = Math.min(request.timeoutMs ?? Infinity, this.timeouts.outboundMs);
    using limit = new TimeLimit(timeoutMs);
    const signal = request.signal ? AbortSignal.any([limit.signal, request.signal]) : limit.signal;
    try {
      // A request that waits for its host does not take a place of its owner yet, so that one silent server does not
      // block the owner's other servers.
      const { share = request.ownerId } = request;
      return await this.perHost.run(`${share} ${url.host}`, signal, async () =>
        this.perOwner.run(share, signal, async () => this.exchange(url, request, signal)),
      );
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw limit.signal.aborted ? tooSlow(url.host, timeoutMs / 1000) : toDomainError(error, url.host);
    }
  }

  /**
   * The JSON object in the response.
   * @throws DomainError `outbound.…`, which says what failed
   */
  async getJson(url: string, ownerId: string, maxBytes = MAX_ANSWER_BYTES): Promise<JsonObject> {
    return (await this.getJsonAnswer({ url, ownerId, maxBytes })).value;
  }

  /**
   * The JSON object in the response, and the headers.
   * @throws DomainError `outbound.…`, which says what failed
   */
  async getJsonAnswer(request: OutboundRequest): Promise<{ value: JsonObject; headers: IncomingHttpHeaders }> {
    const { status, headers, body } = await this.send({ headers: { Accept: 'application/json' }, ...request });
    const { host } = new URL(request.url);
    if (status !== 200) throw statusUnexpected(host, status);
    // RFC 6839 §3.1: application/jwk-set+json is JSON too.
    if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? ''))
      throw notJson(host, 'it is of another content type');
    return { value: parseObject(body, host), headers };
  }

  /**
   * Checks an address that comes from outside before it is called; for a host name, the dial decides.
   * @throws DomainError `outbound.url_refused`, `outbound.address_refused`
   */
  checkUrl(text: string): void {
    const problem = targetUrlProblem(text, this.issuer);
    if (problem !== undefined) throw urlRefused(problem);
    this.addresses.checkLiteral(new URL(text));
  }

  private async exchange(
    url: URL,
    {
      ownerId,
      method = 'GET',
      headers,
      body: sent,
      maxBytes = MAX_ANSWER_BYTES,
      isBodyIgnored = false,
    }: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    this.addresses.checkLiteral(url);
    const encrypted = url.protocol === 'https:';
    const request = (encrypted ? requestHttps : requestHttp)(url, {
      method,
      agent: encrypted ? this.https : this.http,
      lookup: this.addresses.lookup(url, () => ({ ownerId, signal })),
      signal,
      rejectUnauthorized: true, // Whatever the environment says.
      headers: {
        ...headers,
        'Accept-Encoding': 'identity', // A compressed response may expand to a thousand times its size.
        'User-Agent': 'Gatehouse',
        Connection: 'close',
        ...(sent === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(sent)) }),
      },
    });
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve);
        request.on('error', reject);
        request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
        request.end(sent);
      });
      if (isBodyIgnored) {
        checkNotRedirected(response, url.host);
        return { status: response.statusCode ?? 0, headers: response.headers, body: NOTHING };
      }
      checkHead(response, url.host, maxBytes);
      const body = await readBody(response, url.host, maxBytes);
      signal.throwIfAborted(); // A response that ends with its connection looks complete even if we have closed that.
      return { status: response.statusCode ?? 0, headers: response.headers, body };
    } finally {
      request.destroy();
    }
  }
}

function attributesOf(url: URL, method: string): Attributes {
  const encrypted = url.protocol === 'https:';
  return {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port) || (encrypted ? 443 : 80),
    'url.scheme': encrypted ? 'https' : 'http',
  };
}

function checkHead(response: IncomingMessage, host: string, maxBytes: number): void {
  checkNotRedirected(response, host);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw compressed(host);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(host, maxBytes);
}

function checkNotRedirected({ statusCode: status = 0 }: IncomingMessage, host: string): void {
  if (status >= 300 && status < 400) throw redirected(host, status);
}

async function readBody(response: IncomingMessage, host: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(host, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Our own messages only: a parser's message quotes its input. */
function parseObject(body: Buffer, host: string): JsonObject {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    value = JSON.parse(text);
  } catch {
    throw notJson(host, 'it cannot be read as JSON');
  }
  if (unstorableMember(text, value) !== undefined) throw notJson(host, 'it contains NUL or unpaired surrogates');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw notJson(host, 'it is another kind of value');
  return value as JsonObject;
}

/** Node's errors may contain the whole request, with its secrets: only their code is kept. */
function toDomainError(error: unknown, host: string): DomainError {
  const { code: given } = error as { code?: unknown };
  const code = typeof given === 'string' ? given : 'unknown';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_') || code === 'ENODATA') return nameUnknown(host, code);
  if (code.startsWith('HPE_')) return notHttp(host, code);
  if (/CERT|UNABLE_TO|ISSUER|CRL_|_CA$|HOSTNAME_MISMATCH/.test(code)) return certificateRefused(host, code);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return notEncrypted(host, code);
  return unreachable(host, code);
}
