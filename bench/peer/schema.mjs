/**
 * One table for everything that the peer keeps, as its adapters usually have it. The partial indexes cost nothing for
 * rows that have no such value, and there is no index on the expiry: a nightly purge may scan the table, and the benchmark need not pay for an index.
 */
export const PEER_SCHEMA = `
CREATE TABLE IF NOT EXISTS oidc_payload (
  id          text NOT NULL,
  type        smallint NOT NULL,
  payload     jsonb NOT NULL,
  grant_id    text,
  user_code   text,
  uid         text,
  expires_at  timestamptz,
  consumed_at timestamptz,
  PRIMARY KEY (id, type)
);
CREATE INDEX IF NOT EXISTS oidc_payload_grant ON oidc_payload (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS oidc_payload_user_code ON oidc_payload (user_code) WHERE user_code IS NOT NULL;
CREATE INDEX IF NOT EXISTS oidc_payload_uid ON oidc_payload (uid) WHERE uid IS NOT NULL;

CREATE TABLE IF NOT EXISTS account (
  id             text PRIMARY KEY,
  login_name     text NOT NULL UNIQUE,
  password_hash  text NOT NULL,
  given_name     text NOT NULL,
  family_name    text NOT NULL,
  locale         text NOT NULL,
  email          text NOT NULL,
  email_verified boolean NOT NULL,
  updated_at     timestamptz NOT NULL DEFAULT now()
);
`;
