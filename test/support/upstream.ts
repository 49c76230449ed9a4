import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { makeKey, type TestKey } from './builders.js';
import type { World } from './world.js';

export type Claims = Readonly<Record<string, unknown>>;

/** What a provider is to do otherwise than an honest one; absent: nothing. */
export interface Lies {
  /** Members of the discovery document; undefined leaves one out. */
  discovery?: Claims;
  /** The whole answer of a path. */
  answer?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;
  /** The keys that are published. */
  keys?: unknown;
  /** Instead of the token that is due. */
  idToken?: (honest: Claims) => Promise<string> | string;
  /** Members of the answer of the token endpoint. */
  token?: Claims;
  userInfo?: Claims;
}

/** A code that is waiting to be redeemed. */
interface Pending {
  readonly claims: Claims;
  readonly challenge: string;
}

export const CLIENT_ID = 'gatehouse';
export const CLIENT_SECRET = 'a-secret+of the provider:1f9é';

/** An OpenID provider that does whatever a test wants, and counts who asks it for what. */
export class Upstream {
  lies: Lies = {};
  readonly asked: string[] = [];
  readonly keys: TestKey[] = [];
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly world: World,
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  /** Which paths were asked for, and how often. */
  count(path: string): number {
    return this.asked.filter((asked) => asked === path).length;
  }

  /** A further key, with which it signs from now on. `keep`: how many of the earlier ones stay published. */
  async rotate(keep = 0, alg = 'RS256'): Promise<TestKey> {
    const key = { ...(await makeKey(alg)), kid: randomBytes(6).toString('hex') };
    this.keys.splice(0, this.keys.length, key, ...this.keys.slice(0, keep));
    return key;
  }

  /** A token as this provider signs it. */
  async sign(claims: Claims, header: Claims = {}, key = this.keys[0]!): Promise<string> {
    const token = await new SignJWT(present(claims))
      .setProtectedHeader(present({ alg: key.alg, kid: key.kid, ...header }) as unknown as JWTHeaderParameters)
      .sign(key.privateKey);
    this.world.plant(token);
    return token;
  }

  /** What an honest id_token for this sign-in says. */
  claimsFor(nonce: string | null, about: Claims): Claims {
    const now = this.world.now();
    return present({ iss: this.issuer, aud: CLIENT_ID, iat: now, exp: now + 300, nonce, ...about });
  }

  /** Somebody has signed in there: the parameters with which their browser comes back. */
  answerTo(url: string, about: Claims): { state: string; code: string; iss: string } {
    const query = new URL(url).searchParams;
    const code = randomBytes(16).toString('base64url');
    this.world.plant(code);
    this.pending.set(code, {
      claims: this.claimsFor(query.get('nonce'), about),
      challenge: query.get('code_challenge') ?? '',
    });
    return { state: query.get('state') ?? '', code, iss: this.issuer };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.issuer);
    this.asked.push(pathname);
    const own = this.lies.answer?.[pathname];
    if (own) return own(request, response);
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return json(response, 200, present({ ...this.discovery, ...this.lies.discovery }));
      case '/keys':
        return json(response, 200, 'keys' in this.lies ? this.lies.keys : { keys: this.published });
      case '/token':
        return this.token(request, response);
      case '/userinfo':
        return json(response, 200, this.lies.userInfo ?? {});
      default:
        return json(response, 404, {});
    }
  }

  get published(): JWK[] {
    return this.keys.map(({ publicJwk, kid, alg }) => ({ ...publicJwk, kid, alg, use: 'sig' }));
  }

  private get discovery(): Claims {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  /** RFC 6749 §4.1.3 and RFC 7636 §4.6: each part is checked, so that a test proves that it was sent. */
  private async token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await bodyOf(request));
    const pending = this.pending.get(form.get('code') ?? '');
    this.pending.delete(form.get('code') ?? '');
    const [id = '', secret = ''] = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':');
    if (decode(id) !== CLIENT_ID || decode(secret) !== CLIENT_SECRET)
      return json(response, 401, { error: 'invalid_client' });
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === `${this.world.issuer}/ui/login/login/externalidp/callback`;
    if (!pending || !isRight || verifier !== pending.challenge) return json(response, 400, { error: 'invalid_grant' });
    const idToken = this.lies.idToken ? await this.lies.idToken(pending.claims) : await this.sign(pending.claims);
    return json(
      response,
      200,
      present({
        access_token: 'upstream-access-token',
        token_type: 'Bearer',
        expires_in: 60,
        id_token: idToken,
        ...this.lies.token,
      }),
    );
  }
}

export async function startUpstream(world: World): Promise<Upstream> {
  const held: { upstream?: Upstream } = {};
  const server = createServer((request, response) => void held.upstream?.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  held.upstream = new Upstream(world, server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await held.upstream.rotate();
  world.plant(CLIENT_SECRET);
  return held.upstream;
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', '%20'));
}

function present(members: Claims): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
