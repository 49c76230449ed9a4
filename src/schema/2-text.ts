import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The texts of organizations and the instance that replace built-in ones. */
export class Text1795219200002 implements MigrationInterface {
  readonly name = 'Text1795219200002';

  private readonly statements = [
    `CREATE TABLE message_text (
      owner_id text NOT NULL,
      kind text NOT NULL,
      language text NOT NULL,
      title text NOT NULL DEFAULT '',
      pre_header text NOT NULL DEFAULT '',
      subject text NOT NULL DEFAULT '',
      greeting text NOT NULL DEFAULT '',
      text text NOT NULL DEFAULT '',
      button_text text NOT NULL DEFAULT '',
      footer_text text NOT NULL DEFAULT '',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT message_text_pkey PRIMARY KEY (owner_id, kind, language))`,
    `CREATE TABLE login_text (
      owner_id text NOT NULL,
      language text NOT NULL,
      texts jsonb NOT NULL DEFAULT '{}',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT login_text_pkey PRIMARY KEY (owner_id, language))`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
