import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderAccount, ProviderMisbehaviour } from 'gatehouse/testing';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';

export const CLIENT_ID = 'social-client';
export const CLIENT_SECRET = 'secret-of-the-social-client-41';
export const TEAM_ID = 'A1B2C3D4E5';
export const KEY_ID = 'F6G7H8J9K0';
export const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';

export type Vendor = 'google' | 'entra' | 'github' | 'gitlab' | 'apple' | 'oauth';

interface Pending {
  readonly vendor: Vendor;
  readonly account: ProviderAccount;
  readonly query: URLSearchParams;
  readonly over: Readonly<Record<string, unknown>>;
}

interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** What the ID of an account is in a tenant of Entra. */
export function objectIdOf(subject: string): string {
  return `690222be-ff1a-4d56-abd1-${subject.padStart(12, '0')}`;
}

/**
 * The vendors as their documentation describes them, each below a path of its own: discovery, keys, code exchange with
 * PKCE where they have it, and the APIs that say who somebody is.
 */
export class Vendors {
  requests = 0;
  misdeed: ProviderMisbehaviour | undefined;
  /** What the user endpoint of `oauth` answers, and the one of GitHub. */
  userText: string | undefined;
  private readonly codes = new Map<string, Pending>();
  private readonly tokens = new Map<string, Pending>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
    private keys: readonly SigningKey[],
    private readonly appleKey: CryptoKey,
    private readonly now: () => Date,
  ) {}

  /** @param appleKey the public key of those that Apple knows */
  static async start(appleKey: CryptoKey, now: () => Date): Promise<Vendors> {
    const held: { vendors?: Vendors } = {};
    const server = createServer((request, response) => void held.vendors?.serve(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    held.vendors = new Vendors(server, origin, [await newKey()], appleKey, now);
    return held.vendors;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  at(vendor: Vendor): string {
    return `${this.origin}/${vendor}`;
  }

  /** From now on tokens are signed with another key. */
  async changeKeys(): Promise<void> {
    this.keys = [await newKey()];
  }

  /**
   * Somebody has signed in: the parameters with which the browser comes back.
   * @param over members of what is said about them
   */
  answerTo(
    url: string,
    account: ProviderAccount,
    over: Readonly<Record<string, unknown>> = {},
  ): { code: string; state: string } {
    const { origin, pathname, searchParams: query } = new URL(url);
    const [, vendor] = pathname.split('/') as [string, Vendor];
    if (origin !== this.origin || !pathname.endsWith('/authorize')) throw new Error('Nobody signs in there.');
    if (query.get('client_id') !== CLIENT_ID) throw new Error('The application is unknown.');
    if (query.get('code_challenge_method') !== (vendor === 'apple' ? null : 'S256')) throw new Error('No PKCE.');
    if (vendor === 'apple' && query.get('response_mode') !== 'form_post') throw new Error('Apple answers by form.');
    const code = randomBytes(10).toString('hex');
    this.codes.set(code, { vendor, account, query, over });
    return { code, state: query.get('state') ?? '' };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    this.requests += 1;
    const say = (body: unknown, status = 200): unknown =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? '/', this.origin);
    const [, vendor = '', ...rest] = pathname.split('/');
    const path = rest.join('/');
    if (path.endsWith('.well-known/openid-configuration')) return say(this.metadata(vendor, rest[0] ?? ''));
    if (path === 'keys') return say({ keys: this.keys.map(({ jwk }) => jwk) });
    if (this.misdeed === 'silence') return undefined;
    if (this.misdeed === 'redirect') return response.writeHead(302, { Location: '/elsewhere' }).end();
    if (this.misdeed === 'error') return say({ message: 'Bad credentials' }, 401);
    if (request.method === 'POST') return this.exchange(vendor, request, say);
    const pending = this.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (pending?.vendor !== vendor) return say({ message: 'Bad credentials' }, 401);
    if (path.endsWith('emails')) return say(emailsOf(pending));
    if (this.userText !== undefined) return response.writeHead(200).end(this.userText);
    return say(this.userOf(pending));
  }

  private metadata(vendor: string, tenant: string): object {
    const base = `${this.origin}/${vendor}`;
    const issuer = { organizations: `${base}/{tenantid}/v2.0`, common: `${base}/{tenantid}/v2.0` };
    return {
      issuer: vendor === 'entra' ? (issuer[tenant as keyof typeof issuer] ?? `${base}/${tenant}/v2.0`) : base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/keys`,
      userinfo_endpoint: `${base}/userinfo`,
    };
  }

  private async exchange(
    vendor: string,
    request: IncomingMessage,
    say: (body: unknown, status?: number) => unknown,
  ): Promise<unknown> {
    const form = new URLSearchParams((await request.toArray()).join(''));
    const code = form.get('code') ?? '';
    const pending = this.codes.get(code);
    this.codes.delete(code);
    const refuse = (error: string) => say({ error }, vendor === 'github' ? 200 : 400);
    if (!(await this.knows(vendor, form, request.headers.authorization))) return refuse('invalid_client');
    if (pending?.vendor !== vendor) return refuse('invalid_grant');
    const { query } = pending;
    if (form.get('redirect_uri') !== query.get('redirect_uri')) return refuse('invalid_grant');
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    if (vendor !== 'apple' && challenge !== query.get('code_challenge')) return refuse('invalid_grant');
    const token = randomBytes(16).toString('hex');
    this.tokens.set(token, pending);
    const idToken = ['github', 'oauth'].includes(vendor) ? {} : { id_token: await this.idTokenFor(pending) };
    const padding = this.misdeed === 'two megabytes' ? { padding: 'x'.repeat(2_000_000) } : {};
    return say({ access_token: token, token_type: 'Bearer', ...idToken, ...padding });
  }

  private async knows(vendor: string, form: URLSearchParams, authorization = ''): Promise<boolean> {
    const secret = form.get('client_secret') ?? '';
    if (vendor === 'oauth') {
      const sent = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
      return sent === `${CLIENT_ID}:${CLIENT_SECRET}`;
    }
    if (form.get('client_id') !== CLIENT_ID) return false;
    if (vendor !== 'apple') return secret === CLIENT_SECRET;
    const { payload, protectedHeader } = await jwtVerify(secret, this.appleKey, {
      issuer: TEAM_ID,
      subject: CLIENT_ID,
      audience: this.at('apple'),
      currentDate: this.now(),
    });
    return protectedHeader.kid === KEY_ID && Number(payload.exp) - Number(payload.iat) <= 300;
  }

  private async idTokenFor({ vendor, account, query, over }: Pending): Promise<string> {
    const issuer = vendor === 'entra' ? `${this.at('entra')}/${TENANT}/v2.0` : this.at(vendor);
    const { subject, userName, email, emailVerified } = account;
    const no = { sub: undefined, oid: undefined };
    const odd =
      this.misdeed === 'no subject' ? no : this.misdeed === 'an odd subject' ? { sub: [subject], oid: [subject] } : {};
    const seconds = Math.floor(this.now().getTime() / 1000);
    const claims: Record<string, unknown> = {
      iss: issuer,
      aud: CLIENT_ID,
      sub: subject,
      iat: seconds,
      exp: seconds + 300,
      nonce: query.get('nonce'),
      preferred_username: userName,
      email,
      ...(vendor === 'entra'
        ? { tid: TENANT, oid: objectIdOf(subject), xms_edov: emailVerified }
        : { email_verified: vendor === 'apple' ? String(emailVerified) : emailVerified }),
      ...odd,
      ...over,
    };
    const [{ privateKey, jwk } = await newKey()] = this.keys;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: String(jwk.kid) }).sign(privateKey);
  }

  /** What the APIs of GitHub and of `oauth` say. */
  private userOf({ account, over }: Pending): object {
    const { subject, userName, email, emailVerified } = account;
    const id = this.misdeed === 'an odd subject' ? [subject] : Number(subject);
    return {
      ...(this.misdeed === 'no subject' ? {} : { id }),
      login: userName,
      mail: { address: email, verified: emailVerified },
      ...over,
    };
  }
}

function emailsOf({ account: { email, emailVerified } }: Pending): object[] {
  return [
    { email: 'other@elsewhere.test', primary: false, verified: true },
    { email, primary: true, verified: emailVerified },
  ];
}

async function newKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: randomBytes(6).toString('hex'), use: 'sig', alg: 'RS256' };
  return { privateKey, jwk };
}
