import { createHash, randomUUID } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import type { Headers } from './http.js';
import { paths } from './relying-party.js';
import type { World } from './world.js';

/** What to say differently from a well-made proof; `undefined` leaves a member out. */
export interface ProofChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A key of a client, and proofs of it (RFC 9449 §4.2). */
export class Prover {
  private constructor(
    private readonly world: Pick<World, 'issuer' | 'now'>,
    private readonly privateKey: CryptoKey,
    readonly publicJwk: JWK,
    readonly algorithm: string,
    readonly thumbprint: string,
  ) {}

  static async make(world: Pick<World, 'issuer' | 'now'>, algorithm = 'ES256'): Promise<Prover> {
    const pair = await generateKeyPair(algorithm, { extractable: true });
    const jwk = await exportJWK(pair.publicKey);
    return new Prover(world, pair.privateKey, jwk, algorithm, await calculateJwkThumbprint(jwk));
  }

  /** The `DPoP` header for a request to the token endpoint. */
  async forTokens(changes: ProofChanges = {}): Promise<Headers> {
    return { DPoP: await this.proof('POST', paths.token, changes) };
  }

  /** Both headers for a request with an access token. */
  async forResource(token: string, path: string, method = 'GET', changes: ProofChanges = {}): Promise<Headers> {
    const ath = createHash('sha256').update(token).digest('base64url');
    const proof = await this.proof(method, path, { ...changes, claims: { ath, ...changes.claims } });
    return { Authorization: `DPoP ${token}`, DPoP: proof };
  }

  async proof(htm: string, path: string, { claims, header }: ProofChanges = {}): Promise<string> {
    const said = { jti: randomUUID(), htm, htu: this.world.issuer + path, iat: this.world.now(), ...claims };
    const named = { typ: 'dpop+jwt', alg: this.algorithm, jwk: this.publicJwk, ...header };
    return new SignJWT(present(said)).setProtectedHeader(present(named) as JWTHeaderParameters).sign(this.privateKey);
  }
}

function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
