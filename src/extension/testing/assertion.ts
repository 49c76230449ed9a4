import { randomUUID } from 'node:crypto';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import type { TestService } from './builders.js';
import { type Parameters, type Reply, send } from './http.js';
import type { RunningService } from './running-service.js';
import type { TestKey } from './test-key.js';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The members that differ from a well-made assertion; `undefined` leaves a member out. */
export interface AssertionChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A JWT as RFC 7523 §3 wants it, signed by this key for this issuer and subject. */
export async function signAssertion(
  world: RunningService,
  key: TestKey,
  subject: string,
  changes: AssertionChanges = {},
): Promise<string> {
  const now = world.now();
  const claims = {
    iss: subject,
    sub: subject,
    aud: world.issuer,
    iat: now,
    exp: now + 300,
    jti: randomUUID(),
    ...changes.claims,
  };
  const header = { alg: key.alg, kid: key.kid, ...changes.header };
  const assertion = await new SignJWT(present(claims))
    .setProtectedHeader(present(header) as JWTHeaderParameters)
    .sign(key.privateKey);
  world.plant(assertion);
  return assertion;
}

/** Asks for tokens with an assertion of a service user (RFC 7523 §2.1). */
export async function exchangeAssertion(
  world: RunningService,
  assertion: string,
  over: Parameters = {},
): Promise<Reply> {
  return send(world.origin, {
    method: 'POST',
    path: '/oauth/v2/token',
    body: { grant_type: JWT_BEARER, assertion, scope: 'openid', ...over },
  });
}

export async function assertAs(
  world: RunningService,
  service: TestService,
  changes: AssertionChanges = {},
): Promise<Reply> {
  return exchangeAssertion(world, await signAssertion(world, service.key, service.id, changes));
}

function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
