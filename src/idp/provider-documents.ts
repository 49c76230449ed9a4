import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { DomainError } from '../foundation/error/domain-error.js';
import { readKeySet } from '../foundation/jwk-set/key-set.js';
import { PublishedKeySets } from '../foundation/jwk-set/published-key-sets.js';
import { type DocumentPlace, RemoteDocuments } from '../foundation/jwk-set/remote-documents.js';
import { Logger } from '../foundation/log/logger.js';
import { type JsonObject, OutboundClient } from '../foundation/outbound/outbound-client.js';
import { Clock } from '../foundation/time/clock.js';
import type { Idp } from './idp.entity.js';
import { providerFailed } from './idp.errors.js';

/** The metadata of an OpenID provider (OpenID Connect Discovery 1.0 §3) that a sign-in needs. */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly keysUrl: string;
  readonly userInfoEndpoint: string | undefined;
  readonly clientAuthMethods: readonly string[];
  /** RFC 9207 §3 */
  readonly namesItself: boolean;
  readonly responseModes: readonly string[] | undefined;
  readonly prompts: readonly string[] | undefined;
}

/** The metadata and keys that providers publish, fetched with the one outbound client. */
@Injectable()
export class ProviderDocuments {
  private readonly metadata: RemoteDocuments<ProviderMetadata>;
  private readonly keySets: PublishedKeySets;

  constructor(
    private readonly outbound: OutboundClient,
    private readonly log: Logger,
    clock: Clock,
  ) {
    this.metadata = new RemoteDocuments(clock, (place) => this.loadMetadata(place));
    this.keySets = new PublishedKeySets(clock, (place) => this.loadKeys(place));
  }

  /** @throws DomainError Unavailable `idp.provider_failed` */
  async metadataOf({ issuer, ownerId }: Pick<Idp, 'issuer' | 'ownerId'>): Promise<ProviderMetadata> {
    return this.metadata.get({ url: issuer, ownerId });
  }

  /**
   * The first key set in which `choose` finds a key: the cached one, otherwise a newly fetched one.
   * @throws DomainError Unavailable `idp.provider_failed`
   */
  async findKey(place: DocumentPlace, choose: (keys: readonly JWK[]) => JWK | undefined): Promise<JWK | undefined> {
    return this.keySets.findKey(place, choose);
  }

  private async loadMetadata({ url: issuer, ownerId }: DocumentPlace): Promise<ProviderMetadata> {
    // OpenID Connect Discovery 1.0 §4: a trailing slash of the issuer is removed first.
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await this.fetch(url, ownerId);
    // OpenID Connect Discovery 1.0 §4.3: must be identical, or another provider could impersonate this one (IDP-003).
    if (document['issuer'] !== issuer) throw this.unusable(url, 'issuer_differs');
    const authorizationEndpoint = this.endpoint(document, 'authorization_endpoint', url);
    return {
      issuer,
      authorizationEndpoint,
      tokenEndpoint: this.endpoint(document, 'token_endpoint', url),
      keysUrl: this.endpoint(document, 'jwks_uri', url),
      userInfoEndpoint:
        document['userinfo_endpoint'] === undefined ? undefined : this.endpoint(document, 'userinfo_endpoint', url),
      // OpenID Connect Discovery 1.0 §3
      clientAuthMethods: textsIn(document['token_endpoint_auth_methods_supported']) ?? ['client_secret_basic'],
      namesItself: document['authorization_response_iss_parameter_supported'] === true,
      responseModes: textsIn(document['response_modes_supported']),
      prompts: textsIn(document['prompt_values_supported']),
    };
  }

  private async loadKeys({ url, ownerId }: DocumentPlace): Promise<readonly JWK[]> {
    const found = readKeySet(await this.fetch(url, ownerId));
    if (!found) throw this.unusable(url, 'no_key_set');
    if (found.usable.length === 0) throw this.unusable(url, 'no_usable_key');
    return found.usable;
  }

  /**
   * Accepts only addresses that we would store, and none in a network that must not be called: browsers are not sent
   * there either (IDP-020).
   */
  private endpoint(document: JsonObject, name: string, url: string): string {
    const value = document[name];
    try {
      if (typeof value === 'string') this.outbound.checkUrl(value);
      else throw this.unusable(url, `${name}_missing`);
    } catch (error) {
      throw error instanceof DomainError && error.reason.startsWith('outbound.')
        ? this.unusable(url, `${name}_refused`)
        : error;
    }
    return value;
  }

  private async fetch(url: string, ownerId: string): Promise<JsonObject> {
    try {
      return await this.outbound.getJson(url, ownerId);
    } catch (error) {
      throw error instanceof DomainError ? this.unusable(url, error.reason) : error;
    }
  }

  /** The error for the administrator, who reads the log and sees the same when testing the provider. */
  private unusable(url: string, detail: string): DomainError {
    this.log.warn({ reason: 'idp.provider_failed', detail, url }, 'identity provider unusable');
    return providerFailed(detail);
  }
}

function textsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined;
}
