import { Injectable } from '@nestjs/common';
import { Clock, Outbound } from 'gatehouse';
import { readServiceProvider, type ServiceProvider } from '../metadata/service-provider.js';
import { SamlRefusal } from '../refusal.js';
import { SamlSettings } from '../saml.settings.js';
import { metadataInvalid, metadataUnavailable, oneSource } from './application.errors.js';

/** Where a manager has the metadata from: one of the two, the other is empty. */
export interface MetadataSource {
  readonly metadata: string;
  readonly metadataUrl: string;
}

/** Metadata that was taken. */
export interface TakenMetadata {
  readonly xml: string;
  /** Empty if it was given as XML. */
  readonly url: string;
  readonly readAt: Date;
  readonly serviceProvider: ServiceProvider;
}

/** SAML Core §8.3.6 says characters; longer ones would not fit into the index by which they are found. */
const MAX_ENTITY_ID_BYTES = 1_024;
const ACCEPT = 'application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.8';

/** Takes metadata of service providers, given as XML or by its address. */
@Injectable()
export class ServiceProviderMetadata {
  constructor(
    private readonly outbound: Outbound,
    private readonly clock: Clock,
    private readonly settings: SamlSettings,
  ) {}

  /** @throws DomainError InvalidArgument `saml.metadata_…`; `outbound.…` */
  async take({ metadata, metadataUrl: url }: MetadataSource): Promise<TakenMetadata> {
    if ((metadata === '') === (url === '')) throw oneSource();
    const xml = url === '' ? metadata : await this.fetch(url);
    const readAt = this.clock.now();
    const serviceProvider = this.check(xml, readAt);
    if (Buffer.byteLength(serviceProvider.entityId) > MAX_ENTITY_ID_BYTES) throw metadataInvalid('a long entityID');
    return { xml, url, readAt, serviceProvider };
  }

  /** @throws DomainError InvalidArgument `saml.metadata_invalid` */
  check(xml: string, readAt: Date): ServiceProvider {
    try {
      return this.read(xml, readAt);
    } catch (error) {
      throw error instanceof SamlRefusal ? metadataInvalid(error.message) : error;
    }
  }

  /**
   * @param readAt when it was taken: an administrator has believed it then, and says when something else holds
   * @throws SamlRefusal
   */
  read(xml: string, readAt: Date): ServiceProvider {
    return readServiceProvider(Buffer.from(xml), readAt, this.settings);
  }

  private async fetch(url: string): Promise<string> {
    const { status, text } = await this.outbound.send({ url, headers: { Accept: ACCEPT } });
    if (status !== 200) throw metadataUnavailable(status);
    return text;
  }
}
