import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const ASSERTION_SECONDS = 60;

/** A key of a virtual client that proves its possession with each request (RFC 9449 §4.2). */
export class DpopKey {
  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = privateKey;
    this.header = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) };
  }

  /** @returns the headers of a request; `accessToken` where one is presented (RFC 9449 §7.1) */
  headersFor(method, address, accessToken) {
    const claims = { jti: newId(), htm: method, htu: address, iat: nowSeconds() };
    if (accessToken === undefined) return { DPoP: this.sign(claims) };
    const ath = createHash('sha256').update(accessToken).digest('base64url');
    return { DPoP: this.sign({ ...claims, ath }), Authorization: `DPoP ${accessToken}` };
  }

  sign(claims) {
    return signJwt(this.header, claims, this.privateKey);
  }
}

/** Fields that authenticate a client by its key, with a new assertion each time (RFC 7523 §2.2, OIDC Core §9). */
export class AssertionKey {
  constructor({ clientId, keyId, privateKey }, audience) {
    this.clientId = clientId;
    this.audience = audience;
    this.header = { alg: 'ES256', kid: keyId };
    this.privateKey = createPrivateKey(privateKey);
  }

  fields() {
    const now = nowSeconds();
    const { clientId: id, audience: aud } = this;
    const claims = { iss: id, sub: id, aud, jti: newId(), iat: now, exp: now + ASSERTION_SECONDS };
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: signJwt(this.header, claims, this.privateKey),
    };
  }
}

/** ES256 or RS256, by the key. */
export function signJwt(header, claims, key) {
  const signed = `${encode(header)}.${encode(claims)}`;
  // RFC 7518 §3.4; an RSA key has no such choice.
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function newId() {
  return randomBytes(16).toString('base64url');
}

function nowSeconds() {
  return Math.floor(Date.now() / 1000);
}

function encode(object) {
  return Buffer.from(JSON.stringify(object)).toString('base64url');
}
