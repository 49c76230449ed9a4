import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mail servers that owners of the instance have set up (record 98). */
export class MailServer1795219200065 implements MigrationInterface {
  readonly name = 'MailServer1795219200065';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE mail_server (
         id text PRIMARY KEY,
         state text NOT NULL DEFAULT 'inactive',
         description text NOT NULL DEFAULT '',
         host text NOT NULL,
         tls boolean NOT NULL,
         user_name text NOT NULL DEFAULT '',
         password text NOT NULL DEFAULT '',
         sender_address text NOT NULL,
         sender_name text NOT NULL DEFAULT '',
         reply_to_address text NOT NULL DEFAULT '',
         sequence bigint NOT NULL DEFAULT 0,
         creation_date timestamptz NOT NULL DEFAULT now(),
         change_date timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query(`CREATE UNIQUE INDEX mail_server_one_active_idx ON mail_server (state) WHERE state = 'active'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_server');
  }
}
