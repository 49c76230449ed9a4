import { Injectable } from '@nestjs/common';
import { Database } from 'gatehouse';
import type { OfferedFormat } from '../idp/name-id-policy.js';
import type { ServiceProvider } from '../metadata/service-provider.js';
import type { AttributeMapping } from './attribute-mapping.js';
import { KnownServiceProviders } from './known-service-providers.js';

/** Names that are given to applications. */
export type NameIdFormat = Exclude<OfferedFormat, 'unspecified'>;
export const NAME_ID_FORMATS: readonly NameIdFormat[] = ['persistent', 'emailAddress', 'transient'];

/** An application as people sign in to it. */
export interface RegisteredApplication {
  readonly clientId: string;
  readonly serviceProvider: ServiceProvider;
  /** For requests that ask for none. */
  readonly nameIdFormat: NameIdFormat;
  readonly attributes: readonly AttributeMapping[];
  readonly allowIdpInitiated: boolean;
}

interface Row {
  readonly clientId: string;
  readonly metadata: string;
  readonly readAt: Date;
  readonly nameIdFormat: NameIdFormat;
  readonly attributes: readonly AttributeMapping[];
  readonly allowIdpInitiated: boolean;
  readonly requireSignedRequests: boolean;
}

const FIND = `SELECT a.client_id AS "clientId", a.metadata, a.read_at AS "readAt",
    a.name_id_format AS "nameIdFormat", a.attributes, a.allow_idp_initiated AS "allowIdpInitiated",
    a.require_signed_requests AS "requireSignedRequests"
  FROM ext_saml.application a
  JOIN client c ON c.id = a.client_id AND c.state = 'active'`;
const BY_ENTITY = `${FIND} WHERE a.entity_id = :entityId`;
const BY_ID = `${FIND} WHERE a.client_id = :clientId`;

/** Active applications, with what of their metadata says which messages are theirs, and where answers may go. */
@Injectable()
export class RegisteredApplications {
  constructor(
    private readonly database: Database,
    private readonly known: KnownServiceProviders,
  ) {}

  async byEntity(entityId: string): Promise<RegisteredApplication | undefined> {
    const [row] = await this.database.query<Row>(BY_ENTITY, { entityId });
    return row && this.read(row);
  }

  async byId(clientId: string): Promise<RegisteredApplication | undefined> {
    const [row] = await this.database.query<Row>(BY_ID, { clientId });
    return row && this.read(row);
  }

  private read({ metadata, readAt, requireSignedRequests, ...rest }: Row): RegisteredApplication {
    const serviceProvider = this.known.read(metadata, readAt);
    return {
      ...rest,
      serviceProvider: {
        ...serviceProvider,
        authnRequestsSigned: serviceProvider.authnRequestsSigned || requireSignedRequests,
      },
    };
  }
}
