import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identity providers of kinds that extensions bring: their settings, and the secrets among them. */
export class IdpSettings1795219200047 implements MigrationInterface {
  readonly name = 'IdpSettings1795219200047';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE idp
         ADD COLUMN settings jsonb NOT NULL DEFAULT '{}',
         ADD COLUMN secret_settings text NOT NULL DEFAULT ''`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idp DROP COLUMN secret_settings, DROP COLUMN settings');
  }
}
