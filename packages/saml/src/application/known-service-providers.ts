import { Injectable } from '@nestjs/common';
import type { ServiceProvider } from '../metadata/service-provider.js';
import { ServiceProviderMetadata } from './service-provider-metadata.js';

/** Documents have at most 256 KiB. */
const MOST = 100;

/**
 * Metadata as it was read, so that not each request of anybody reads it again: a document with many certificates takes
 * a quarter of a second (SML-020).
 */
@Injectable()
export class KnownServiceProviders {
  /** The one that was used last is at the end. */
  private readonly known = new Map<string, ServiceProvider>();

  constructor(private readonly stored: ServiceProviderMetadata) {}

  /** @throws SamlRefusal */
  read(xml: string, readAt: Date): ServiceProvider {
    const key = `${readAt.toISOString()} ${xml}`;
    const serviceProvider = this.known.get(key) ?? this.stored.read(xml, readAt);
    this.known.delete(key);
    this.known.set(key, serviceProvider);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
    return serviceProvider;
  }
}
