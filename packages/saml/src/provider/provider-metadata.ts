import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Database, type IdpHttp, Log } from 'gatehouse';
import { type IdentityProvider, readIdentityProvider } from '../metadata/identity-provider.js';
import { SamlRefusal } from '../refusal.js';
import { SamlSettings } from '../saml.settings.js';
import type { SamlProviderSettings } from './saml-provider.settings.js';

/** A provider, and what its administrator has said of its metadata. */
export interface MetadataOf {
  readonly providerId: string;
  readonly settings: Pick<SamlProviderSettings, 'metadata' | 'metadataUrl'>;
}

interface Row {
  /** What it was read from: the address, or a digest of the text. Other settings have other metadata. */
  readonly source: string;
  readonly entityId: string;
  readonly xml: string;
  readonly readAt: Date;
  readonly triedAt: Date;
}

const DAY_MS = 86_400_000;
/** How soon a failure is tried again, and how often a signature by an unknown key may lead to the address. */
const PATIENCE_MS = 600_000;
const ACCEPT = 'application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.8';

const FIND = `SELECT source, entity_id AS "entityId", xml, read_at AS "readAt", tried_at AS "triedAt"
  FROM ext_saml.provider_metadata WHERE provider_id = :providerId`;
const KEEP = `INSERT INTO ext_saml.provider_metadata (provider_id, source, entity_id, xml, read_at, tried_at)
  VALUES (:providerId, :source, :entityId, :xml, :now, :now)
  ON CONFLICT (provider_id) DO UPDATE SET source = excluded.source, entity_id = excluded.entity_id, xml = excluded.xml,
    read_at = excluded.read_at, tried_at = excluded.tried_at`;
const TRIED = 'UPDATE ext_saml.provider_metadata SET tried_at = :now WHERE provider_id = :providerId';

/**
 * Metadata of identity providers. What stands at an address is read again once a day, and taken only from the entity
 * that was there first: whoever comes by the address later cannot become another provider (SML-011).
 */
@Injectable()
export class ProviderMetadata {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly allowed: SamlSettings,
  ) {}

  /**
   * The provider as it is known today.
   * @throws SamlRefusal `metadata_…` and others, if there is none that could be believed
   * @throws DomainError `outbound.…`
   */
  async of(given: MetadataOf, http: IdpHttp): Promise<IdentityProvider> {
    const row = await this.row(given);
    if (!row) return this.first(given, http);
    if (given.settings.metadataUrl === '' || this.sinceMs(row.readAt) < DAY_MS) return this.believed(row);
    return this.sinceMs(row.triedAt) < PATIENCE_MS ? this.believed(row) : this.again(given, row, http);
  }

  /**
   * The provider after its keys may have changed; undefined if it has been read just now, or has no address.
   * @throws SamlRefusal, DomainError as `of`
   */
  async renewed(given: MetadataOf, http: IdpHttp): Promise<IdentityProvider | undefined> {
    const row = await this.row(given);
    const isLate = row && given.settings.metadataUrl !== '' && this.sinceMs(row.triedAt) >= PATIENCE_MS;
    return isLate ? this.again(given, row, http) : undefined;
  }

  private async row(given: MetadataOf): Promise<Row | undefined> {
    const [row] = await this.database.query<Row>(FIND, { providerId: given.providerId });
    return row?.source === sourceOf(given) ? row : undefined;
  }

  private async first(given: MetadataOf, http: IdpHttp): Promise<IdentityProvider> {
    const { metadata, metadataUrl } = given.settings;
    if ((metadata === '') === (metadataUrl === '')) throw new SamlRefusal('metadata_source');
    return this.keep(given, metadataUrl === '' ? metadata : await fetched(metadataUrl, http));
  }

  /** What cannot be read leaves things as they are, for as long as the last document says. */
  private async again(given: MetadataOf, row: Row, http: IdpHttp): Promise<IdentityProvider> {
    const { providerId, settings } = given;
    try {
      return await this.keep(given, await fetched(settings.metadataUrl, http), row.entityId);
    } catch (error) {
      const reason = error instanceof SamlRefusal ? `saml.${error.reason}` : 'saml.metadata_unavailable';
      this.log.warn({ reason, providerId, err: error }, 'Metadata of a provider could not be read again.');
      await this.database.query(TRIED, { providerId, now: this.clock.now() });
      const provider = this.believed(row);
      if (provider.validUntil && provider.validUntil <= this.clock.now()) throw new SamlRefusal('metadata_expired');
      return provider;
    }
  }

  private async keep(given: MetadataOf, xml: string, expected?: string): Promise<IdentityProvider> {
    const now = this.clock.now();
    const provider = readIdentityProvider(Buffer.from(xml), now, this.allowed);
    const { entityId } = provider;
    if (expected !== undefined && entityId !== expected) throw new SamlRefusal('metadata_other_entity');
    await this.database.query(KEEP, { providerId: given.providerId, source: sourceOf(given), entityId, xml, now });
    return provider;
  }

  /** An administrator, or the day on which it was read, has believed it then. */
  private believed({ xml, readAt }: Row): IdentityProvider {
    return readIdentityProvider(Buffer.from(xml), readAt, this.allowed);
  }

  private sinceMs(moment: Date): number {
    return this.clock.now().getTime() - moment.getTime();
  }
}

function sourceOf({ settings: { metadata, metadataUrl } }: MetadataOf): string {
  return metadataUrl === '' ? `sha256:${createHash('sha256').update(metadata).digest('hex')}` : metadataUrl;
}

async function fetched(url: string, http: IdpHttp): Promise<string> {
  const { status, text } = await http.send({ url, headers: { Accept: ACCEPT } });
  if (status !== 200) throw new SamlRefusal('metadata_unavailable', `status ${status}`);
  return text;
}
