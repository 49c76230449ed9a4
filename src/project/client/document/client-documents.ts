import { Injectable } from '@nestjs/common';
import { RequestRate } from '../../../foundation/attempt/request-rate.js';
import { IssuerConfig, LoginConfig, SelfDescribedConfig } from '../../../foundation/config/config.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { RemoteDocuments } from '../../../foundation/jwk-set/remote-documents.js';
import { Logger } from '../../../foundation/log/logger.js';
import { Tallies } from '../../../foundation/metrics/tallies.js';
import { type JsonObject, OutboundClient } from '../../../foundation/outbound/outbound-client.js';
import { Clock } from '../../../foundation/time/clock.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { clientDocumentRefused } from '../client.errors.js';
import type { ClientSettings } from '../client-settings.js';
import {
  type DescribedSettings,
  isLoopbackUri,
  type MetadataRules,
  readMetadata,
} from '../metadata/client-metadata.js';
import { type DocumentUrl, isAllowedHost, readDocumentUrl, validSecondsOf } from './document-url.js';

/** The limit that the draft recommends (Maximum Response Size for Client Metadata Documents). */
const MAX_BYTES = 5_000;
const MAX_MS = 5_000;
/** Strangers choose the paths: this is what they can make us do to a host. */
const FETCHES_PER_SECOND = 5;
const SECRETS = ['client_secret', 'client_secret_expires_at'];

interface ReadDocument {
  readonly settings: DocumentSettings;
  readonly validSeconds: number;
}

/** The settings of an application that is described by a document. */
export type DocumentSettings = DescribedSettings &
  Pick<ClientSettings, 'kind' | 'origin' | 'accessTokenType' | 'requireAssertionId' | 'consentPage'>;

/**
 * Metadata documents: applications that are described at the address that is their client ID
 * (draft-ietf-oauth-client-id-metadata-document), for the hosts that the operator names. Failures are not cached, as
 * the draft demands (Metadata Caching); what bounds the requests is their rate.
 */
@Injectable()
export class ClientDocuments {
  private readonly documents: RemoteDocuments<ReadDocument>;
  private readonly rate = new RequestRate(FETCHES_PER_SECOND, 1);

  constructor(
    private readonly outbound: OutboundClient,
    private readonly config: SelfDescribedConfig,
    private readonly issuer: IssuerConfig,
    private readonly limits: LoginConfig,
    private readonly instances: InstanceService,
    private readonly tallies: Tallies,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    if (config.documentHosts.includes('*'))
      log.warn(
        { reason: 'config.any_document_host' },
        'CLIENT_DOCUMENT_HOSTS is *: anybody can ask users for their consent',
      );
    this.documents = new RemoteDocuments(
      clock,
      ({ url }) => this.load(url),
      0,
      ({ validSeconds }) => validSeconds,
    );
  }

  /** The address, if the client ID is one that may be read. */
  allowed(clientId: string): DocumentUrl | undefined {
    if (!this.config.readsDocuments || !clientId.startsWith('https://')) return undefined;
    const url = readDocumentUrl(clientId);
    return url && isAllowedHost(url.host, this.config.documentHosts) ? url : undefined;
  }

  /** The settings that were read before and still count. */
  findKnown({ url }: DocumentUrl): DocumentSettings | undefined {
    return this.documents.find({ url, ownerId: this.issuer.publicUrl })?.settings;
  }

  /**
   * @throws DomainError FailedPrecondition `client.document_refused` with the reason; ResourceExhausted for too many
   * documents of one host
   */
  async read({ url }: DocumentUrl): Promise<DocumentSettings> {
    return (await this.documents.get({ url, ownerId: this.issuer.publicUrl })).settings;
  }

  private async load(url: string): Promise<ReadDocument> {
    try {
      const { host } = new URL(url);
      if (this.limits.limits) this.rate.count(host, this.clock.now());
      const { value, headers } = await this.outbound.getJsonAnswer({
        url,
        ownerId: this.issuer.publicUrl,
        maxBytes: MAX_BYTES,
        timeoutMs: MAX_MS,
      });
      const { signingAlgorithm } = await this.instances.get();
      const settings = readDocument(url, value, {
        userinfoAlgorithm: signingAlgorithm,
        takesRequestUris: this.issuer.fetchesRequestObjects,
      });
      this.tallies.add('clientDocuments', 'read');
      return { settings, validSeconds: validSecondsOf(headers['cache-control']) };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'Internal') throw error;
      const isLimit = error.kind === 'ResourceExhausted';
      this.tallies.add('clientDocuments', isLimit ? 'limited' : 'refused');
      this.log.warn(
        { reason: 'client.document_refused', detail: error.reason, problem: error.message, url },
        'refused',
      );
      throw isLimit ? error : clientDocumentRefused(error);
    }
  }
}

/** @throws DomainError for a document that describes no application that may be used here */
function readDocument(
  url: string,
  document: JsonObject,
  rules: Pick<MetadataRules, 'userinfoAlgorithm' | 'takesRequestUris'>,
): DocumentSettings {
  const { origin, hostname } = new URL(url);
  // Draft, Client Metadata Document: compared as text (RFC 3986 §6.2.1).
  if (document['client_id'] !== url) throw unusable('client_id', 'must be the address of the document');
  for (const member of SECRETS)
    if (document[member] !== undefined) throw unusable(member, 'must not be in a public document');
  const settings = readMetadata(document, {
    ...rules,
    authMethods: ['none', 'private_key_jwt'],
    grantTypes: ['authorization_code', 'refresh_token'],
    idTokenAlgorithms: ['RS256', 'ES256', 'EdDSA'],
    loopbackIsNative: true,
    defaultName: hostname,
    redirectHosts: [],
  });
  for (const uri of [...settings.redirectUris, ...settings.postLogoutRedirectUris])
    if (!isLoopbackUri(uri) && !uri.startsWith(`${origin}/`))
      throw unusable(
        'redirect_uris',
        'must be of the same origin as the document, or on localhost, 127.0.0.1 or [::1]',
      );
  if (settings.jwksUri !== '' && !settings.jwksUri.startsWith(`${origin}/`))
    throw unusable('jwks_uri', 'must be of the same origin as the document');
  const { backChannelLogoutUri } = settings;
  if (backChannelLogoutUri !== '' && !backChannelLogoutUri.startsWith(`${origin}/`))
    throw unusable('backchannel_logout_uri', 'must be of the same origin as the document');
  if (settings.requestUris.some((uri) => !uri.startsWith(`${origin}/`)))
    throw unusable('request_uris', 'must be of the same origin as the document');
  return {
    ...settings,
    kind: 'oidc',
    origin: 'document',
    accessTokenType: 'jwt',
    requireAssertionId: true,
    consentPage: true,
  };
}

function unusable(member: string, problem: string): DomainError {
  return new DomainError('InvalidArgument', 'client.document_unusable', `${member} ${problem}.`);
}
