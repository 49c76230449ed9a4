import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How an application authenticates by assertions: the keys that it publishes, and how strict we are. */
export class ClientAssertion1795219200027 implements MigrationInterface {
  readonly name = 'ClientAssertion1795219200027';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE client
      ADD COLUMN jwks jsonb,
      ADD COLUMN jwks_uri text NOT NULL DEFAULT '',
      ADD COLUMN assertion_audience text NOT NULL DEFAULT 'any',
      ADD COLUMN require_assertion_id boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE client
      DROP COLUMN jwks,
      DROP COLUMN jwks_uri,
      DROP COLUMN assertion_audience,
      DROP COLUMN require_assertion_id`);
  }
}
