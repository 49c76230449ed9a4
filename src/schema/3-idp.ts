import type { MigrationInterface, QueryRunner } from 'typeorm';

/** External identity providers, their links to users, and the login policies that list them. */
export class Idp1795219200003 implements MigrationInterface {
  readonly name = 'Idp1795219200003';

  private readonly statements = [
    `CREATE TABLE idp (
      id text NOT NULL,
      owner_id text NOT NULL,
      name text NOT NULL,
      state text NOT NULL DEFAULT 'active',
      styling_type text NOT NULL DEFAULT 'unspecified',
      auto_register boolean NOT NULL DEFAULT false,
      type text NOT NULL,
      issuer text NOT NULL,
      client_id text NOT NULL DEFAULT '',
      client_secret text NOT NULL DEFAULT '',
      scopes text[] NOT NULL DEFAULT '{}',
      display_name_mapping text NOT NULL DEFAULT 'unspecified',
      username_mapping text NOT NULL DEFAULT 'unspecified',
      jwt_endpoint text NOT NULL DEFAULT '',
      keys_endpoint text NOT NULL DEFAULT '',
      header_name text NOT NULL DEFAULT '',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT idp_pkey PRIMARY KEY (id))`,
    `CREATE UNIQUE INDEX idp_owner_name_key ON idp (owner_id, name)`,
    `CREATE TABLE idp_link (
      idp_id text NOT NULL,
      external_user_id text NOT NULL,
      user_id text NOT NULL,
      display_name text NOT NULL DEFAULT '',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT idp_link_pkey PRIMARY KEY (idp_id, external_user_id),
      CONSTRAINT idp_link_idp_id_fkey FOREIGN KEY (idp_id) REFERENCES idp(id) ON DELETE CASCADE,
      CONSTRAINT idp_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE)`,
    `CREATE INDEX idp_link_user_id_idx ON idp_link (user_id)`,
    `CREATE TABLE login_policy_idp (
      owner_id text NOT NULL,
      idp_id text NOT NULL,
      CONSTRAINT login_policy_idp_pkey PRIMARY KEY (owner_id, idp_id),
      CONSTRAINT login_policy_idp_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES login_policy(owner_id) ON DELETE CASCADE,
      CONSTRAINT login_policy_idp_idp_id_fkey FOREIGN KEY (idp_id) REFERENCES idp(id) ON DELETE CASCADE)`,
    `CREATE INDEX login_policy_idp_idp_id_idx ON login_policy_idp (idp_id)`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
