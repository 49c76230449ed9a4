const TYPES = new Map(
  [
    'Grant',
    'Session',
    'AccessToken',
    'AuthorizationCode',
    'RefreshToken',
    'ClientCredentials',
    'Client',
    'InitialAccessToken',
    'RegistrationAccessToken',
    'DeviceCode',
    'Interaction',
    'ReplayDetection',
    'BackchannelAuthenticationRequest',
    'PushedAuthorizationRequest',
    'PreAuthorizedCode',
  ].map((name, index) => [name, index + 1]),
);

const UPSERT = `
  INSERT INTO oidc_payload (id, type, payload, grant_id, user_code, uid, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (id, type) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
    user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`;
const COLUMNS = 'SELECT payload, consumed_at FROM oidc_payload';
const LIVING = '(expires_at IS NULL OR expires_at > now())';
const FIND = `${COLUMNS} WHERE id = $1 AND type = $2 AND ${LIVING}`;
const FIND_BY_UID = `${COLUMNS} WHERE uid = $1 AND type = $2 AND ${LIVING}`;
const FIND_BY_USER_CODE = `${COLUMNS} WHERE user_code = $1 AND type = $2 AND ${LIVING}`;
const CONSUME = 'UPDATE oidc_payload SET consumed_at = now() WHERE id = $1 AND type = $2';
const DESTROY = 'DELETE FROM oidc_payload WHERE id = $1 AND type = $2';
const REVOKE = 'DELETE FROM oidc_payload WHERE grant_id = $1';

/**
 * The storage that oidc-provider asks for, on PostgreSQL: each call is one prepared, named statement on a pool.
 * @param {import('pg').Pool} pool
 */
export function postgresAdapter(pool) {
  return class PostgresAdapter {
    constructor(name) {
      this.type = TYPES.get(name);
      if (this.type === undefined) throw new Error(`unknown model ${name}`);
    }

    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null;
      await pool.query({
        name: 'upsert',
        text: UPSERT,
        values: [
          id,
          this.type,
          JSON.stringify(payload),
          payload.grantId ?? null,
          payload.userCode ?? null,
          payload.uid ?? null,
          expiresAt,
        ],
      });
    }

    async find(id) {
      return toPayload(await pool.query({ name: 'find', text: FIND, values: [id, this.type] }));
    }

    async findByUid(uid) {
      return toPayload(await pool.query({ name: 'find_by_uid', text: FIND_BY_UID, values: [uid, this.type] }));
    }

    async findByUserCode(userCode) {
      return toPayload(
        await pool.query({ name: 'find_by_user_code', text: FIND_BY_USER_CODE, values: [userCode, this.type] }),
      );
    }

    async consume(id) {
      await pool.query({ name: 'consume', text: CONSUME, values: [id, this.type] });
    }

    async destroy(id) {
      await pool.query({ name: 'destroy', text: DESTROY, values: [id, this.type] });
    }

    async revokeByGrantId(grantId) {
      await pool.query({ name: 'revoke_by_grant', text: REVOKE, values: [grantId] });
    }
  };
}

function toPayload({ rows: [row] }) {
  if (!row) return undefined;
  return row.consumed_at ? { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : row.payload;
}
