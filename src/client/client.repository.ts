import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import type { ClientRow } from './client.entity.js';
import { Client } from './client.js';

const FIND_ACTIVE = statement(
  'client.active',
  `SELECT c.id, c.client_id AS "clientId", c.token_epoch AS "tokenEpoch", c.kind, c.name, c.auth_method AS "authMethod",
     c.strict_auth_method AS "strictAuthMethod", c.secret_hash AS "secretHash",
     c.client_type AS "clientType", c.redirect_uris AS "redirectUris",
     c.post_logout_redirect_uris AS "postLogoutRedirectUris", c.response_types AS "responseTypes",
     c.grant_types AS "grantTypes", c.access_token_type AS "accessTokenType",
     c.access_token_header_type AS "accessTokenHeaderType",
     c.access_token_role_assertion AS "accessTokenRoleAssertion", c.id_token_role_assertion AS "idTokenRoleAssertion",
     c.id_token_userinfo_assertion AS "idTokenUserinfoAssertion", c.flat_roles_claim AS "flatRolesClaim",
     c.dev_mode AS "devMode", c.consent_page AS "consentPage", c.clock_skew_seconds AS "clockSkewSeconds",
     c.additional_origins AS "additionalOrigins", c.access_token_seconds AS "accessTokenSeconds",
     c.id_token_seconds AS "idTokenSeconds", c.skip_native_app_success_page AS "skipNativeAppSuccessPage",
     json_build_object('id', p.id, 'orgId', p.org_id, 'projectRoleAssertion', p.project_role_assertion,
       'projectRoleCheck', p.project_role_check, 'hasProjectCheck', p.has_project_check, 'privateLabelingSetting', p.private_labeling_setting,
       'roleKeys', (SELECT coalesce(json_agg(r.key ORDER BY r.key), '[]') FROM project_role r WHERE r.project_id = p.id),
       'grantedOrgIds', CASE WHEN p.has_project_check THEN (SELECT coalesce(json_agg(pg.granted_org_id), '[]') FROM project_grant pg
         WHERE pg.project_id = p.id AND pg.state = 'active') ELSE '[]' END
     ) AS project,
     (SELECT coalesce(json_agg(json_build_object('id', k.id, 'publicKey', k.public_key, 'expiresAt', k.expires_at)), '[]')
        FROM client_key k WHERE k.client_row_id = c.id) AS keys
   FROM client c
   JOIN project p ON p.id = c.project_id AND p.state = 'active'
   JOIN org o ON o.id = p.org_id AND o.state = 'active'
   WHERE c.client_id = $1 AND c.state = 'active'`,
);

type ActiveRow = ClientRow & {
  project: Client['project'];
  keys: Array<{ id: string; publicKey: JWK; expiresAt: string }>;
};

@Injectable()
export class ClientRepository {
  constructor(private readonly database: Database) {}

  async findActive(clientId: string): Promise<Client | undefined> {
    const [row] = await this.database.query<ActiveRow>(FIND_ACTIVE, [clientId]);
    if (!row) return undefined;
    const { project, keys, ...client } = row;
    return new Client(
      client,
      project,
      keys.map((key) => ({ ...key, expiresAt: new Date(key.expiresAt) })),
    );
  }
}
