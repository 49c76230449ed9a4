import { randomToken } from '../foundation/crypto/random.js';
import type { Confirmation } from './proof/presented-token.js';

/** The contents of an access token. Opaque tokens carry it sealed, JWT access tokens carry it signed. */
export interface AccessTokenFacts {
  /** `jti`: `{family}.{user's token epoch}.{client's token epoch}.{random}`; the family is empty when there is none. */
  readonly id: string;
  /** The login session with which it ends; undefined for service users and after the end of that session. */
  readonly sessionId: string | undefined;
  readonly clientId: string;
  readonly userId: string;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  /** Claims requested individually (OIDC Core §5.5), which userinfo must return. */
  readonly userinfoClaims: readonly string[];
  /** How and when the user signed in; absent for service users, and in tokens from before it was recorded. */
  readonly signIn?: SignInOfToken | undefined;
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The key without which the token cannot be used; absent if it is not bound to one. */
  readonly confirmation?: Confirmation | undefined;
  /** See `SignInFacts.isDirect`. */
  readonly isDirect?: boolean | undefined;
  /** Set for a token that was exchanged for another one (RFC 8693). */
  readonly exchange?: ExchangeFacts | undefined;
}

/** Everything else with which a token ends because it was exchanged for others. */
export interface ExchangeFacts {
  /** The tokens before it, and the access of their applications. */
  readonly origins: readonly string[];
  /** When the first of these tokens was issued, in Unix seconds: access that was removed since then includes it. */
  readonly since: number;
  /** Who acts for the user (RFC 8693 §4.1): the current actor, then those before; empty if nobody does. */
  readonly actors: readonly TokenActor[];
  /** The applications to which the earlier tokens of the user and of the actors were issued. */
  readonly applications: readonly TokenApplication[];
}

/** An application to which a token was issued. */
export interface TokenApplication {
  readonly clientId: string;
  /** See `Client.clientEpoch`. */
  readonly clientEpoch: string;
}

/** Who acts for the user of a token, as proved by a token of their own. */
export interface TokenActor {
  readonly userId: string;
  readonly userEpoch: number;
  /** The session of the actor's token, if it had one. */
  readonly sessionId: string | undefined;
  /** When the actor's token was issued, in Unix seconds. */
  readonly since: number;
  /** What ends the token on the actor's side: the actor's token, its family, and the access of its application. */
  readonly endIds: readonly string[];
}

/** RFC 9068 §2.2.1. */
export interface SignInOfToken {
  /** Unix seconds. */
  readonly authTime: number;
  readonly amr: readonly string[];
}

/** Stands for the epoch in tokens that service users obtain for themselves: epochs of applications begin at 1. */
export const NO_CLIENT = '0';

export function newTokenId(familyId: string | undefined, userEpoch: number, clientEpoch: string | undefined): string {
  return `${familyId ?? ''}.${userEpoch}.${clientEpoch ?? NO_CLIENT}.${randomToken()}`;
}

/** The family and the epochs in a token id; undefined if it is not a token id. */
export function parseTokenId(id: string): { familyId: string; userEpoch: number; clientEpoch: string } | undefined {
  const [familyId, userEpoch, clientEpoch, random, ...rest] = id.split('.');
  if (
    familyId === undefined ||
    !/^\d{1,9}$/.test(userEpoch ?? '') ||
    clientEpoch === undefined ||
    !/^\d{1,18}$/.test(clientEpoch)
  )
    return undefined;
  if (!random || rest.length > 0) return undefined;
  return { familyId, userEpoch: Number(userEpoch), clientEpoch };
}

/** Short names: every request carries the token in a header. */
interface Payload {
  readonly j: string;
  readonly s?: string | undefined;
  readonly c: string;
  readonly u: string;
  readonly a: readonly string[];
  readonly o: string;
  readonly k?: readonly string[];
  /** The time of the sign-in, and its methods. */
  readonly t?: number;
  readonly m?: readonly string[];
  readonly i: number;
  readonly e: number;
  /** The members of `cnf`, by their first letters. */
  readonly n?: { readonly j?: string; readonly x?: string };
  readonly d?: 1;
  readonly x?: PackedExchange;
}

type PackedActor = readonly [
  userId: string,
  userEpoch: number,
  sessionId: string,
  since: number,
  endIds: readonly string[],
];

type PackedApplication = readonly [clientId: string, clientEpoch: string];

/**
 * Facts of an exchange, as short as they are in tokens. The last one is missing in tokens from before it was recorded.
 */
export type PackedExchange = readonly [
  since: number,
  origins: readonly string[],
  actors: readonly PackedActor[],
  applications?: readonly PackedApplication[],
];

export function packExchange({ since, origins, actors, applications }: ExchangeFacts): PackedExchange {
  return [
    since,
    origins,
    actors.map((actor) => [actor.userId, actor.userEpoch, actor.sessionId ?? '', actor.since, actor.endIds]),
    applications.map(({ clientId, clientEpoch }) => [clientId, clientEpoch]),
  ];
}

function encodeConfirmation({ jkt, 'x5t#S256': x5t }: Confirmation): NonNullable<Payload['n']> {
  return { ...(jkt !== undefined && { j: jkt }), ...(x5t !== undefined && { x: x5t }) };
}

function decodeConfirmation({ j, x }: NonNullable<Payload['n']>): Confirmation {
  return { ...(j !== undefined && { jkt: j }), ...(x !== undefined && { 'x5t#S256': x }) };
}

/** Nothing is validated: only what we wrote is read. */
export function unpackExchange([since, origins, actors, applications = []]: PackedExchange): ExchangeFacts {
  return {
    since,
    origins,
    actors: actors.map(([userId, userEpoch, sessionId, actorSince, endIds]) => ({
      userId,
      userEpoch,
      sessionId: sessionId === '' ? undefined : sessionId,
      since: actorSince,
      endIds,
    })),
    applications: applications.map(([clientId, clientEpoch]) => ({ clientId, clientEpoch })),
  };
}

export function encodeFacts(facts: AccessTokenFacts): Buffer {
  const payload: Payload = {
    j: facts.id,
    s: facts.sessionId,
    c: facts.clientId,
    u: facts.userId,
    a: facts.audience,
    o: facts.scopes.join(' '),
    ...(facts.userinfoClaims.length > 0 ? { k: facts.userinfoClaims } : {}),
    ...(facts.signIn ? { t: facts.signIn.authTime, m: facts.signIn.amr } : {}),
    i: facts.issuedAt,
    e: facts.expiresAt,
    ...(facts.confirmation ? { n: encodeConfirmation(facts.confirmation) } : {}),
    ...(facts.exchange ? { x: packExchange(facts.exchange) } : {}),
    ...(facts.isDirect === true ? { d: 1 } : {}),
  };
  return Buffer.from(JSON.stringify(payload));
}

/** Nothing is validated: the seal has shown that we wrote it. */
export function decodeFacts(bytes: Buffer): AccessTokenFacts {
  const payload = JSON.parse(bytes.toString()) as Payload;
  return {
    id: payload.j,
    sessionId: payload.s,
    clientId: payload.c,
    userId: payload.u,
    audience: payload.a,
    scopes: payload.o === '' ? [] : payload.o.split(' '),
    userinfoClaims: payload.k ?? [],
    signIn: payload.t === undefined ? undefined : { authTime: payload.t, amr: payload.m ?? [] },
    issuedAt: payload.i,
    expiresAt: payload.e,
    confirmation: payload.n && decodeConfirmation(payload.n),
    exchange: payload.x && unpackExchange(payload.x),
    ...(payload.d === 1 ? { isDirect: true } : {}),
  };
}
