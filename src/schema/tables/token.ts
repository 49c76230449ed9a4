import { RECORDED } from './recorded.js';

/** Signing keys, tokens, device codes, and what was used and must not be used again. */
export const TOKEN: readonly string[] = [
  `CREATE TABLE signing_key (
     id text PRIMARY KEY,
     state text NOT NULL,
     purpose text NOT NULL DEFAULT 'general',
     algorithm text NOT NULL,
     public_key jsonb NOT NULL,
     private_key text NOT NULL,
     due_at timestamptz,
     activated_at timestamptz,
     retired_at timestamptz,
     ${RECORDED})`,
  `CREATE UNIQUE INDEX signing_key_active_key ON signing_key (purpose) WHERE state = 'active'`,
  `CREATE TABLE token_family (
     id text PRIMARY KEY,
     client_id text NOT NULL,
     user_id text NOT NULL,
     session_id text NOT NULL,
     scopes text[] NOT NULL,
     resources text[] NOT NULL DEFAULT '{}',
     claims jsonb,
     auth_time timestamptz NOT NULL,
     amr text[] NOT NULL,
     acr_requested boolean NOT NULL,
     token_epoch integer NOT NULL,
     dpop_jkt text,
     generation integer NOT NULL DEFAULT 1,
     created_at timestamptz NOT NULL,
     spent_at timestamptz NOT NULL,
     idle_expires_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL,
     revoked_at timestamptz)`,
  `CREATE INDEX token_family_expires_at_idx ON token_family (expires_at)`,
  // Users download their refresh tokens page by page, as their sessions.
  `CREATE INDEX token_family_user_id_created_at_id_idx ON token_family (user_id, created_at, id)`,
  `CREATE TABLE token_end (
     id text PRIMARY KEY,
     issued_until bigint,
     keep_until timestamptz NOT NULL)`,
  `CREATE INDEX token_end_keep_until_idx ON token_end (keep_until)`,
  `CREATE TABLE personal_access_token (
     id text PRIMARY KEY,
     user_id text NOT NULL REFERENCES user_account ON DELETE CASCADE,
     token_hash bytea NOT NULL,
     scopes text[] NOT NULL,
     expires_at timestamptz NOT NULL,
     ${RECORDED})`,
  `CREATE UNIQUE INDEX personal_access_token_hash_key ON personal_access_token (token_hash)`,
  `CREATE INDEX personal_access_token_user_id_idx ON personal_access_token (user_id)`,
  // This table has no foreign keys: rows live for minutes, and client and user are checked when one is used.
  `CREATE TABLE device_authorization (
     id text PRIMARY KEY,
     user_code_hash bytea NOT NULL,
     client_id text NOT NULL,
     scopes text[] NOT NULL,
     resources text[] NOT NULL DEFAULT '{}',
     required_org_id text,
     network text NOT NULL,
     created_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL,
     state text NOT NULL DEFAULT 'pending',
     user_id text,
     session_id text,
     auth_time timestamptz,
     amr text[] NOT NULL DEFAULT '{}',
     token_epoch integer NOT NULL DEFAULT 0,
     redeemed_at timestamptz)`,
  `CREATE UNIQUE INDEX device_authorization_user_code_hash_key ON device_authorization (user_code_hash)`,
  `CREATE INDEX device_authorization_expires_at_idx ON device_authorization (expires_at)`,
  // Each new device counts how many others of its application and its network wait for their users.
  `CREATE INDEX device_authorization_network_idx ON device_authorization (client_id, network, expires_at)
     WHERE state = 'pending'`,
  `CREATE TABLE spent_assertion (
     digest bytea PRIMARY KEY,
     keep_until timestamptz NOT NULL)`,
  `CREATE INDEX spent_assertion_keep_until_idx ON spent_assertion (keep_until)`,
  // A proof is remembered for two minutes at most, so that a crash may empty it.
  `CREATE UNLOGGED TABLE spent_proof (
     digest bytea PRIMARY KEY,
     keep_until timestamptz NOT NULL)`,
  `CREATE INDEX spent_proof_keep_until_idx ON spent_proof (keep_until)`,
];
