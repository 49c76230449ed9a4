import { Inject, Injectable } from '@nestjs/common';
import { HttpConfig, IssuerConfig, SelfDescribedConfig } from '../../foundation/config/config.js';
import { OPEN_TO_ALL_ORIGINS } from '../../foundation/http/cors.js';
import type { Prepared, PreparedAnswers } from '../../foundation/http/prepared.js';
import { securityHeaderList } from '../../foundation/http/security-headers.js';
import { ContributedClaims } from '../../token/claims/contributed-claims.js';
import { KEYS_MAX_AGE_SECONDS, KeyService } from '../../token/key/key.service.js';
import type { KeyRing } from '../../token/key/key-ring.js';
import { endpoints } from '../oidc.paths.js';
import { GRANTS, type Grant } from '../token/grant/grant.js';
import { discoveryDocument } from './discovery.document.js';

/** Both documents may be cached. */
export const METADATA_CACHE_CONTROL = `public, max-age=${KEYS_MAX_AGE_SECONDS}`;

/** The published documents. They only change with the keys, so they are serialized once for each set of keys. */
@Injectable()
export class Metadata implements PreparedAnswers {
  private readonly documents: ReadonlyMap<string, (ring: KeyRing) => unknown>;
  private readonly prepared = new WeakMap<KeyRing, Map<string, Prepared>>();
  private readonly headers: readonly string[];

  constructor(
    private readonly keys: KeyService,
    @Inject(GRANTS) private readonly grants: readonly Grant[],
    private readonly issuer: IssuerConfig,
    private readonly contributed: ContributedClaims,
    private readonly selfDescribed: SelfDescribedConfig,
    private readonly http: HttpConfig,
  ) {
    this.documents = new Map<string, (ring: KeyRing) => unknown>([
      [endpoints.discovery, (ring) => this.discovery(ring)],
      [endpoints.keys, (ring) => ring.toJwks()],
    ]);
    const headers = new Map([
      ...securityHeaderList(issuer.isHttps),
      ...OPEN_TO_ALL_ORIGINS,
      ['Cache-Control', METADATA_CACHE_CONTROL] as const,
    ]);
    this.headers = [...headers].flat();
  }

  /** OpenID Connect Discovery §4. The issuer is configured, never taken from a header of the request. */
  discovery(ring: KeyRing): Record<string, unknown> {
    return discoveryDocument({
      issuer: this.issuer.publicUrl,
      grantTypes: this.grants.map((grant) => grant.type),
      requiresPushedRequests: this.issuer.requiresPushedRequests,
      signingAlgorithms: ring.algorithms(),
      userinfoAlgorithms: ring.signingAlgorithms(),
      fetchesRequestObjects: this.issuer.fetchesRequestObjects,
      takesRegistrations: this.selfDescribed.registration !== 'off',
      readsClientDocuments: this.selfDescribed.readsDocuments,
      certificates: {
        isOffered: this.http.certificateHeader !== undefined,
        isVerified: this.http.certificateVerdictHeader !== undefined,
        url: this.http.mtlsUrl,
      },
      contributed: this.contributed,
    });
  }

  find(path: string): Prepared | undefined {
    const write = this.documents.get(path);
    const ring = write && this.keys.known;
    return ring && this.prepare(path, ring, write);
  }

  private prepare(path: string, ring: KeyRing, write: (ring: KeyRing) => unknown): Prepared {
    let byPath = this.prepared.get(ring);
    if (!byPath) this.prepared.set(ring, (byPath = new Map<string, Prepared>()));
    let prepared = byPath.get(path);
    if (!prepared) {
      const body = JSON.stringify(write(ring));
      const length = String(Buffer.byteLength(body));
      prepared = {
        headers: [...this.headers, 'Content-Type', 'application/json; charset=utf-8', 'Content-Length', length],
        body,
      };
      byPath.set(path, prepared);
    }
    return prepared;
  }
}
