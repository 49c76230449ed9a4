import { SignJWT } from 'jose';
import type { TestKey } from './builders.js';
import type { World } from './world.js';

export interface ObjectChanges {
  /** Over the claims of a good object; `undefined` leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A request object of a client (RFC 9101 §4): the parameters, and what every such object has. */
export async function signRequest(
  world: World,
  key: TestKey,
  clientId: string,
  parameters: Readonly<Record<string, unknown>>,
  { claims = {}, header = {} }: ObjectChanges = {},
): Promise<string> {
  const now = world.now();
  const payload = { iss: clientId, aud: world.issuer, iat: now, nbf: now, exp: now + 300, ...parameters, ...claims };
  const present = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  return new SignJWT(present)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'oauth-authz-req+jwt', ...header })
    .sign(key.privateKey);
}
