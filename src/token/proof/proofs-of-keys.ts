import { Injectable } from '@nestjs/common';
import { compactVerify, type JWK } from 'jose';
import { HttpConfig, IssuerConfig, TokenConfig } from '../../foundation/config/config.js';
import { sha256 } from '../../foundation/crypto/digest.js';
import { publicKeyProblem } from '../../foundation/crypto/public-key.js';
import { importOnce } from '../../foundation/crypto/verification-key.js';
import { Database } from '../../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../../foundation/database/purge.js';
import { type Queryable, statement } from '../../foundation/database/statement.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { Clock } from '../../foundation/time/clock.js';
import { fromUnixSeconds } from '../../foundation/time/duration.js';
import { PROOF_WINDOW_SECONDS, type ReadProof, readProof } from './dpop-proof.js';
import { ProofNonces } from './proof-nonces.js';
import { ProofRefused } from './proof-refused.js';
import { UsedProofs } from './used-proofs.js';

/** Clients of browsers make a key each; importing one costs as much as a signature. */
const MOST_KEYS = 5_000;

/** The parts of an express request, in either version of HTTP. */
export interface SentProof {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly headersDistinct: NodeJS.Dict<string[]>;
  readonly method: string;
  /** The path and the query. */
  readonly originalUrl: string;
}

/** A key that the sender of a request has: the signature was checked. */
export interface ProofOfKey {
  /** RFC 7638. */
  readonly thumbprint: string;
  readonly algorithm: string;
  readonly digest: Buffer;
  /** Unix seconds; until then the proof could be sent again. */
  readonly untilSeconds: number;
  /** The value for the `DPoP-Nonce` header, if the client should use another nonce from now on (RFC 9449 §8.2). */
  readonly nextNonce: string | undefined;
}

/** Gives the proof back at the end of its scope, unless it was kept. */
export interface ProofInUse extends AsyncDisposable {
  /** Keeps the proof used, since the request has succeeded. */
  keep(): void;
}

/** Records a used proof for as long as it must be remembered; an expired entry counts as absent. */
const SPEND = statement(
  'proof.spend',
  `INSERT INTO spent_proof AS s (digest, keep_until)
   VALUES (:digest, :keepUntil)
   ON CONFLICT (digest) DO UPDATE SET keep_until = excluded.keep_until
   WHERE s.keep_until < :now
   RETURNING digest`,
);

/** Frees the proof of a request that was refused. Only the request that inserted the row deletes it. */
const GIVE_BACK = statement('proof.give_back', 'DELETE FROM spent_proof WHERE digest = :digest');

const EXPIRED = purgeStatement('spent_proof', 'digest', 'keep_until < :moment');

/**
 * Checks proofs of keys (RFC 9449) in three phases, so that a request costs a stranger more than us and a proof that is
 * refused uses nothing up: `read`, `verify` once the caller is known, `use` before what the request uses up
 * itself.
 */
@Injectable()
export class ProofsOfKeys implements Purge {
  private readonly used = new UsedProofs();
  /** The proofs of requests that are being answered. */
  private readonly underWay = new Set<string>();
  private readonly keys = new Map<string, JWK>();
  /** Configured, never taken from a header (RFC 8705 §5). */
  private readonly origins: readonly string[];

  constructor(
    private readonly nonces: ProofNonces,
    private readonly config: TokenConfig,
    issuer: IssuerConfig,
    http: HttpConfig,
    private readonly database: Database,
    private readonly tallies: Tallies,
    private readonly clock: Clock,
  ) {
    this.origins = [issuer.publicUrl, ...(http.mtlsUrl === undefined ? [] : [http.mtlsUrl])];
  }

  /**
   * The proof in the `DPoP` header, of which all but the signature and its single use was checked; undefined without
   * that header. The URL of the request is that of the configured origin, whatever a proxy or the caller writes into
   * headers.
   * @throws ProofRefused
   */
  read(request: SentProof, accessToken?: string): ReadProof | undefined {
    // Most requests have none; `headersDistinct` would take every header of them apart.
    if (request.headers['dpop'] === undefined) return undefined;
    const { method, originalUrl, headersDistinct } = request;
    const now = this.clock.nowSeconds();
    return this.counted(() => {
      const urls = this.origins.map((origin) => origin + originalUrl);
      const proof = readProof(headersDistinct['dpop'], { method, urls, accessToken }, now);
      if (proof && this.config.requiresProofNonce && !this.nonces.isFresh(proof.nonce, now))
        throw new ProofRefused('nonce', this.nonces.current(now));
      return proof;
    });
  }

  /** @throws ProofRefused if the key or the signature is not valid, or the proof was used here before */
  async verify(proof: ReadProof): Promise<ProofOfKey> {
    const now = this.clock.nowSeconds();
    const digest = sha256(`${proof.thumbprint}\0${proof.id}`);
    try {
      await this.checkSignature(proof);
      if (this.used.has(digest.toString('base64url'), now)) throw new ProofRefused('used');
    } catch (error) {
      throw this.count(error);
    }
    const current = this.config.requiresProofNonce ? this.nonces.current(now) : undefined;
    return {
      thumbprint: proof.thumbprint,
      algorithm: proof.algorithm,
      digest,
      untilSeconds: Math.ceil(proof.issuedAt) + PROOF_WINDOW_SECONDS,
      nextNonce: current === proof.nonce ? undefined : current,
    };
  }

  /** Uses the proof of a request that uses up nothing else, once it has succeeded. @throws ProofRefused as `use` */
  async spend(proof: ProofOfKey): Promise<void> {
    await using use = await this.use(proof);
    use.keep();
  }

  /**
   * Uses the proof up for a request (RFC 9449 §11.1): before the request begins, so that one which comes with a used
   * proof loses neither its code nor its refresh token (RFC 9449 §8). A request that fails gives the proof back, so
   * that strangers cannot fill the memory with proofs for requests that are refused anyway.
   * @throws ProofRefused if another request has used it meanwhile, or is about to
   */
  async use(proof: ProofOfKey): Promise<ProofInUse> {
    const name = proof.digest.toString('base64url');
    if (this.underWay.has(name) || this.used.has(name, this.clock.nowSeconds()))
      throw this.count(new ProofRefused('used'));
    this.underWay.add(name);
    const isShared = this.config.proofReplay === 'shared';
    try {
      if (isShared) await this.spendEverywhere(proof);
    } catch (error) {
      this.underWay.delete(name);
      throw error;
    }
    let isKept = false;
    return {
      keep: () => {
        isKept = true;
        const forgotten = this.used.add(name, proof.untilSeconds, this.clock.nowSeconds());
        for (let count = 0; count < forgotten; count += 1) this.tallies.add('proofs', 'forgotten');
        this.tallies.add('proofs', 'accepted');
      },
      [Symbol.asyncDispose]: async () => {
        // If this query fails, the row expires and the caller needs another proof; the request's own error says more.
        if (isShared && !isKept) await this.database.query(GIVE_BACK, { digest: proof.digest }).catch(() => undefined);
        this.underWay.delete(name);
      },
    };
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, EXPIRED, now);
  }

  /** Uses the proof in all processes. @throws ProofRefused if it was used in one of them */
  private async spendEverywhere({ digest, untilSeconds }: ProofOfKey): Promise<void> {
    // The proof counts until the end of that second.
    const keepUntil = fromUnixSeconds(untilSeconds + 1);
    const rows = await this.database.query(SPEND, { digest, keepUntil, now: this.clock.now() });
    if (rows.length === 0) throw this.count(new ProofRefused('used'));
  }

  private async checkSignature({ text, algorithm, key, thumbprint }: ReadProof): Promise<void> {
    const known = this.keys.get(thumbprint);
    if (!known && publicKeyProblem(key) !== undefined) throw new ProofRefused('jwk');
    const used = known ?? key;
    try {
      await compactVerify(text, await importOnce(used, algorithm), { algorithms: [algorithm] });
    } catch (error) {
      throw new ProofRefused('signature', undefined, error);
    }
    if (!known) this.remember(thumbprint, key);
  }

  private remember(thumbprint: string, key: JWK): void {
    this.keys.set(thumbprint, key);
    const [oldest] = this.keys.keys();
    if (this.keys.size > MOST_KEYS && oldest !== undefined) this.keys.delete(oldest);
  }

  private counted<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.count(error);
    }
  }

  private count(error: unknown): unknown {
    if (error instanceof ProofRefused) {
      const { flaw } = error;
      this.tallies.add('proofs', flaw === 'used' ? 'replayed' : flaw === 'nonce' ? 'without_nonce' : 'refused');
    }
    return error;
  }
}
