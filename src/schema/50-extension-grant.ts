import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The grants of extensions that an application may use, by their names: what an extension that is missing has left
 * stays.
 */
export class ExtensionGrant1795219200050 implements MigrationInterface {
  readonly name = 'ExtensionGrant1795219200050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE client ADD COLUMN extension_grants text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE client DROP COLUMN extension_grants');
  }
}
