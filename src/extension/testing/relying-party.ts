import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { signAssertion } from './assertion.js';
import { type Arrival, Browser, type Page } from './browser.js';
import type { TestClient, TestPerson } from './builders.js';
import { type Headers, type Parameters, type Reply, send, toQuery } from './http.js';
import type { Place, RunningService } from './running-service.js';

export const paths = {
  authorize: '/oauth/v2/authorize',
  token: '/oauth/v2/token',
  deviceAuthorization: '/oauth/v2/device_authorization',
  introspect: '/oauth/v2/introspect',
  revoke: '/oauth/v2/revoke',
  keys: '/oauth/v2/keys',
  userinfo: '/oidc/v1/userinfo',
  endSession: '/oidc/v1/end_session',
  discovery: '/.well-known/openid-configuration',
} as const;

/** The parameters of an authorization response, wherever they travelled. @public */
export type Answer = Readonly<Record<string, string | undefined>>;

/** The answer of the token endpoint. @public */
export interface Tokens {
  readonly access_token: string;
  readonly expires_in: number;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly token_type: string;
}

/** The claims of an ID token whose signature, issuer, audience and expiry were checked. @public */
export interface VerifiedClaims {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: string | string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly jti?: string;
  readonly [name: string]: unknown;
}

/** @public */
export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function newPkce(verifier = randomBytes(32).toString('base64url')): Pkce {
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** RFC 6749 §2.3.1: both halves form-url-encoded, then base64. */
export function basicAuth(clientId: string, secret: string): Headers {
  const half = (text: string): string => toQuery({ x: text }).slice(2);
  return { Authorization: `Basic ${Buffer.from(`${half(clientId)}:${half(secret)}`).toString('base64')}` };
}

export function bearer(token: string): Headers {
  return { Authorization: `Bearer ${token}` };
}

/** The parameters of a redirect to a client, from its query or its fragment. */
export function answerOf(redirect: string): Answer {
  const hash = redirect.indexOf('#');
  const question = redirect.indexOf('?');
  const text = hash >= 0 ? redirect.slice(hash + 1) : redirect.slice(question < 0 ? redirect.length : question + 1);
  return Object.fromEntries(new URLSearchParams(text));
}

/** An application, with a browser in front of it. @public */
export class RelyingParty {
  pkce: Pkce | undefined;

  readonly client: TestClient;
  readonly browser: Browser;
  /** @internal */
  readonly world: RunningService;

  /** @internal Use `world.party(application)`. */
  constructor(world: RunningService, client: TestClient, browser = new Browser(world)) {
    this.world = world;
    this.client = client;
    this.browser = browser;
    // Clients without a secret must use PKCE.
    if (client.authMethod === 'none' && client.responseType === 'code') this.pkce = newPkce();
  }

  /** Sends the browser to another process of the service from now on. */
  goTo(place: Place): this {
    this.browser.at = place;
    return this;
  }

  /** The same client in another browser. */
  elsewhere(): RelyingParty {
    return new RelyingParty(this.world, this.client, new Browser(this.world));
  }

  /** A complete request of this client; `undefined` leaves a parameter out. */
  parameters(over: Parameters = {}): Parameters {
    return {
      client_id: this.client.clientId,
      redirect_uri: this.client.redirectUri,
      response_type: this.client.responseType,
      scope: 'openid',
      state: 'S1',
      nonce: 'N1',
      ...(this.pkce ? { code_challenge: this.pkce.challenge, code_challenge_method: 'S256' } : {}),
      ...over,
    };
  }

  authorizePath(over: Parameters = {}): string {
    return `${paths.authorize}?${toQuery(this.parameters(over))}`;
  }

  /** Opens the authorization endpoint, and ends at a page of ours or back at the client. */
  async authorize(over: Parameters = {}): Promise<Arrival> {
    return this.noted(await this.browser.get(this.authorizePath(over)));
  }

  /** Like `authorize`, but follows no redirects. */
  async authorizeOnce(over: Parameters = {}): Promise<Reply> {
    return this.browser.request('GET', this.authorizePath(over));
  }

  /**
   * The whole way through the login pages; what is only offered is declined, and what the application asks for is
   * allowed.
   * @throws Error when it does not end at the client
   */
  async signIn(person: TestPerson, over: Parameters = {}): Promise<Answer> {
    const arrival = await this.enter(await this.authorize(over), person);
    const isOffer = arrival.page?.find('button[name="factor"][value="skip"]') != null;
    return this.toAnswer(
      await this.allowed(isOffer ? await this.browser.submit(arrival.page, { factor: 'skip' }) : arrival),
    );
  }

  /** Past the page that asks whether the application may have what it asks for. */
  async allowed(arrival: Arrival): Promise<Arrival> {
    const isAsked = arrival.page?.find('form[action="/ui/login/consent"]') != null;
    return isAsked ? this.browser.submit(arrival.page, { decision: 'continue' }) : arrival;
  }

  /** Fills in login name and password wherever a page asks for them. */
  async enter(arrival: Arrival, person: Pick<TestPerson, 'loginName' | 'password'>): Promise<Arrival> {
    let now = arrival;
    for (let step = 0; step < 4 && now.page; step += 1) {
      const { page } = now;
      if (page.find('input[name="password"]')) now = await this.browser.submit(page, { password: person.password });
      else if (page.find('input[name="loginName"]'))
        now = await this.browser.submit(page, { loginName: person.loginName });
      else break;
    }
    return this.noted(now);
  }

  /** The answer for an application that expects one. @throws Error when a page of ours came instead */
  toAnswer(arrival: Arrival): Answer {
    if (arrival.redirect !== undefined) return answerOf(arrival.redirect);
    const posted = arrival.page.forms.find((form) => /^https?:/.test(form.action));
    if (posted) return posted.fields; // response_mode=form_post
    throw new Error(
      `A page came instead of an answer (${arrival.page.status}, ${arrival.page.path}): ${arrival.page.text.slice(0, 300)}`,
    );
  }

  /** A code for this person, who signs in or is signed in already. */
  async code(person: TestPerson, over: Parameters = {}): Promise<string> {
    const { code, error, error_description: description } = await this.signIn(person, over);
    if (code === undefined) throw new Error(`No code: ${error} ${description}`);
    return code;
  }

  /** Signs in and redeems. @throws Error when the token endpoint refuses */
  async tokens(person: TestPerson, over: Parameters = {}): Promise<Tokens> {
    const redirectUri = typeof over['redirect_uri'] === 'string' ? { redirect_uri: over['redirect_uri'] } : {};
    return tokensOf(await this.redeem(await this.code(person, over), redirectUri));
  }

  async redeem(code: string, over: Parameters = {}, at: Place = this.world, more: Headers = {}): Promise<Reply> {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.client.redirectUri,
      ...(this.pkce ? { code_verifier: this.pkce.verifier } : {}),
      ...over,
    };
    return this.token(form, at, more);
  }

  async refresh(
    refreshToken: string,
    over: Parameters = {},
    at: Place = this.world,
    more: Headers = {},
  ): Promise<Reply> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...over }, at, more);
  }

  /** `more`: headers such as a proof of a key. */
  async token(form: Parameters, at: Place = this.world, more: Headers = {}): Promise<Reply> {
    const reply = await this.post(paths.token, form, at, more);
    if (reply.status === 200) {
      const tokens = reply.json<Partial<Tokens>>();
      for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) this.world.plant(token);
    }
    return reply;
  }

  async introspect(token: string, over: Parameters = {}, at: Place = this.world): Promise<Reply> {
    return this.post(paths.introspect, { token, ...over }, at);
  }

  async revoke(token: string, over: Parameters = {}, at: Place = this.world): Promise<Reply> {
    return this.post(paths.revoke, { token, ...over }, at);
  }

  async userinfo(token: string, at: Place = this.world): Promise<Reply> {
    return send(at.origin, { path: paths.userinfo, headers: bearer(token) });
  }

  /** Opens the end session endpoint in the browser. */
  async endSession(over: Parameters = {}): Promise<Arrival> {
    return this.browser.get(`${paths.endSession}?${toQuery(over)}`);
  }

  /** A POST with this client's own authentication. */
  async post(path: string, form: Parameters, at: Place = this.world, more: Headers = {}): Promise<Reply> {
    const { headers, parameters } = await this.credentials();
    return send(at.origin, {
      method: 'POST',
      path,
      headers: { ...headers, ...more },
      body: { ...parameters, ...form },
    });
  }

  /** The credentials by the registered method of this client (RFC 6749 §2.3, RFC 7523 §2.2). */
  async credentials(): Promise<{ headers: Headers; parameters: Parameters }> {
    const { clientId, authMethod, secret = '', key } = this.client;
    switch (authMethod) {
      case 'client_secret_basic':
        return { headers: basicAuth(clientId, secret), parameters: {} };
      case 'client_secret_post':
        return { headers: {}, parameters: { client_id: clientId, client_secret: secret } };
      case 'private_key_jwt':
        return {
          headers: {},
          parameters: {
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: await signAssertion(this.world, key!, clientId),
          },
        };
      // The proxy in front of the service sends the certificate.
      case 'tls_client_auth':
      case 'self_signed_tls_client_auth':
      case 'none':
        return { headers: {}, parameters: { client_id: clientId } };
    }
  }

  /** Checks signature, issuer, audience and expiry of an id_token as a client must (OIDC Core §3.1.3.7). */
  async verify(idToken: string): Promise<VerifiedClaims> {
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(await publishedKeys(this.world)), {
      issuer: this.world.issuer,
      audience: this.client.clientId,
      currentDate: this.world.clock.now(),
    });
    return payload;
  }

  private noted(arrival: Arrival): Arrival {
    if (arrival.redirect !== undefined) {
      const answer = answerOf(arrival.redirect);
      for (const name of ['code', 'access_token', 'id_token']) this.world.plant(answer[name]);
    }
    return arrival;
  }
}

/** @throws Error with the refusal when there are no tokens */
export function tokensOf(reply: Reply): Tokens {
  if (reply.status !== 200) throw new Error(`${reply.request} answered ${reply.status}: ${reply.text}`);
  return reply.json<Tokens>();
}

export async function publishedKeys(world: Place): Promise<JSONWebKeySet> {
  return (await send(world.origin, { path: paths.keys })).json<JSONWebKeySet>();
}

export type { Arrival, Page, Place };
