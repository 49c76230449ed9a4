import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds organizations by name, regardless of case. */
export class OrgName1795219200020 implements MigrationInterface {
  readonly name = 'OrgName1795219200020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX org_name_key_idx ON org (lower(normalize(name, NFKC)))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX org_name_key_idx');
  }
}
