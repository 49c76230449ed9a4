import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A user of the code host. */
export interface Coder {
  readonly id?: unknown;
  readonly login: string;
  readonly name?: string;
  readonly emails?: ReadonlyArray<{ readonly email: string; readonly primary: boolean; readonly verified: boolean }>;
}

/** What it does instead of answering properly, by path. */
export type Misdeed = (request: IncomingMessage, response: ServerResponse) => void;

interface Pending {
  readonly coder: Coder;
  readonly challenge: string;
  readonly redirectUri: string;
}

export const CODE_HOST_CLIENT = 'Iv1.0123456789abcdef';
export const CODE_HOST_SECRET = 'c0de-h0st-secret-5f1e';

/**
 * A server that behaves as GitHub Enterprise Server does in "Authorizing OAuth apps" and "REST API endpoints for
 * users": plain OAuth 2.0, refusals with status 200, ids that are numbers, a user agent that is required.
 */
export class CodeHost {
  readonly asked: string[] = [];
  misdeeds: Readonly<Record<string, Misdeed>> = {};
  private readonly codes = new Map<string, Pending>();
  private readonly tokens = new Map<string, Coder>();

  private constructor(
    private readonly server: Server,
    readonly base: string,
  ) {}

  static async start(): Promise<CodeHost> {
    const held: { host?: CodeHost } = {};
    const server = createServer((request, response) => void held.host?.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    held.host = new CodeHost(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return held.host;
  }

  /** Somebody has signed in there: the parameters with which their browser comes back. */
  answerTo(url: string, coder: Coder): { state: string; code: string } {
    const { origin, pathname, searchParams: query } = new URL(url);
    if (origin + pathname !== `${this.base}/login/oauth/authorize`) throw new Error(`Nobody signs in at ${url}.`);
    if (query.get('client_id') !== CODE_HOST_CLIENT) throw new Error('The code host does not know this application.');
    if (query.get('code_challenge_method') !== 'S256') throw new Error('The code host wants PKCE with S256.');
    const code = randomBytes(10).toString('hex');
    this.codes.set(code, {
      coder,
      challenge: query.get('code_challenge') ?? '',
      redirectUri: query.get('redirect_uri') ?? '',
    });
    return { code, state: query.get('state') ?? '' };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.base);
    this.asked.push(pathname);
    const misdeed = this.misdeeds[pathname];
    if (misdeed) return misdeed(request, response);
    if (request.method === 'POST' && pathname === '/login/oauth/access_token') return this.exchange(request, response);
    const coder = this.tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (request.headers['user-agent'] === undefined)
      return answer(response, 403, { message: 'User-Agent is required' });
    if (!coder) return answer(response, 401, { message: 'Bad credentials' });
    const { emails = [], ...user } = coder;
    if (pathname === '/api/v3/user') return answer(response, 200, user);
    if (pathname === '/api/v3/user/emails') return answer(response, 200, emails);
    return answer(response, 404, { message: 'Not Found' });
  }

  private async exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await bodyOf(request));
    const code = form.get('code') ?? '';
    const pending = this.codes.get(code);
    this.codes.delete(code);
    if (form.get('client_id') !== CODE_HOST_CLIENT || form.get('client_secret') !== CODE_HOST_SECRET)
      return answer(response, 200, { error: 'incorrect_client_credentials' });
    if (!pending) return answer(response, 200, { error: 'bad_verification_code' });
    if (form.get('redirect_uri') !== pending.redirectUri)
      return answer(response, 200, { error: 'redirect_uri_mismatch' });
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== pending.challenge) return answer(response, 200, { error: 'bad_verification_code' });
    const token = `gho_${randomBytes(16).toString('hex')}`;
    this.tokens.set(token, pending.coder);
    return answer(response, 200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' });
  }
}

export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
