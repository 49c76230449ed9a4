import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { columnsOf } from '../../foundation/database/columns.js';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { ClientRow } from './client.entity.js';
import { Client } from './client.js';
import { SETTING_NAMES } from './client-settings.js';

const FIND_ACTIVE = statement(
  'client.active',
  `SELECT ${columnsOf(ClientRow, 'c', ['id', 'clientId', 'clientEpoch', 'creationDate', 'sequence', 'secretHash', 'administration', ...SETTING_NAMES])},
     json_build_object(
       'id', p.id,
       'orgId', p.org_id,
       'projectRoleAssertion', p.project_role_assertion,
       'projectRoleCheck', p.project_role_check,
       'hasProjectCheck', p.has_project_check,
       'privateLabelingSetting', p.private_labeling_setting,
       'roleKeys', (
         SELECT coalesce(json_agg(r.key ORDER BY r.key), '[]')
         FROM project_role r
         WHERE r.project_id = p.id),
       'grantedOrgIds', CASE WHEN p.has_project_check THEN (
         SELECT coalesce(json_agg(pg.granted_org_id), '[]')
         FROM project_grant pg
         WHERE pg.project_id = p.id AND pg.state = 'active') ELSE '[]' END
     ) AS project,
     (SELECT coalesce(
        json_agg(json_build_object('id', k.id, 'publicKey', k.public_key, 'expiresAt', k.expires_at)), '[]')
      FROM client_key k
      WHERE k.client_row_id = c.id) AS keys
   FROM client c
   JOIN project p ON p.id = c.project_id AND p.state = 'active'
   JOIN org o ON o.id = p.org_id AND o.state = 'active'
   WHERE c.client_id = :clientId AND c.state = 'active'`,
).rows<ActiveRow>();

type ActiveRow = ClientRow & {
  project: Client['project'];
  keys: Array<{ id: string; publicKey: JWK; expiresAt: string }>;
};

@Injectable()
export class ClientRepository {
  constructor(private readonly database: Database) {}

  async findActive(clientId: string): Promise<Client | undefined> {
    const [row] = await this.database.query(FIND_ACTIVE, { clientId });
    if (!row) return undefined;
    const { project, keys, ...client } = row;
    return new Client(
      client,
      project,
      keys.map(({ id, publicKey, expiresAt }) => ({
        publicKey: { ...publicKey, kid: id },
        expiresAt: new Date(expiresAt),
      })),
    );
  }
}
