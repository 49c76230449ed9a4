import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registrations that wait for their code, attempts at codes, and what a pending sign-in has to show or ask besides. */
export class Login1795219200011 implements MigrationInterface {
  readonly name = 'Login1795219200011';

  private readonly statements = [
    `CREATE TABLE registration (
      id text NOT NULL,
      user_id text,
      email text NOT NULL,
      created_at timestamptz NOT NULL,
      CONSTRAINT registration_pkey PRIMARY KEY (id),
      CONSTRAINT registration_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE)`,
    `CREATE INDEX registration_user_id_idx ON registration (user_id)`,
    `CREATE INDEX registration_created_at_idx ON registration (created_at)`,
    `ALTER TABLE user_code ADD COLUMN failures integer NOT NULL DEFAULT '0'`,
    `CREATE INDEX user_account_phone_idx ON user_account (phone) WHERE phone_verified`,
    `ALTER TABLE auth_request
      ADD COLUMN registration_id text,
      ADD COLUMN password_expires_at timestamptz,
      ADD COLUMN password_change_wanted boolean NOT NULL DEFAULT false`,
    // Answers do not reveal whether an account exists, unless an administrator allows it.
    `ALTER TABLE login_policy ALTER COLUMN ignore_unknown_usernames SET DEFAULT true`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
