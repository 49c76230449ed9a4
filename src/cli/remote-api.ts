import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
import type { Secret } from '../foundation/config/secret.js';
import { CommandError, EXIT } from './command/command-error.js';

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

interface Refusal {
  readonly message?: string;
  readonly details?: ReadonlyArray<{
    readonly fieldViolations?: ReadonlyArray<{ readonly field: string; readonly description: string }>;
  }>;
}

/** How much is shown of a response that is not JSON: enough to recognize the server. */
const MAX_REFUSAL_BYTES = 4_194_304;

/** A refusal by the service itself: retrying does not help. */
export class Refused extends CommandError {}

/** The administrative API of a service, with the token of a user. No timeout: exports and imports take long. */
export class RemoteApi {
  /** The address for messages, and as the prefix of paths: it may have a path of its own. */
  private readonly address: string;

  constructor(
    private readonly url: URL,
    private readonly token: Secret,
  ) {
    this.address = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  }

  /** A response with a status below 300, whose body is not yet read. @throws CommandError */
  async open(asked: Asked): Promise<IncomingMessage> {
    const answer = await this.send(asked).catch((error: unknown) => {
      throw asked.signal.aborted ? interrupted() : this.unreachable(error);
    });
    if (answer.statusCode! < 300) return answer;
    throw await this.refusal(answer);
  }

  /** Calls an operation whose response is JSON. @throws CommandError */
  async call<T>(asked: Asked): Promise<T> {
    const answer = await this.open(asked);
    return JSON.parse(await textOf(answer, Infinity)) as T;
  }

  private send({ method, path, headers, body, signal }: Asked): Promise<IncomingMessage> {
    const request = this.url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const sent = request(
        new URL(`${this.address}${path}`),
        {
          method,
          signal,
          headers: {
            Authorization: `Bearer ${this.token.reveal()}`,
            Accept: 'application/json',
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...headers,
          },
        },
        resolve,
      );
      sent.on('error', reject);
      if (body === undefined || typeof body === 'string') return void sent.end(body);
      // A refusal may arrive while the request is still being sent: then it is the error, not the interrupted sending.
      pipeline(body, sent, (error) => {
        if (error) reject(error);
      });
    });
  }

  private async refusal(answer: IncomingMessage): Promise<CommandError> {
    const status = answer.statusCode!;
    if (status < 400)
      return new CommandError(
        `${this.address} redirects to ${answer.headers.location ?? 'another address'}. Give that address as --url.`,
      );
    const text = await textOf(answer, MAX_REFUSAL_BYTES).catch(() => '');
    const refusal = parseRefusal(text);
    if (refusal?.message === undefined)
      return new CommandError(`${this.address} answered ${status}, but not as Gatehouse would. Check --url.`);
    const faults = (refusal.details ?? [])
      .flatMap(({ fieldViolations = [] }) => fieldViolations)
      .map(({ field, description }) => `${field}: ${description}`);
    // The message names the first one, so a single one needs no list.
    const Kind = status < 500 && status !== 429 ? Refused : CommandError;
    return new Kind(`${refusal.message}${REMEDY[status] ?? ''}`, EXIT.failed, faults.length === 1 ? [] : faults);
  }

  private unreachable(error: unknown): unknown {
    if (error instanceof CommandError) return error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    const { hostname } = this.url;
    const { address } = this;
    if (code === 'ECONNREFUSED')
      return new CommandError(`Nothing listens at ${address}. Is the service running, and is --url right?`);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return new CommandError(`The host name ${hostname} cannot be resolved. Check --url.`);
    if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
      return new CommandError(
        `The certificate of ${address} is not trusted (${code}). If you use your own certificate authority, name its certificate in NODE_EXTRA_CA_CERTS.`,
      );
    }
    if (code === 'EPROTO') return new CommandError(`${address} does not support TLS. Did you mean http?`);
    return new CommandError(`The connection to ${address} was lost (${code === '' ? message : code}).`);
  }
}

const REMEDY: Readonly<Record<number, string>> = {
  401: ' Create a new personal access token and give it as GATEHOUSE_TOKEN or --token-file.',
  403: ' Use the token of a member who has this permission; exports and imports require the role IAM_OWNER.',
};

export function interrupted(): CommandError {
  return new CommandError('Interrupted.', EXIT.interrupted);
}

function parseRefusal(text: string): Refusal | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
