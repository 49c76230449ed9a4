import { createHash, randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { type Arrival, Browser } from '../support/browser.js';
import type { ClientInput, TestPerson } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import { type Answer, answerOf, publishedKeys, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

/** Whether the answers travel as the response type has it, or by a form post. */
export type Mode = 'default' | 'form_post';

/** The claims that an id_token may hold without having been asked for. */
const STANDARD = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'azp',
  'amr',
  'acr',
  'auth_time',
  'nonce',
  'nbf',
  'jti',
  'sid',
  'at_hash',
  'c_hash',
  's_hash',
];
const PROFILE = [
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'profile',
  'picture',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'updated_at',
  'preferred_username',
];

/** What each scope has to give, with its JSON type. */
const SCOPE_CLAIMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  profile: Object.fromEntries(PROFILE.map((name) => [name, name === 'updated_at' ? 'number' : 'string'])),
  email: { email: 'string', email_verified: 'boolean' },
  address: { address: 'object' },
  phone: { phone_number: 'string', phone_number_verified: 'boolean' },
};

/** One pass through the standard flow, all of whose results were checked. */
export interface Pass {
  readonly answer: Answer;
  readonly tokens: Tokens;
  readonly idToken: JWTPayload;
  readonly userinfo: Record<string, unknown>;
}

/** Acts as the certification suite acts: a client that checks everything, and a person with every claim. */
export class Suite {
  private constructor(
    readonly world: World,
    readonly mode: Mode,
    readonly person: TestPerson,
    readonly projectId: string,
  ) {}

  /** The provider must be https for the suite; here it stands behind a proxy that is. */
  static async start(mode: Mode = 'default', env: Readonly<Record<string, string>> = {}): Promise<Suite> {
    const world = await startWorld({ publicUrl: 'https://op.test', env });
    return new Suite(world, mode, await world.cast.alice, await world.cast.projectP);
  }

  async client(input: Partial<ClientInput> = {}): Promise<RelyingParty> {
    const client = await this.world.add.client({
      projectId: this.projectId,
      postLogoutRedirectUris: ['https://suite.test/logged-out'],
      ...input,
    });
    return new RelyingParty(this.world, client, new Browser(this.world));
  }

  async implicitClient(responseType: 'id_token' | 'id_token token'): Promise<RelyingParty> {
    return this.client({
      authMethod: 'none',
      clientType: 'user_agent',
      responseTypes: [responseType],
      grantTypes: ['implicit'],
    });
  }

  /** Random state and nonce, and the response mode of this plan. */
  request(over: Parameters = {}): Parameters {
    return {
      state: randomBytes(12).toString('base64url'),
      nonce: randomBytes(12).toString('base64url'),
      ...(this.mode === 'form_post' ? { response_mode: 'form_post' } : {}),
      ...over,
    };
  }

  /** The answer, after a look at where and how it came. @throws Error when it did not come */
  receive(
    rp: RelyingParty,
    arrival: Arrival,
    request: Parameters,
    place: 'query' | 'fragment' = this.placeOf(rp),
  ): Answer {
    const answer = this.mode === 'form_post' ? receiveForm(rp, arrival) : receiveRedirect(rp, arrival, place);
    expect(answer['state']).toBe(request['state']);
    expect(answer['iss']).toBe(this.world.issuer);
    if (answer['error'] !== undefined) {
      expect(
        Object.keys(answer).filter(
          (name) => !['error', 'error_description', 'error_uri', 'state', 'iss'].includes(name),
        ),
      ).toEqual([]);
      expect(answer['error_description'] ?? '').toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
    }
    return answer;
  }

  /** Opens the authorization endpoint, signs in where asked, and receives the answer. */
  async authorize(rp: RelyingParty, over: Parameters = {}): Promise<{ answer: Answer; request: Parameters }> {
    const request = this.request(over);
    return { request, answer: this.receive(rp, await rp.enter(await rp.authorize(request), this.person), request) };
  }

  /** The same, with a page that must have been shown, as a person would see it. */
  async authorizeWithPage(rp: RelyingParty, over: Parameters): Promise<{ answer: Answer; request: Parameters }> {
    const request = this.request(over);
    const shown = await rp.authorize(request);
    expect(shown.page?.find('input[name="password"], input[name="loginName"]')).toBeTruthy();
    return { request, answer: this.receive(rp, await rp.enter(shown, this.person), request) };
  }

  /** The standard flow: sign in, tokens, id_token, userinfo. */
  async pass(rp: RelyingParty, over: Parameters = {}): Promise<Pass> {
    const { answer, request } = await this.authorize(rp, over);
    return this.finish(rp, answer, request);
  }

  async finish(rp: RelyingParty, answer: Answer, request: Parameters): Promise<Pass> {
    expect(answer['error']).toBeUndefined();
    const tokens = rp.client.responseType === 'code' ? await this.redeem(rp, answer) : implicitTokens(answer);
    const idToken = await this.verify(rp, tokens, request);
    const userinfo = tokens.access_token === undefined ? {} : await this.userinfo(rp, tokens, idToken);
    return { answer, tokens, idToken, userinfo };
  }

  async redeem(rp: RelyingParty, answer: Answer): Promise<Tokens> {
    const tokens = tokensOf(await rp.redeem(answer['code']!));
    expect(tokens.token_type.toLowerCase()).toBe('bearer');
    expect(tokens.expires_in).toBeGreaterThanOrEqual(1);
    expect(tokens.expires_in).toBeLessThanOrEqual(31_536_000);
    return tokens;
  }

  /** Everything that the suite checks about an id_token. */
  async verify(
    rp: RelyingParty,
    tokens: Pick<Tokens, 'id_token' | 'access_token'>,
    request: Parameters,
  ): Promise<JWTPayload> {
    const keys = await publishedKeys(this.world);
    expect(new Set(keys.keys.map(({ kid }) => kid)).size).toBe(keys.keys.length);
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token, createLocalJWKSet(keys), {
      algorithms: ['RS256'],
      issuer: this.world.issuer,
      audience: rp.client.clientId,
      currentDate: this.world.clock.now(),
    });
    const now = this.world.now();
    expect(protectedHeader.kid).toBeTruthy();
    expect(payload.sub).toBeTruthy();
    expect(Math.abs(payload.iat! - now)).toBeLessThan(300);
    expect(payload.exp).toBeLessThan(now + 50 * 365 * 86_400);
    expect(payload['nonce']).toBe(request['nonce']);
    if (payload['acr'] !== undefined) expect(payload['acr']).toMatch(/./);
    const needsHash = rp.client.responseType === 'id_token token';
    if (needsHash || payload['at_hash'] !== undefined) {
      expect(payload['at_hash']).toBe(
        createHash('sha256').update(tokens.access_token).digest().subarray(0, 16).toString('base64url'),
      );
    }
    return payload;
  }

  async userinfo(
    rp: RelyingParty,
    tokens: Pick<Tokens, 'access_token'>,
    idToken: JWTPayload,
  ): Promise<Record<string, unknown>> {
    const reply = await rp.userinfo(tokens.access_token);
    expect([reply.status, reply.header('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(reply.json()['sub']).toBe(idToken.sub);
    return reply.json();
  }

  private placeOf(rp: RelyingParty): 'query' | 'fragment' {
    return rp.client.responseType === 'code' ? 'query' : 'fragment';
  }
}

/** No claims beyond the standard set of an id_token. */
export function expectNothingUnrequested(idToken: JWTPayload): void {
  expect(Object.keys(idToken).filter((name) => !STANDARD.includes(name))).toEqual([]);
}

/** All claims of these scopes, in their types, none of them blank. */
export function expectClaimsOf(scopes: readonly string[], claims: Readonly<Record<string, unknown>>): void {
  for (const [name, type] of scopes.flatMap((scope) => Object.entries(SCOPE_CLAIMS[scope]!))) {
    expect([name, typeof claims[name]]).toEqual([name, type]);
    expect(claims[name]).not.toBe('');
    expect(claims[name]).not.toBeNull();
  }
}

/** Shannon's estimate of the bits in a text. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / text.length), 0);
}

/** A page for the user, and never a redirect. */
export function expectErrorPage(arrival: Arrival): void {
  expect(arrival.redirect).toBeUndefined();
  expect(arrival.page!.status).toBe(400);
  expect(arrival.page!.text.length).toBeGreaterThan(20);
}

function receiveRedirect(rp: RelyingParty, { redirect }: Arrival, place: 'query' | 'fragment'): Answer {
  if (redirect === undefined) throw new Error('The browser was not sent back to the client.');
  expect(redirect.startsWith(rp.client.redirectUri + (place === 'query' ? '?' : '#'))).toBe(true);
  if (place === 'query') expect(redirect).not.toContain('#');
  return answerOf(redirect);
}

/** Exactly one form, posted as application/x-www-form-urlencoded, with nothing in the query. */
function receiveForm(rp: RelyingParty, { page }: Arrival): Answer {
  const [form, ...others] = page?.forms ?? [];
  if (!form) throw new Error('There is no form for the client.');
  expect(others).toEqual([]);
  expect([form.method, form.action]).toEqual(['POST', rp.client.redirectUri]);
  expect([null, undefined, 'application/x-www-form-urlencoded']).toContain(page!.find('form')!.getAttribute('enctype'));
  return form.fields;
}

function implicitTokens(answer: Answer): Tokens {
  expect(answer['code']).toBeUndefined();
  expect(answer['id_token']).toBeTruthy();
  if (answer['access_token'] !== undefined) expect(answer['token_type']!.toLowerCase()).toBe('bearer');
  return { ...answer, expires_in: Number(answer['expires_in']) } as unknown as Tokens;
}
