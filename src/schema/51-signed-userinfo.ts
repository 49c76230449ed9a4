import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Applications whose userinfo responses are signed, and the addresses at which applications publish request objects.
 */
export class SignedUserinfo1795219200051 implements MigrationInterface {
  readonly name = 'SignedUserinfo1795219200051';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE client
         ADD COLUMN signed_userinfo boolean NOT NULL DEFAULT false,
         ADD COLUMN request_uris text[] NOT NULL DEFAULT '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE client DROP COLUMN request_uris, DROP COLUMN signed_userinfo');
  }
}
