import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What users of a provider may do. `is_creation_allowed` is null where nobody has said it: then it is what
 * `auto_register` says, which the version before writes alone.
 */
const ADD = `ALTER TABLE idp
  ADD COLUMN is_linking_allowed boolean NOT NULL DEFAULT true,
  ADD COLUMN is_creation_allowed boolean,
  ADD COLUMN is_auto_update boolean NOT NULL DEFAULT false,
  ADD COLUMN auto_linking text NOT NULL DEFAULT 'unspecified'`;

export class ProviderOptions1796032800400 implements MigrationInterface {
  readonly name = 'ProviderOptions1796032800400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ADD);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE idp
      DROP COLUMN is_linking_allowed,
      DROP COLUMN is_creation_allowed,
      DROP COLUMN is_auto_update,
      DROP COLUMN auto_linking`);
  }
}
