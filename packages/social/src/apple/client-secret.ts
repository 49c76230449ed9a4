import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

/** Apple takes up to six months; one that is made for each call needs to live no longer than that. */
const LIFETIME_SECONDS = 300;
const CURVE = 'prime256v1';

export interface AppleClient {
  readonly teamId: string;
  readonly keyId: string;
  readonly privateKey: string;
  readonly clientId: string;
}

/** Whether it is a private key for ES256 in PEM. */
export function isSigningKey(pem: string): boolean {
  try {
    readKey(pem);
    return true;
  } catch {
    return false;
  }
}

/** The client secret for one call: a JWT in ES256 ("Creating a client secret" in Apple's documentation). */
export async function clientSecretFor(
  { teamId, keyId, privateKey, clientId }: AppleClient,
  audience: string,
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .setAudience(audience)
    .setSubject(clientId)
    .sign(readKey(privateKey));
}

/** The message of Node's quotes nothing of the key. @throws Error */
function readKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== CURVE) throw new Error('The private key of Apple is not one for ES256.');
  return key;
}
