import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Filled in at the next sign-in; the version before inserts rows without them. */
export class BrowserDevice1795219200031 implements MigrationInterface {
  readonly name = 'BrowserDevice1795219200031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE browser
         ADD COLUMN agent text NOT NULL DEFAULT '',
         ADD COLUMN system text NOT NULL DEFAULT '',
         ADD COLUMN network text NOT NULL DEFAULT ''`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE browser
         DROP COLUMN agent,
         DROP COLUMN system,
         DROP COLUMN network`,
    );
  }
}
