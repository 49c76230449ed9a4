import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which applications are told of the end of a session, and what they must still be told (record 60). */
export class BackChannelLogout1795219200035 implements MigrationInterface {
  readonly name = 'BackChannelLogout1795219200035';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE session_client (
         session_id text NOT NULL REFERENCES session (id) ON DELETE CASCADE,
         client_id text NOT NULL,
         client_epoch bigint NOT NULL,
         PRIMARY KEY (session_id, client_id)
       )`,
    );
    await runner.query(
      `CREATE TABLE logout_notice (
         id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         session_id text NOT NULL,
         user_id text NOT NULL,
         client_id text NOT NULL,
         client_epoch bigint NOT NULL,
         state text NOT NULL DEFAULT 'waiting',
         tries integer NOT NULL DEFAULT 0,
         reason text NOT NULL DEFAULT '',
         created_at timestamptz NOT NULL,
         due_at timestamptz NOT NULL,
         settled_at timestamptz
       )`,
    );
    await runner.query(
      'CREATE UNIQUE INDEX logout_notice_session_id_client_id_key ON logout_notice (session_id, client_id)',
    );
    await runner.query(
      `CREATE INDEX logout_notice_due_idx ON logout_notice (client_id, due_at) WHERE state = 'waiting'`,
    );
    await runner.query(
      'CREATE INDEX logout_notice_settled_at_idx ON logout_notice (settled_at) WHERE settled_at IS NOT NULL',
    );
    await runner.query('CREATE INDEX ON logout_notice (state, id)');
    await runner.query('CREATE INDEX ON logout_notice (client_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE logout_notice');
    await runner.query('DROP TABLE session_client');
  }
}
