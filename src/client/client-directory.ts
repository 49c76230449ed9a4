import { Injectable } from '@nestjs/common';
import { type Condition, equals, type TextMatch, textMatches } from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { ClientRow } from './client.entity.js';
import { clientKeyNotFound, clientNotFound } from './client.errors.js';
import { ClientKey } from './client-key.entity.js';

/** An application as shown: everything except the digest of its secret and internal ids. */
export type ClientEntry = Omit<ClientRow, 'secretHash' | 'tokenEpoch'>;

export type ClientColumn = 'name';
export type ClientKeyColumn = 'id';

const CLIENTS = new Listing<ClientEntry, ClientColumn>({
  select: `c.id, c.client_id AS "clientId", c.project_id AS "projectId", c.kind, c.name, c.state, c.auth_method AS "authMethod",
    c.strict_auth_method AS "strictAuthMethod",
    c.client_type AS "clientType", c.redirect_uris AS "redirectUris", c.post_logout_redirect_uris AS "postLogoutRedirectUris",
    c.response_types AS "responseTypes", c.grant_types AS "grantTypes", c.access_token_type AS "accessTokenType",
    c.access_token_header_type AS "accessTokenHeaderType",
    c.access_token_role_assertion AS "accessTokenRoleAssertion", c.id_token_role_assertion AS "idTokenRoleAssertion",
    c.id_token_userinfo_assertion AS "idTokenUserinfoAssertion", c.flat_roles_claim AS "flatRolesClaim", c.dev_mode AS "devMode",
    c.consent_page AS "consentPage", c.clock_skew_seconds AS "clockSkewSeconds", c.additional_origins AS "additionalOrigins",
    c.skip_native_app_success_page AS "skipNativeAppSuccessPage", c.back_channel_logout_uri AS "backChannelLogoutUri",
    c.login_version AS "loginVersion", c.login_base_uri AS "loginBaseUri", c.access_token_seconds AS "accessTokenSeconds",
    c.id_token_seconds AS "idTokenSeconds", c.sequence, c.creation_date AS "creationDate", c.change_date AS "changeDate"`,
  from: 'client c',
  key: 'c.id',
  sort: { name: 'c.name' },
});

const KEYS = new Listing<ClientKey, ClientKeyColumn>({
  select: `k.id, k.client_row_id AS "clientRowId", k.public_key AS "publicKey", k.expires_at AS "expiresAt", k.sequence,
    k.creation_date AS "creationDate", k.change_date AS "changeDate"`,
  from: 'client_key k',
  key: 'k.id',
  sort: { id: 'k.id' },
});

/** Looks up applications of a project, and their keys. */
@Injectable()
export class ClientDirectory {
  constructor(private readonly database: Database) {}

  /** @throws DomainError NotFound `client.not_found`, also for an application of another project */
  async get(projectId: string, id: string): Promise<ClientEntry> {
    const client = await this.database.entities.findOneBy(ClientRow, { id, projectId });
    if (!client) throw clientNotFound();
    return client;
  }

  async list(projectId: string, request: ListRequest<ClientColumn>): Promise<Page<ClientEntry>> {
    return CLIENTS.page(this.database, { ...request, where: [equals('c.project_id', projectId), ...request.where] });
  }

  /** @throws DomainError NotFound `client.key_not_found` */
  async getKey(clientRowId: string, id: string): Promise<ClientKey> {
    const key = await this.database.entities.findOneBy(ClientKey, { id, clientRowId });
    if (!key) throw clientKeyNotFound();
    return key;
  }

  async listKeys(clientRowId: string, request: ListRequest<ClientKeyColumn>): Promise<Page<ClientKey>> {
    return KEYS.page(this.database, { ...request, where: [equals('k.client_row_id', clientRowId), ...request.where] });
  }
}

/** Filters for a list of applications. */
export const clientWhere = {
  name: (how: TextMatch, text: string): Condition => textMatches('c.name', how, text),
} as const;
