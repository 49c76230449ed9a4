import type { SchemaChange } from 'gatehouse';

/** Tables in the schema `ext_scim`. What a user, a group or a directory has goes with it. */
export const SCHEMA_CHANGES: readonly SchemaChange[] = [
  {
    name: '1-provisioned',
    up: `
      CREATE TABLE provisioned_user (
        user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
        directory_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        external_id text,
        said jsonb NOT NULL,
        became jsonb NOT NULL,
        email_type text NOT NULL,
        manager_id text NOT NULL,
        revision integer NOT NULL DEFAULT 0,
        changed_at timestamptz NOT NULL,
        was_locked boolean NOT NULL DEFAULT false
      );
      CREATE INDEX provisioned_user_directory_idx ON provisioned_user (directory_id, external_id);
      CREATE INDEX provisioned_user_email_type_idx ON provisioned_user (email_type);
      CREATE INDEX provisioned_user_manager_idx ON provisioned_user (manager_id);
      CREATE INDEX provisioned_user_changed_idx ON provisioned_user (changed_at);

      CREATE TABLE provisioned_value (
        user_id text NOT NULL REFERENCES provisioned_user (user_id) ON DELETE CASCADE,
        attribute text NOT NULL,
        position integer NOT NULL,
        type_key text NOT NULL,
        value_key text NOT NULL,
        PRIMARY KEY (user_id, attribute, position)
      );
      CREATE INDEX provisioned_value_value_idx ON provisioned_value (attribute, value_key);

      CREATE TABLE provisioned_group (
        group_id text PRIMARY KEY REFERENCES user_group (id) ON DELETE CASCADE,
        directory_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        external_id text,
        revision integer NOT NULL DEFAULT 0
      );
      CREATE INDEX provisioned_group_directory_idx ON provisioned_group (directory_id, external_id)`,
  },
];
