import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What providers say of their accounts besides names and addresses, which extensions read. */
export class LinkAttributes1796032800500 implements MigrationInterface {
  readonly name = 'LinkAttributes1796032800500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE idp_link ADD COLUMN attributes jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idp_link DROP COLUMN attributes');
  }
}
