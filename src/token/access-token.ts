import { randomToken } from '../crypto/random.js';

/** What an access token says. Opaque tokens carry it sealed, JWT access tokens carry it signed. */
export interface AccessTokenFacts {
  /** `jti`: `{family}.{user's token epoch}.{client's token epoch}.{random}`; the family is empty when there is none. */
  readonly id: string;
  /** The login session that it ends with; undefined for service users and after that session's end. */
  readonly sessionId: string | undefined;
  readonly clientId: string;
  readonly userId: string;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  /** Claims asked for individually (OIDC Core §5.5), which userinfo has to honour. */
  readonly userinfoClaims: readonly string[];
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Of tokens that service users get for themselves: epochs of applications begin at 1. */
const NO_CLIENT = '0';

export function newTokenId(familyId: string | undefined, userEpoch: number, clientEpoch: string | undefined): string {
  return `${familyId ?? ''}.${userEpoch}.${clientEpoch ?? NO_CLIENT}.${randomToken()}`;
}

/** The family and the epochs that a token id names; undefined for text that is no token id. */
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

/** Short names: the token travels in a header of every request. */
interface Payload {
  readonly j: string;
  readonly s?: string | undefined;
  readonly c: string;
  readonly u: string;
  readonly a: readonly string[];
  readonly o: string;
  readonly k?: readonly string[];
  readonly i: number;
  readonly e: number;
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
    i: facts.issuedAt,
    e: facts.expiresAt,
  };
  return Buffer.from(JSON.stringify(payload));
}

/** Believes what it reads: the seal has shown that we wrote it. */
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
    issuedAt: payload.i,
    expiresAt: payload.e,
  };
}
