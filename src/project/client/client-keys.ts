import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import type { SignedBy } from '../../foundation/crypto/jwt-verifier.js';
import { certificateProblem } from '../../foundation/crypto/key-certificate.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { chooseKey } from '../../foundation/jwk-set/choose-key.js';
import { readKeySet } from '../../foundation/jwk-set/key-set.js';
import { PublishedKeySets } from '../../foundation/jwk-set/published-key-sets.js';
import type { DocumentPlace } from '../../foundation/jwk-set/remote-documents.js';
import { Logger } from '../../foundation/log/logger.js';
import { OutboundClient } from '../../foundation/outbound/outbound-client.js';
import { Clock } from '../../foundation/time/clock.js';
import { MAX_KEYS } from './assertion-settings.js';
import { certificateIn } from './certificate-settings.js';
import type { Client } from './client.js';

const MAX_BYTES = 65_536;
/** Anybody can send an assertion in the name of a client, and must not make us call its server each time. */
const REST_AFTER_FAILURE_SECONDS = 30;

/** A key set that cannot be used, and why. The assertion is refused; the log has the reason. */
class KeySetUnusable extends Error {}

/** The public keys of clients: registered one by one, as a set (`jwks`), or published by the client (`jwks_uri`). */
@Injectable()
export class ClientKeys {
  private readonly published: PublishedKeySets;

  constructor(
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.published = new PublishedKeySets(clock, (place) => this.load(place), REST_AFTER_FAILURE_SECONDS);
  }

  /** The key with which the client signed; undefined if there is none, or if several fit a header without `kid`. */
  async find(client: Client, signedBy: SignedBy): Promise<JWK | undefined> {
    const registered = client.keysAt(this.clock.now());
    const { jwksUri } = client.settings;
    if (jwksUri === '') return chooseKey(registered, signedBy);
    try {
      const place = { url: jwksUri, ownerId: client.project.orgId };
      return await this.published.findKey(place, (keys) => chooseKey([...registered, ...keys], signedBy));
    } catch (error) {
      if (error instanceof KeySetUnusable) return chooseKey(registered, signedBy);
      throw error;
    }
  }

  /** Whether the client has registered or published this certificate, in base64 (RFC 8705 §2.2). */
  async hasCertificate(client: Client, certificate: string): Promise<boolean> {
    const { jwks, jwksUri } = client.settings;
    if (jwks?.keys.some((key) => certificateIn(key) === certificate) === true) return true;
    if (jwksUri === '') return false;
    try {
      const place = { url: jwksUri, ownerId: client.project.orgId };
      const found = await this.published.findKey(place, (keys) =>
        keys.find((key) => certificateIn(key) === certificate),
      );
      return found !== undefined;
    } catch (error) {
      if (error instanceof KeySetUnusable) return false;
      throw error;
    }
  }

  private async load({ url, ownerId }: DocumentPlace): Promise<readonly JWK[]> {
    try {
      const found = readKeySet(await this.outbound.getJson(url, ownerId, MAX_BYTES), MAX_KEYS);
      // Checked once when the set is read, and not when a certificate is compared.
      const usable = found?.usable.filter((key) => certificateProblem(key) === undefined) ?? [];
      if (usable.length > 0) return usable;
      throw this.unusable(url, found ? 'no_usable_key' : 'no_key_set');
    } catch (error) {
      throw error instanceof DomainError ? this.unusable(url, error.reason) : error;
    }
  }

  private unusable(url: string, detail: string): KeySetUnusable {
    this.log.warn({ reason: 'client.key_set_unusable', detail, url }, 'key set of an application unusable');
    return new KeySetUnusable(detail);
  }
}
