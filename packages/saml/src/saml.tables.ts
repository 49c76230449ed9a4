import type { SchemaChange } from 'gatehouse';

/** Tables in the schema `ext_saml`. What an application or a user has goes with it. */
export const SCHEMA_CHANGES: readonly SchemaChange[] = [
  {
    name: '1-identity-provider',
    up: `
      CREATE TABLE application (
        client_id text PRIMARY KEY REFERENCES client (id) ON DELETE CASCADE,
        entity_id text NOT NULL CONSTRAINT application_entity_key UNIQUE,
        metadata text NOT NULL,
        metadata_url text NOT NULL,
        read_at timestamptz NOT NULL,
        valid_until timestamptz,
        name_id_format text NOT NULL,
        attributes jsonb NOT NULL,
        allow_idp_initiated boolean NOT NULL,
        require_signed_requests boolean NOT NULL
      );

      CREATE TABLE name_id (
        client_id text NOT NULL REFERENCES application (client_id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        value text NOT NULL,
        PRIMARY KEY (client_id, user_id),
        UNIQUE (client_id, value)
      );
      CREATE INDEX name_id_user_idx ON name_id (user_id);

      CREATE TABLE certificate (
        id text PRIMARY KEY,
        state text NOT NULL UNIQUE CHECK (state IN ('current', 'next')),
        certificate text NOT NULL,
        private_key text NOT NULL,
        not_after timestamptz NOT NULL
      );

      CREATE TABLE logout (
        id text PRIMARY KEY,
        client_id text NOT NULL REFERENCES application (client_id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        request_id text NOT NULL,
        relay_state text,
        is_partial boolean NOT NULL,
        asked_client_id text,
        asked_request_id text,
        begun_at timestamptz NOT NULL
      );
      CREATE INDEX logout_client_idx ON logout (client_id);
      CREATE INDEX logout_user_idx ON logout (user_id);
      CREATE INDEX logout_begun_idx ON logout (begun_at);

      CREATE TABLE participant (
        session_id text NOT NULL,
        client_id text NOT NULL REFERENCES application (client_id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        name_id text NOT NULL,
        name_id_format text NOT NULL,
        logout_id text REFERENCES logout (id) ON DELETE CASCADE,
        signed_in_at timestamptz NOT NULL,
        PRIMARY KEY (session_id, client_id)
      );
      CREATE INDEX participant_client_idx ON participant (client_id);
      CREATE INDEX participant_user_idx ON participant (user_id);
      CREATE INDEX participant_logout_idx ON participant (logout_id, client_id, session_id);
      CREATE INDEX participant_signed_in_idx ON participant (signed_in_at)`,
  },
  {
    name: '2-provider-metadata',
    up: `
      CREATE TABLE provider_metadata (
        provider_id text PRIMARY KEY REFERENCES idp (id) ON DELETE CASCADE,
        source text NOT NULL,
        entity_id text NOT NULL,
        xml text NOT NULL,
        read_at timestamptz NOT NULL,
        tried_at timestamptz NOT NULL
      )`,
  },
];
